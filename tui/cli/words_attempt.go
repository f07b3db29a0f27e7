package cli

import (
	"strconv"
	"strings"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

// attemptFact tells the facts about attempts and their agents.
func (w Words) attemptFact(_ *run.State, f run.Fact) (string, bool) {
	switch b := f.Body.(type) {
	case run.AttemptStarted:
		said := with(phrase("attempt %d on %s", b.Attempt, b.Target), ", resumes ", b.Resume)
		if len(b.Permits) > 0 {
			said += ", probes " + list(b.Permits)
		}
		if b.Handoff {
			said += ", takes over the work so far"
		}
		return said, true
	case run.AgentSpawned:
		return with(phrase("agent of attempt %d runs as process %d", b.Attempt, b.PID), " in ", b.Worker), true
	case run.AgentAdopted:
		return phrase("agent of attempt %d was still running and is followed again", b.Attempt), true
	case run.AttemptServed:
		return phrase("attempt %d is served (%s)", b.Attempt, b.Sign), true
	case run.SessionLearned:
		return with(phrase("attempt %d is session %s", b.Attempt, b.Session), " of ", b.Model), true
	case run.SessionLost:
		return phrase("session of attempt %d could not be resumed, the next starts afresh", b.Attempt), true
	case run.AttemptEnding:
		return phrase("attempt %d is asked to end (%s)", b.Attempt, b.Why), true
	case run.AttemptEnded:
		return w.attemptEnded(f, b), true
	case run.UsageCounted:
		return phrase("attempt %d used %s", b.Attempt, tokens(b.Usage)), true
	case run.UsageIncomplete:
		return phrase("attempt %d used %s without a result", b.Attempt, tokens(b.Usage)), true
	}
	return "", false
}

func (w Words) attemptEnded(f run.Fact, b run.AttemptEnded) string {
	v := b.Verdict
	said := phrase("attempt %d ended after %s: %s", b.Attempt, text.Clock(b.DurationMs.D()), v.Class)
	if v.Kind != 0 {
		said += phrase(", %s limit", v.Kind)
	}
	if v.Scope == run.ScopeModel {
		said += " of one model"
	}
	if !v.Reset.IsZero() {
		said += ", ends at " + w.at(v.Reset, f.At) + how(v.How)
	}
	switch e := b.Exit; {
	case e.Lost:
		said += ", nobody saw it end"
	case e.Signal != "":
		said = with(said, ", ", e.Signal)
	case e.Code != 0:
		said += phrase(", exit code %d", e.Code)
	}
	if v.Class == run.ClassStalled && v.Message == "" {
		return said + ": it " + v.Stall()
	}
	return with(said, ": ", v.Message)
}

// seeing tells what an observation saw; false if there are no words for its kind.
func (w Words) seeing(o run.Observation) (string, bool) {
	switch b := o.Body.(type) {
	case run.ParkTick:
		said := phrase("parked for %s", text.Clock(b.WaitedMs.D()))
		if !b.WakeAt.IsZero() {
			said += ", wakes at " + w.at(b.WakeAt, o.At) + how(b.How)
		}
		return said, true
	case run.Activity:
		return activity(o.Attempt, b), true
	case run.Gauges:
		return w.gauges(b, o.At), true
	case run.Trouble:
		if b.Message == "" {
			return "all works again", true
		}
		if b.Start {
			return phrase("%s %s; tries again", b.Tells(), b.Message), true
		}
		if b.ExportOnly {
			return phrase("%s %s; the run goes on", b.Tells(), b.Message), true
		}
		return phrase("%s %s; nothing new is started until it can", b.Tells(), b.Message), true
	}
	return "", false
}

func activity(id run.AttemptID, b run.Activity) string {
	said := phrase("attempt %d", id)
	if b.Retry.Attempt > 0 {
		said += phrase(", agent retries by itself (%s)", retry(b.Retry))
		if b.Retry.Status > 0 {
			said += phrase(" after status %d", b.Retry.Status)
		}
	}
	if n := b.Usage.Tokens(); n > 0 {
		said += ", " + text.Count(n) + " tokens"
	}
	return with(said, ": ", b.Now())
}

// retry is which of its own retries an agent is at, and when that begins.
func retry(r run.Retry) string {
	said := strconv.Itoa(r.Attempt)
	if r.Max > 0 {
		said += "/" + strconv.Itoa(r.Max)
	}
	if r.Delay > 0 {
		said += ", next in " + text.Seconds(r.Delay)
	}
	return said
}

// gauges tells how full the usage windows of a family are.
func (w Words) gauges(b run.Gauges, now time.Time) string {
	var all []string
	for _, r := range b.Readings {
		if !r.Current(now) {
			continue
		}
		said := text.Gauge(r.Gauge)
		if !r.Resets.IsZero() {
			said += " until " + w.at(r.Resets, now)
		}
		all = append(all, said)
	}
	if len(all) == 0 {
		return phrase("usage of %s is not known", b.Family)
	}
	return phrase("usage of %s: ", b.Family) + strings.Join(all, ", ")
}
