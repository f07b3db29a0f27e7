package sim_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// every has the tables of the policies made over all seeds, as those are that are kept.
var every = flag.Bool("every", false, "play all seeds for the tables of the policies, not a tenth")

var update = flag.Bool("update", false, "write the tables of the policies anew")

// Where the tables are kept: all of them, and a short one for readers.
const (
	tablesFile = "testdata/policies.md"
	readme     = "../../README.md"
	mark       = "<!-- made by: go test ./engine/sim -run PolicyTable -every -update -->\n"
	markEnd    = "<!-- end -->\n"
)

// kept holds that the tables in the tree are those that come out, or writes them.
func kept(t *testing.T, all []scenario, tables map[string][]row) {
	t.Helper()
	var long strings.Builder
	long.WriteString("# Policies compared\n\nMade by `go test ./engine/sim -run PolicyTable -every -update`.\n" +
		"Useful work is a share of that of the greedy oracle; the other figures are means of one run.\n" +
		"(a): an agent ends at a refusal. (b): it retries a bare 429 by itself for three minutes.\n")
	for _, c := range all {
		long.WriteString(c.print(tables[c.name]))
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), mark)
	old, after, ends := strings.Cut(rest, markEnd)
	if !ok || !ends {
		t.Fatalf("the README has no place for the table: %q … %q", mark, markEnd)
	}
	short := summary(all, tables)
	if *update {
		if err := os.WriteFile(readme, []byte(before+mark+short+markEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(tablesFile, []byte(long.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if runtime.GOARCH != "amd64" {
		return // elsewhere the last digits of a drawn length may differ
	}
	full, err := os.ReadFile(tablesFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(full), long.String()) + cmp.Diff(old, short); diff != "" {
		t.Errorf("the tables in the tree are others; -update writes them anew:\n%s", diff)
	}
}

// summary is the table for readers.
func summary(all []scenario, tables map[string][]row) string {
	var b strings.Builder
	b.WriteString("\n| useful work / oracle |")
	for _, c := range all {
		fmt.Fprintf(&b, " %s |", c.name)
	}
	b.WriteString(" wasted spawns, panel1 | failed attempts, panel1 | wasted spawns, week1 | failed attempts, week1 |\n|---|")
	b.WriteString(strings.Repeat("--:|", len(all)+4) + "\n")
	for i, r := range tables[all[0].name] {
		fmt.Fprintf(&b, "| %s |", r.name)
		for _, c := range all {
			fmt.Fprintf(&b, " %.3f |", tables[c.name][i].mean)
		}
		p, w := tables["panel1"][i], tables["week1"][i]
		fmt.Fprintf(&b, " %.1f | %.1f | %.0f | %.0f |\n", p.wasted, p.failed, w.wasted, w.failed)
	}
	return b.String() + "\n"
}
