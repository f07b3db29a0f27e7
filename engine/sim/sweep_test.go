//go:build mutants

package sim_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

// swept are the parameters that matter, with the values to try, as Go writes them; the
// value that holds comes first.
var swept = []struct {
	name   string
	values []string
}{
	{"patience", []string{"2m", "0s", "30s", "1m", "5m", "off"}},
	{"throttleMax", []string{"15 * time.Second", "10 * time.Second", "20 * time.Second", "30 * time.Second", "60 * time.Second"}},
	{"throttleShare", []string{"0.15", "0.05", "0.08", "0.3"}},
	{"Stagger", []string{"250 * time.Millisecond", "0 * time.Second", "100 * time.Millisecond", "time.Second", "3 * time.Second", "10 * time.Second"}},
	{"ProbeTimeout", []string{"90 * time.Second", "30 * time.Second", "45 * time.Second", "180 * time.Second"}},
}

// TestSweep plays the policy table with other values of the parameters that matter,
// and prints what Layover reaches of the useful work of the greedy oracle, and how many
// attempts fail. It takes
// some minutes; -parameter plays one of them alone.
func TestSweep(t *testing.T) {
	var b strings.Builder
	var names []string
	for _, c := range scenarios() {
		for _, m := range models {
			names = append(names, c.name+" "+m.name)
		}
	}
	fmt.Fprintf(&b, "\n| parameter | %s |\n|---|%s\n", strings.Join(names, " | "), strings.Repeat("--:|", len(names)))
	for _, p := range swept {
		if *parameter != "" && p.name != *parameter {
			continue
		}
		for i, v := range p.values {
			var edits []edit
			c := []string{"-test.run", "^TestRows$", "-test.v"}
			switch {
			case p.name == "patience":
				c = append(c, "-patience", v)
			case i > 0:
				edits = []edit{{"policy/probe.go", p.name + assigned(p.name) + p.values[0] + "\n", p.name + " = " + v + "\n"}}
			}
			if i > 0 { // what departs from the rule about it is no fault here
				switch p.name {
				case "Stagger":
					edits = append(edits, edit{"sim/rules.go", "= " + p.values[0] + "\n", "= " + v + "\n"})
				case "ProbeTimeout":
					edits = append(edits, edit{"sim/rules_bounds.go", "probeMax = " + p.values[0] + "\n", "probeMax = " + v + "\n"})
				}
			}
			out, err := exec.Command(built(t, edits, nil), c...).CombinedOutput()
			if err != nil {
				t.Fatalf("%s = %s: %v\n%s", p.name, v, err, out)
			}
			var means []string
			for line := range strings.Lines(string(out)) {
				if _, row, found := strings.Cut(line, "reaches "); found {
					means = append(means, strings.TrimSpace(row))
				}
			}
			fmt.Fprintf(&b, "| %s %s | %s |\n", p.name, short(v), strings.Join(means, " | "))
			fmt.Fprintln(os.Stderr, p.name, short(v), strings.Join(means, " "))
		}
	}
	t.Log(b.String())
	if *update && *parameter == "" {
		text := "# Other values of the parameters that matter\n\nMade by `go test -tags mutants ./engine/sim -run Sweep -v -update`: what Layover reaches of the useful\n" +
			"work of the greedy oracle, and how many attempts fail. The first value of each parameter is the one that holds. Weeks: 8 seeds.\n" + b.String()
		if err := os.WriteFile("testdata/sweep.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// assigned is what stands between a name and its value in a block of constants, where
// gofumpt lines them up.
func assigned(name string) string {
	if strings.HasPrefix(name, "throttle") {
		return strings.Repeat(" ", len("throttleShare")-len(name)) + " = "
	}
	return " = "
}

func short(v string) string {
	r := strings.NewReplacer(" * time.Second", " s", " * time.Millisecond", " ms", "time.Second", "1 s")
	return r.Replace(v)
}

// TestRows prints the rows of Layover alone, with fewer weeks.
func TestRows(t *testing.T) {
	for _, c := range scenarios() {
		if c.seeds == 20 {
			c.seeds = 8
		}
		best := c.over(func(seed uint64) sim.Tally { return c.play(seed, oracle(greedy, false)) })
		for _, m := range models {
			r := summed("", c.layover(t, m.inside, patience), best)
			fmt.Printf("%s %s reaches %.4f, %.1f\n", c.name, m.name, r.mean, r.failed)
		}
	}
}

var (
	patience  = run.Defaults().Patience
	parameter = flag.String("parameter", "", "the parameter of the sweep; empty for all")
)

func init() {
	flag.TextVar(&patience, "patience", patience, "the patience of the rows")
}
