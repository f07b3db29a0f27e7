//go:build mutants

package sim_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// mutant is a rule that is broken: while its name is asked for, mutated is true.
type mutant struct {
	name  string
	edits []edit
	// caught is part of what the rules say of it.
	caught string
}

const mutatedSource = `

import "os"

var mutant = os.Getenv("LAYOVER_MUTANT")

func mutated(name string) bool { return mutant == name }
`

func mutants() []mutant {
	one := func(name, caught, file, before, after string) mutant {
		return mutant{name, []edit{{file, before, after}}, caught}
	}
	return []mutant{
		one("spawns without a permit", "without its permit", "turn/launch.go",
			"	if len(keys) == 0 {\n		launch(d, l, l.Target, nil, why)", "	if len(keys) == 0 || mutated(\"spawns without a permit\") {\n		launch(d, l, l.Target, nil, why)"),
		{"two probes", []edit{
			{"run/window.go", "return w.Permit == nil && !w.NextTry.IsZero()", "return (w.Permit == nil || mutated(\"two probes\")) && !w.NextTry.IsZero()"},
			{"turn/launch.go", "if w.Permit != nil || !slices.Contains(p.Keys, w.WindowKey) {", "if w.Permit != nil && !mutated(\"two probes\") || !slices.Contains(p.Keys, w.WindowKey) {"},
		}, "is out already"},
		one("equal evidence shortens", "is shortened", "breaker/merge.go",
			"if lasts && old.How == r.How && old.Until.After(w.Until) {", "if lasts && old.How == r.How && old.Until.After(w.Until) && !mutated(\"equal evidence shortens\") {"),
		one("weaker evidence shortens", "weaker evidence", "breaker/merge.go",
			"case said && lasts && old.How > r.How:", "case said && lasts && old.How > r.How && !mutated(\"weaker evidence shortens\"):"),
		one("what was not stated shortens", "weaker evidence", "breaker/merge.go",
			"case lasts && old.How.Said():", "case lasts && old.How.Said() && !mutated(\"what was not stated shortens\"):"),
		one("no wake reserve", "beyond", "policy/park.go",
			"d, bounded = b.Deadline.Sub(b.Now)-WakeReserve, true", "d, bounded = b.Deadline.Sub(b.Now)-WakeReserve, true\n		if mutated(\"no wake reserve\") {\n			d += WakeReserve\n		}"),
		one("undercuts what was stated", "undercuts", "policy/probe.go",
			"		return until.Add(time.Minute - time.Second)\n	}\n	return until", "		return until.Add(time.Minute - time.Second)\n	case mutated(\"undercuts what was stated\"):\n		return until.Add(-time.Minute)\n	}\n	return until"),
		one("one swap too many", "swap 2 of 1", "turn/swap.go",
			"l.Swaps < s.Program.MaxSwaps", "(l.Swaps < s.Program.MaxSwaps || mutated(\"one swap too many\"))"),
		one("a pinned task swaps", "a pinned task swaps", "turn/swap.go",
			"return !s.Program.Tasks[l.Job.Task].Pinned &&", "return (!s.Program.Tasks[l.Job.Task].Pinned || mutated(\"a pinned task swaps\")) &&"),
		one("waits though another is free", "is free", "plan/sweep.go",
			"if !breaker.AnyFree(s, d.Now) {", "if !breaker.AnyFree(s, d.Now) || mutated(\"waits though another is free\") {"),
		one("changes the state without a fact", "replay gives another", "turn/ended.go",
			"	running := l.Running() == a\n", "	running := l.Running() == a\n	if mutated(\"changes the state without a fact\") {\n		l.Waited++\n	}\n"),
		one("loses a fact", "does not follow", "plan/decide.go",
			"return d.Facts, d.Effects", "if mutated(\"loses a fact\") && len(d.Facts) > 3 {\n		return d.Facts[1:], d.Effects\n	}\n	return d.Facts, d.Effects"),
		one("starts after a stop", "after a stop", "turn/stop.go",
			"return s.Stop != 0 || l.Stop != 0 }", "return (s.Stop != 0 || l.Stop != 0) && !mutated(\"starts after a stop\") }"),
		one("opens lanes after a stop", "a lane after a stop", "plan/queue.go",
			"for s.Stop == 0 && !s.Paused", "for (s.Stop == 0 || mutated(\"opens lanes after a stop\")) && !s.Paused"),
		one("forgets to account", "accounted", "turn/ended.go",
			"	} else {\n		d.Record(l.ID, run.UsageIncomplete{", "	} else if !mutated(\"forgets to account\") {\n		d.Record(l.ID, run.UsageIncomplete{"),
		one("accounts twice", "accounted twice", "turn/ended.go",
			"	breaker.Unsuspect(d, l.ID, a, \"the attempt ended\")", "	if mutated(\"accounts twice\") {\n		d.Record(l.ID, run.UsageIncomplete{Attempt: a.ID})\n	}\n	breaker.Unsuspect(d, l.ID, a, \"the attempt ended\")"),
		one("forgets a due window", "was to be tried at", "run/due.go",
			"		if len(w.Waiters) > 0 {\n			d = sooner(d, w.NextTry)\n		}\n		ahead(w.Until)\n		ahead(w.NextTry)", "		if len(w.Waiters) > 0 && !mutated(\"forgets a due window\") {\n			d = sooner(d, w.NextTry)\n		}\n		if !mutated(\"forgets a due window\") {\n			ahead(w.Until)\n			ahead(w.NextTry)\n		}"),
		one("wakes all at once", "after the one before", "breaker/served.go",
			"		at = at.Add(policy.Stagger)", "		if !mutated(\"wakes all at once\") {\n			at = at.Add(policy.Stagger)\n		}"),
		one("refuses again and again", "refused twice", "breaker/route.go",
			"if met || l.AttemptOf(w.Attempt) != nil {", "if met && !mutated(\"refuses again and again\") || l.AttemptOf(w.Attempt) != nil {"),
		one("retries what must not wait", "must not wait", "turn/ended.go",
			"if modeOf(s, l.Job) == run.WaitNever || taken >= ladder.MaxRetries {", "if modeOf(s, l.Job) == run.WaitNever && !mutated(\"retries what must not wait\") || taken >= ladder.MaxRetries {"),
		one("parks what must not park", "must not park", "turn/wait.go",
			"		return stated && wait <= policy.InlineMax\n	}", "		return stated && wait <= policy.InlineMax || mutated(\"parks what must not park\")\n	}"),
		one("retries once too often", ": retry ", "turn/ended.go",
			"taken >= ladder.MaxRetries {", "taken >= ladder.MaxRetries && !mutated(\"retries once too often\") {"),
		one("waits inline for hours", "an inline wait", "turn/wait.go",
			"plan.inline = r.stated && r.wait <= policy.InlineMax", "plan.inline = r.stated && (r.wait <= policy.InlineMax || mutated(\"waits inline for hours\"))"),
		one("a bad login counts as ill health", "counts as ill health", "turn/ended.go",
			"return c == run.ClassTransport ||", "return c == run.ClassAuth && mutated(\"a bad login counts as ill health\") || c == run.ClassTransport ||"),
		one("health opens at once", "health opens after", "breaker/health.go",
			"if n >= policy.HealthThreshold &&", "if (n >= policy.HealthThreshold || mutated(\"health opens at once\")) &&"),
		one("an overload trips", "trip true", "breaker/refuse.go",
			"w.Trip = limit && r.Key.Model == \"\" || tripped", "w.Trip = (limit || mutated(\"an overload trips\")) && r.Key.Model == \"\" || tripped"),
		one("no turn_woken", "without turn_woken", "turn/launch.go",
			"	if w == nil || w.Inline {\n		return\n	}", "	if w == nil || w.Inline || mutated(\"no turn_woken\") {\n		return\n	}"),
		one("sums planned time", "by the clock", "turn/launch.go",
			"	waited := max(d.Now.Sub(w.Since), 0)", "	waited := max(d.Now.Sub(w.Since), 0)\n	if mutated(\"sums planned time\") {\n		waited = w.WakeAt.Sub(w.Since)\n	}"),
		one("a third rung", "rung 3", "turn/ended.go",
			"if l.Rung >= run.Rungs ||", "if l.Rung >= run.Rungs && !mutated(\"a third rung\") ||"),
		one("returns without proof", "which has proved nothing", "turn/swap.go",
			"if len(s.WindowsOn(t)) > 0 || proved(s, t, left) {", "if len(s.WindowsOn(t)) > 0 || proved(s, t, left) || mutated(\"returns without proof\") {"),
		{"starts after the deadline", []edit{
			{"turn/launch.go", "if end := deadline(s, l.Job, d.Now); !end.IsZero() && !d.Now.Before(end) {", "if end := deadline(s, l.Job, d.Now); !end.IsZero() && !d.Now.Before(end) && !mutated(\"starts after the deadline\") {"},
			{"turn/ended.go", "!end.IsZero() && !at.Before(end) {", "!end.IsZero() && !at.Before(end) && !mutated(\"starts after the deadline\") {"},
		}, "after the deadline"},
		{"starts without a budget", []edit{
			{"turn/launch.go", "	if s.BudgetOf(l) != nil {\n		broke(d, l)\n		return\n	}\n	if end", "	if s.BudgetOf(l) != nil && !mutated(\"starts without a budget\") {\n		broke(d, l)\n		return\n	}\n	if end"},
			{"turn/ended.go", "	case s.BudgetOf(l) != nil:\n		broke", "	case s.BudgetOf(l) != nil && !mutated(\"starts without a budget\"):\n		broke"},
		}, "a spawn after the budget"},
		one("opens lanes without a budget", "a lane after the budget", "plan/queue.go",
			"!s.Paused && s.Spent == nil &&", "!s.Paused && (s.Spent == nil || mutated(\"opens lanes without a budget\")) &&"),
		one("spends a budget twice", "is spent twice", "turn/budget.go",
			"s.Spent == nil && b.Spent(used)", "(s.Spent == nil || mutated(\"spends a budget twice\")) && b.Spent(used)"),
		one("spends a budget too early", "is not spent", "turn/budget.go",
			"l.Spent != nil || !task.Spent(used) {", "l.Spent != nil || !task.Spent(used) && !(mutated(\"spends a budget too early\") && task.Spent(used.Add(used))) {"),
		one("forgets what a job has used", "the job has used", "turn/resume.go",
			"	job.Used = l.Used()\n", "	if !mutated(\"forgets what a job has used\") {\n		job.Used = l.Used()\n	}\n"),
		one("ends limited without a budget", "exit 75", "plan/conclude.go",
			"	case s.Spent != nil && (len(s.Queue)", "	case s.Spent != nil && !mutated(\"ends limited without a budget\") && (len(s.Queue)"),
		one("starts while paused", "a spawn while paused", "turn/launch.go",
			"	if s.Paused {\n		hold(d, l)", "	if s.Paused && !mutated(\"starts while paused\") {\n		hold(d, l)"),
		one("one lane too many", "at once", "plan/queue.go",
			"len(s.Open) < s.Program.Parallel &&", "(len(s.Open) < s.Program.Parallel || mutated(\"one lane too many\") && len(s.Open) == s.Program.Parallel) &&"),
		one("starts what is not installed", "not installed", "run/state.go",
			"return !slices.Contains(s.Missing, t.Agent)", "return !slices.Contains(s.Missing, t.Agent) || mutated(\"starts what is not installed\")"),
		one("keeps a permit for ever", "permit", "breaker/served.go",
			"		before := w.PermitAt()\n		release(d, w, why)", "		before := w.PermitAt()\n		if mutated(\"keeps a permit for ever\") {\n			continue\n		}\n		release(d, w, why)"),
		one("ends done with work left", " left", "plan/conclude.go",
			"	case len(s.Queue) > 0:\n		return ExitLimited", "	case len(s.Queue) > 0 && !mutated(\"ends done with work left\"):\n		return ExitLimited"),
		one("forgets its agents on restart", "stuck", "turn/resume.go",
			"		d.Do(run.Adopt{Lane: l.ID, Attempt: a.ID})", "		if !mutated(\"forgets its agents on restart\") {\n			d.Do(run.Adopt{Lane: l.ID, Attempt: a.ID})\n		}"),
		one("forgets who had asked before a restart", "does nothing", "turn/resume.go",
			"		acquire(d, l, run.WokenDue)\n		return", "		if !mutated(\"forgets who had asked before a restart\") {\n			acquire(d, l, run.WokenDue)\n		}\n		return"),
		one("takes an answer that is out of date", "a probe of", "turn/launch.go",
			"if p.Why != run.WokenOperator && !w.Usable(now) {", "if p.Why != run.WokenOperator && !w.Usable(now) && !mutated(\"takes an answer that is out of date\") {"),
		one("never probes", "nothing is decided", "plan/sweep.go",
			"		try(d, w)\n", "		if !mutated(\"never probes\") {\n			try(d, w)\n		}\n"),
		one("a park outlives its budget", "outlives", "run/due.go",
			"		d = sooner(d, w.Ceiling)", "		if !mutated(\"a park outlives its budget\") {\n			d = sooner(d, w.Ceiling)\n		}"),
	}
}

// Each rule that is broken is caught: by the rules that the simulator holds, in the
// first months that it draws.
func TestEachMutantIsCaught(t *testing.T) {
	all := mutants()
	var edits []edit
	added := map[string]string{}
	for _, m := range all {
		edits = append(edits, m.edits...)
	}
	for _, p := range []string{"run", "policy", "breaker", "turn", "plan"} {
		added[p+"/mutated.go"] = "package " + p + mutatedSource
	}
	binary := built(t, edits, added)
	play := func(name, hours string) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		c := exec.CommandContext(ctx, binary, "-test.run", "^TestRulesHoldForMonths$", "-seed", "1", "-hours", hours)
		c.Env = append(os.Environ(), "LAYOVER_MUTANT="+name)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := play("", "4000"); err != nil {
		t.Fatalf("without a mutant: %v\n%s", err, out)
	}
	for _, m := range all {
		t.Run(m.name, func(t *testing.T) {
			out, err := play(m.name, "60000")
			if err == nil || !strings.Contains(out, m.caught) {
				t.Errorf("not caught by %q: %v\n%s", m.caught, err, out[:min(len(out), 2000)])
			}
		})
	}
}
