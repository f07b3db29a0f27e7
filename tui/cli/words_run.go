package cli

import (
	"fmt"
	"strings"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

// runFact tells the facts about the run as a whole.
func (w Words) runFact(s *run.State, f run.Fact) (string, bool) {
	switch b := f.Body.(type) {
	case run.RunStarted:
		return w.started(b), true
	case run.RunResumed:
		return missing("taken up again", b.Missing), true
	case run.RunEnded:
		said := phrase("ended with exit code %d: %s; used %s", b.Exit, b.Why, tokens(b.Usage))
		if !b.ResetsAt.IsZero() {
			said += "; the earliest limit ends at " + w.at(b.ResetsAt, f.At)
		}
		return said, true
	case run.IterationStarted:
		return phrase("iteration %d of %d", b.Iteration, max(s.Program.Iterations, b.Iteration)), true
	case run.UntilAsked:
		return phrase("until is asked after iteration %d", b.Iteration), true
	case run.UntilChecked:
		return until(b), true
	case run.TaskRequeued:
		return phrase("%s goes back to the queue", task(s, b.Job)), true
	case run.ProgramWaiting:
		if b.Until.IsZero() {
			return phrase("no target is free: %s", b.Why), true
		}
		return phrase("no target is free until %s: %s", w.at(b.Until, f.At), b.Why), true
	case run.ProgramPaused:
		return "paused: nothing new is started", true
	case run.ProgramUnpaused:
		return "goes on", true
	case run.StopRequested:
		return w.stop(f, b), true
	case run.StopCancelled:
		return "stop taken back", true
	case run.ControlReceived:
		said := with("asked for "+say1(b.Verb), " of ", b.Target)
		return with(said, " by ", b.From), true
	case run.BudgetSpent:
		return say1(b.String()), true
	case run.ClockStepped:
		return "the clock was moved " + text.Step(b.ByMs.D()), true
	case run.Notice:
		return phrase("notice: %s", b.Message), true
	}
	return "", false
}

func (w Words) started(b run.RunStarted) string {
	p := b.Program
	said := phrase("%s started as %s: %s", p.Name, b.RunID, many(len(p.Tasks), "task"))
	if len(p.Order) > 0 {
		said += " on " + list(p.Order)
	}
	if p.Deadline > 0 {
		said += phrase(", %s at most", p.Deadline)
	}
	return missing(said, b.Missing)
}

// missing adds which agents are not installed.
func missing(said string, agents []string) string {
	if len(agents) == 0 {
		return said
	}
	return said + "; not installed: " + list(agents)
}

func until(b run.UntilChecked) string {
	switch {
	case b.Error != "":
		return phrase("until could not be asked after iteration %d: %s", b.Iteration, b.Error)
	case b.Done:
		return phrase("until holds after iteration %d", b.Iteration)
	}
	return phrase("until does not hold after iteration %d", b.Iteration)
}

func (w Words) stop(f run.Fact, b run.StopRequested) string {
	switch {
	case b.Hard:
		return "hard stop: everything ends now"
	case b.Run:
		return "soft stop: what runs is finished, nothing new is started"
	case b.Boundary.IsZero():
		return "soft stop after the attempt under way"
	}
	return "soft stop: the wait ends at " + w.at(b.Boundary, f.At)
}

// task names the task of a job.
func task(s *run.State, j run.Job) string {
	if j.Task < 0 || j.Task >= len(s.Program.Tasks) {
		return fmt.Sprintf("task %d", j.Task+1)
	}
	return s.Program.Tasks[j.Task].Name
}

// many counts things: "1 task", "2 tasks".
func many(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// classes words why attempts failed, in their order.
func classes(all []run.Class) string {
	words := make([]string, len(all))
	for i, c := range all {
		words[i] = c.String()
	}
	return strings.Join(words, ", ")
}
