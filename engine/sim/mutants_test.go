//go:build mutants

package sim_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/sim"
)

const mutatedSource = `

import "os"

var mutant = os.Getenv("LAYOVER_MUTANT")

func mutated(name string) bool { return mutant == name }
`

// written are the edits of a mutant as they are made.
func (m mutant) written() []edit {
	var edits []edit
	for _, e := range m.edits {
		text := strings.ReplaceAll(e.new, "mutated()", fmt.Sprintf("mutated(%q)", m.name))
		edits = append(edits, edit{e.file, e.old, strings.ReplaceAll(text, "$", e.old)})
	}
	return edits
}

// maxWorlds is in how many worlds a mutant must be caught.
const maxWorlds = 1000

// Each mutant is caught by the rule that it breaks, in the first worlds that are drawn
// from its seed. Other rules may catch it, too.
func TestEachMutantIsCaught(t *testing.T) {
	var edits []edit
	added := map[string]string{}
	for _, m := range mutants() {
		edits = append(edits, m.written()...)
	}
	for _, p := range []string{"run", "policy", "breaker", "turn", "plan"} {
		added[p+"/mutated.go"] = "package " + p + mutatedSource
	}
	binary := built(t, edits, added)
	play := func(name string, args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		c := exec.CommandContext(ctx, binary, args...)
		c.Env = append(os.Environ(), "LAYOVER_MUTANT="+name)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := play("", "-test.run", "^TestRulesHoldForMonths$", "-seed", "1", "-hours", "4000"); err != nil {
		t.Fatalf("without a mutant: %v\n%s", err, out)
	}
	for _, m := range mutants() {
		t.Run(m.name, func(t *testing.T) {
			out, err := play(m.name, "-test.run", "^TestARuleCatches$", "-seed", strconv.Itoa(m.seed), "-rule", m.rule, "-test.v")
			if err != nil {
				t.Fatalf("not caught by %q: %v\n%s", m.rule, err, out[:min(len(out), 3000)])
			}
			for line := range strings.Lines(out) {
				if _, what, caught := strings.Cut(line, "caught "); caught {
					t.Log(what[:min(len(what), 150)])
				}
			}
		})
	}
}

var rule = flag.String("rule", "", "the rule that must catch the mutant")

// TestARuleCatches plays worlds until the rule that is asked for is broken in one. It is
// run by the test above, with a mutant.
func TestARuleCatches(t *testing.T) {
	if *rule == "" {
		t.Skip("no rule is asked for")
	}
	others := ""
	for n := *seed; n < *seed+maxWorlds; n++ {
		err := played(n)
		if err == nil {
			continue
		}
		if strings.Contains(err.Error(), "["+*rule+"]") {
			t.Logf("caught in world %d: %v", n, strings.ReplaceAll(err.Error(), "\n", "; "))
			return
		}
		if len(others) < 2000 {
			others += fmt.Sprintf("world %d: %v\n", n, err)
		}
	}
	t.Fatalf("%d worlds; only these rules were broken:\n%s", maxWorlds, others)
}

// played plays a world. A mutant may make the core refuse its own facts: it panics.
func played(n uint64) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.Join(err, fmt.Errorf("panic: %v", p))
		}
	}()
	return sim.New(sim.Drawn(n)).Run()
}
