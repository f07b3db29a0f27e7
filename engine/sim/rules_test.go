package sim_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

// mutant is a fault of the core that a rule must catch.
type mutant struct {
	name, rule string
	// seed draws the first of the worlds in which it is looked for: one where it shows.
	seed int
	// edits make the fault, while mutated() in them is true.
	edits []edit
}

// edit changes one place of a source file of package engine; $ in the new text is the
// old one.
type edit struct {
	file     string // below engine
	old, new string
}

// mutants are all of them; `go test -tags mutants -run EachMutant` tries each.
func mutants() []mutant {
	return slices.Concat(spawnsMutants(), breakerMutants(), waitsMutants(), endsMutants(), summaryMutants())
}

// direct feeds the rules that no mutant can break with facts that are made up: what they
// forbid [run.State.Apply] refuses before they see it, or no drawn world leads there.
var direct = map[string]func(r *told){
	"a permit of no window":          func(r *told) { r.fact(1, run.PermitGranted{Key: limit, Attempt: 1}) },
	"a permit ends that is not held": func(r *told) { r.fact(1, run.PermitReleased{Key: limit, Attempt: 1}) },
	"a window opens twice": func(r *told) {
		r.fact(1, run.WindowOpened{Window: run.Window{WindowKey: limit}})
		r.fact(1, run.WindowOpened{Window: run.Window{WindowKey: limit}})
	},
	"nothing to wake": func(r *told) { r.fact(1, run.TurnWoken{Reason: run.WokenDue}) },
	"a summary after a stop": func(r *told) {
		r.fact(1, run.AttemptStarted{Attempt: 1, Target: claude})
		r.fact(1, run.StopRequested{})
		r.fact(1, run.SummaryAsked{Attempt: 1, Until: start.Add(time.Minute)})
	},
	"a summary into a window": func(r *told) {
		r.fact(1, run.AttemptStarted{Attempt: 1, Target: claude})
		r.fact(0, run.WindowSeen{Window: run.Window{WindowKey: limit}})
		r.fact(1, run.SummaryAsked{Attempt: 1, Until: start.Add(time.Minute)})
	},
	"the parks do not add up": func(r *told) {
		r.fact(1, run.TurnParked{Reason: run.ClassRateLimited})
		r.rules.Ended(0)
	},
}

var (
	claude = run.Target{Agent: "claude"}
	limit  = run.WindowKey{Family: "claude", Sort: run.SortLimit}
)

// told tells facts to the rules.
type told struct {
	rules *sim.Rules
	seq   uint64
}

func (r *told) fact(lane run.LaneID, b run.Body) {
	r.seq++
	r.rules.Fact(run.Fact{Seq: r.seq, At: start, Lane: lane, Body: b})
}

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// TestRulesThatNoMutantCanBreak shows that they would notice.
func TestRulesThatNoMutantCanBreak(t *testing.T) {
	p := run.Defaults()
	p.HandoffSummary = true
	p.Order, p.Tasks = []run.Target{claude}, []run.Task{{Name: "task", Wait: run.WaitPark}}
	p.Agents = map[string]run.Agent{"claude": {Preset: "claude", Family: "claude"}}
	for rule, broken := range direct {
		t.Run(rule, func(t *testing.T) {
			r := &told{rules: sim.NewRules(start)}
			r.fact(0, run.RunStarted{Program: p})
			r.fact(0, run.IterationStarted{Iteration: 1})
			r.fact(1, run.LaneStarted{Job: run.Job{Iteration: 1}})
			r.fact(1, run.LaneRouted{Why: "start", To: claude})
			if err := r.rules.Err(); err != nil {
				t.Fatal(err)
			}
			broken(r)
			if err := r.rules.Err(); err == nil || !strings.Contains(err.Error(), "["+rule+"]") {
				t.Fatalf("%v", err)
			}
		})
	}
}

// Every rule has a name of its own, and something that breaks it: a mutant of the core,
// or made-up facts.
func TestEveryRuleCanBreak(t *testing.T) {
	rules := ruleNames(t)
	breaks := map[string]bool{}
	for rule := range direct {
		breaks[rule] = true
	}
	var names []string
	for _, m := range mutants() {
		breaks[m.rule] = true
		if slices.Contains(names, m.name) {
			t.Errorf("two mutants are named %q", m.name)
		}
		names = append(names, m.name)
	}
	for i, rule := range rules {
		if !breaks[rule] {
			t.Errorf("nothing breaks the rule %q: it wants a mutant, or made-up facts", rule)
		}
		if slices.Contains(rules[:i], rule) {
			t.Errorf("two rules are named %q", rule)
		}
		delete(breaks, rule)
	}
	for rule := range breaks {
		if !slices.Contains(rules, rule) {
			t.Errorf("there is no rule %q to break", rule)
		}
	}
	t.Logf("%d rules, %d mutants", len(rules), len(names))
}

// ruleNames reads the names of the rules out of the calls of their method broken.
func ruleNames(t *testing.T) []string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "broken" {
				return true
			}
			name, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Fatalf("%s: the name of a rule must be written out", file)
			}
			text, err := strconv.Unquote(name.Value)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, text)
			return true
		})
	}
	return names
}
