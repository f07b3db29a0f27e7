package cli

import (
	"fmt"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

// laneFact tells the facts about lanes and turns.
func (w Words) laneFact(s *run.State, f run.Fact) (string, bool) {
	switch b := f.Body.(type) {
	case run.LaneStarted:
		said := fmt.Sprintf("lane %d opened", f.Lane)
		if b.Job.Requeued > 0 {
			said += phrase(", taken up again (%d)", b.Job.Requeued)
		}
		if !b.Deadline.IsZero() {
			said += ", until " + w.at(b.Deadline, f.At) + " at most"
		}
		return said, true
	case run.LaneRouted:
		return routed(b), true
	case run.LaneEnded:
		return ended("lane ended", b.State, b.Class), true
	case run.TurnStarted:
		return "turn started", true
	case run.TurnEnded:
		return with(ended("turn ended", b.State, b.Class), " on ", b.Target.String()), true
	case run.ProviderFallback:
		said := phrase("swapped from %s to %s", b.From, b.To)
		if !b.Counted {
			said = phrase("returned from %s to %s", b.From, b.To)
		}
		return with(said, ": ", b.Reason.String()), true
	case run.HandoffWritten:
		said := phrase("attempt %d is given the work so far, %s bytes", b.Attempt, text.Count(int64(b.Bytes)))
		if b.Summary {
			said += ", with a summary of what is left out"
		}
		return said, true
	case run.SummaryAsked:
		return phrase("attempt %d summarises what is left out of the work so far, %s bytes, until ", b.Attempt, text.Count(int64(b.Bytes))) + w.at(b.Until, f.At), true
	case run.SummarySkipped:
		return phrase("goes on without the summary of attempt %d", b.Attempt), true
	case run.OverflowRung:
		return phrase("the conversation is too long, recoverable: starts anew with %s (try %d of %d)", kept(s, b), b.Rung, run.Rungs), true
	case run.RetriesExhausted:
		said := phrase("gave up after %s: %s", many(b.Attempts, "attempt"), classes(b.Reasons))
		if b.Retryable {
			said += "; it may pass"
		}
		return said, true
	case run.Error:
		return w.failure(f, b), true
	}
	return "", false
}

// kept tells what an agent is given that starts anew with less.
func kept(s *run.State, b run.OverflowRung) string {
	if !s.Program.Handoff {
		return "the task alone"
	}
	return text.Share(b.Keep) + " of it"
}

func routed(b run.LaneRouted) string {
	switch {
	case b.To.IsZero():
		return phrase("no other target is free (%s)", b.Why)
	case b.Next:
		return phrase("goes to %s next (%s)", b.To, b.Why)
	}
	return phrase("routed to %s (%s)", b.To, b.Why)
}

func ended(what string, state run.LaneState, class run.Class) string {
	said := phrase("%s %s", what, state)
	if class == 0 || class == run.ClassSuccess {
		return said
	}
	return said + " (" + class.String() + ")"
}

func (w Words) failure(f run.Fact, b run.Error) string {
	said := phrase("error: %s", b.Message)
	span := func(before string, s *float64) {
		if s != nil {
			said += before + text.Clock(seconds(*s))
		}
	}
	span("; asked to wait ", b.HintS)
	span(", may wait ", b.CeilingS)
	span(", deadline in ", b.HeadroomS)
	if !b.ResetsAt.IsZero() {
		said += "; the limit ends at " + w.at(b.ResetsAt, f.At)
	}
	return said
}

// seconds makes a duration of a number of seconds, however large.
func seconds(s float64) time.Duration {
	const most = 1000 * 24 * time.Hour
	return time.Duration(max(0, min(s, most.Seconds())) * float64(time.Second))
}
