package headline

import (
	"errors"
	"slices"
	"strings"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// ended tells what the exit of a run means, what became of its tasks, and when it
// is worth going on.
func (t *teller) ended() {
	s := t.s
	if quiet(s) {
		why := text.Line(run.Untrusted(s.ExitWhy), 80)
		t.say.Add(ToneWarn, why, why)
		return
	}
	tone, what := exit(s.Exit)
	if s.Exit == exitLimited && barred(s) {
		what = "blocked"
	}
	t.say.Add(tone, what, what)
	if said := tally(s); said != "" {
		t.say.Add(tone, said, said)
	}
	if !s.ResetsAt.IsZero() {
		at := text.Until(s.ResetsAt, t.now, t.zone)
		full := "resets " + at
		if s.ResetsAt.After(t.now) {
			full += " (" + t.left(s.ResetsAt) + ")"
		}
		t.say.Add(tone, full, "resets "+at)
	}
	if (s.Exit == exitLimited || s.Exit == run.ExitUnseen || s.Exit == exitFailed && s.Spent != nil) && s.ExitWhy != "" {
		why := text.Line(run.Untrusted(s.ExitWhy), 80)
		t.say.Add(tone, why, why)
	}
}

// quiet reports whether nobody saw the run end, nor any task: it is not heard of any more.
func quiet(s *run.State) bool {
	return s.Exit == run.ExitUnseen && s.ExitWhy != "" && s.Counts.Stopped > 0 && s.Counts.Done+s.Counts.Failed == 0
}

// barred reports whether nothing but logins and bills keeps a run from going on.
func barred(s *run.State) bool {
	return len(s.Windows) > 0 && !slices.ContainsFunc(s.Windows, func(w *run.Window) bool { return w.Sort != run.SortLogin })
}

// The exit statuses of a run, from design.md §8.
const (
	exitDone       = 0
	exitFailed     = 1
	exitStopped    = 3
	exitLimited    = 75
	exitHard       = 130
	exitTerminated = 143
)

func exit(code int) (Tone, string) {
	switch code {
	case exitDone:
		return ToneCalm, "finished"
	case exitFailed:
		return ToneBad, "finished with failures"
	case exitStopped:
		return ToneWarn, "stopped"
	case exitLimited:
		return ToneBad, "still limited"
	case exitHard:
		return ToneWarn, "stopped hard"
	case exitTerminated:
		return ToneWarn, "terminated"
	}
	return ToneBad, "ended"
}

// tally counts what became of the tasks: "3 done, 1 failed, 2 left".
func tally(s *run.State) string {
	var said []string
	add := func(n int, what string) {
		if n > 0 {
			said = append(said, words.Many(n, "task")+" "+what)
		}
	}
	add(s.Counts.Done, "done")
	add(s.Counts.Failed, "failed")
	add(s.Counts.Stopped, "stopped")
	add(len(s.Queue), "left")
	return strings.Join(said, ", ")
}

// Host is the sentence once the engine has ended without ending the run: the agents
// may go on, and somebody may take the run up again. Err may be nil; one with a method
// Unowned says that the owner was another process and is gone.
func Host(exit int, err error) Sentence {
	var s Sentence
	var unowned interface{ Unowned() }
	switch {
	case errors.As(err, &unowned): // nothing failed here
		s.Add(ToneBad, "nobody owns the run any more", "no owner")
	case err != nil:
		why := text.Line(run.Untrusted(err.Error()), 200)
		s.Add(ToneBad, "the engine failed: "+why, "failed: "+why)
	case exit == exitTerminated:
		s.Add(ToneWarn, "terminated", "terminated")
	default:
		s.Add(ToneWarn, "left", "left")
	}
	s.Add(s.Tone, "layover resume takes the run up again", "layover resume takes it up")
	return s
}

// Lost is the sentence of a screen that has lost its place in the facts.
func Lost(err error) Sentence {
	var s Sentence
	why := text.Line(run.Untrusted(err.Error()), 200)
	s.Add(ToneBad, "the run goes on, but this screen lost it: "+why, "screen lost: "+why)
	return s
}
