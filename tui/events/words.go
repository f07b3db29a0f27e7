package events

import (
	"fmt"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// Tone is how an event should look.
type Tone int

const (
	// TonePlain is an event that is all in order.
	TonePlain Tone = iota + 1
	// ToneWarn is a limit, a wait or a fault that may pass.
	ToneWarn
	// ToneBad is an end without success, or something for the operator.
	ToneBad
)

// Event is one line of the pane, fit to be shown.
type Event struct {
	At   time.Time
	Who  string
	Text string
	Tone Tone
}

// lineMax bounds a line's foreign text, in cells.
const lineMax = 200

// Words tells a fact that has been applied to s in one line, with instants in zone.
// It reports false for facts that the operator need not see.
func Words(s *run.State, f run.Fact, zone *time.Location) (Event, bool) {
	t := teller{s: s, f: f, zone: zone}
	e := Event{At: f.At, Who: "run", Tone: TonePlain}
	if f.Lane != 0 {
		e.Who = words.LaneOf(s, f.Lane)
	}
	for _, tell := range []func(*Event){t.aboutRun, t.aboutLane, t.aboutAttempt, t.aboutWait, t.aboutFamily} {
		if tell(&e); e.Text != "" {
			return e, true
		}
	}
	return e, false
}

type teller struct {
	s    *run.State
	f    run.Fact
	zone *time.Location
}

func (t teller) at(at time.Time) string { return text.Until(at, t.f.At, t.zone) }

// until words an instant and how it is known; empty for the zero instant.
func (t teller) until(at time.Time, how run.How) string {
	if at.IsZero() {
		return ""
	}
	said := " until " + t.at(at)
	if h := words.How(how); h != "" {
		said += " (" + h + ")"
	}
	return said
}

func foreign(before string, u run.Untrusted) string {
	if said := text.Line(u, lineMax); said != "" {
		return before + said
	}
	return ""
}

func (t teller) aboutRun(e *Event) {
	switch b := t.f.Body.(type) {
	case run.RunStarted:
		e.Text = "started " + words.Name(b.Program.Name) + ": " + words.Many(len(b.Program.Tasks), "task")
	case run.RunResumed:
		e.Text = "taken up again"
	case run.RunEnded:
		e.Text = fmt.Sprintf("ended, exit %d", b.Exit)
		if b.Exit == run.ExitUnseen {
			e.Text = "ended"
		}
		e.Text += foreign(": ", run.Untrusted(b.Why))
		if b.Exit != 0 {
			e.Tone = ToneWarn
		}
	case run.IterationStarted:
		if b.Iteration > 1 {
			e.Text = fmt.Sprintf("iteration %d", b.Iteration)
		}
	case run.UntilChecked:
		switch {
		case b.Error != "":
			e.Text, e.Tone = "until command failed"+foreign(": ", b.Error), ToneWarn
		case b.Done:
			e.Text = "until command says done"
		}
	case run.ProgramWaiting:
		e.Text, e.Tone = "no target is free: waiting"+t.until(b.Until, 0), ToneWarn
	case run.ProgramPaused:
		e.Text, e.Tone = "paused: no new agents", ToneWarn
	case run.ProgramUnpaused:
		e.Text = "goes on"
	case run.StopRequested:
		switch {
		case b.Run && b.Hard:
			e.Text, e.Tone = "hard stop", ToneWarn
		case b.Run:
			e.Text, e.Tone = "soft stop: what runs now finishes", ToneWarn
		}
	case run.StopCancelled:
		if b.Run {
			e.Text = "soft stop taken back"
		}
	case run.BudgetSpent:
		e.Text, e.Tone = text.Line(run.Untrusted(b.String()), lineMax), ToneBad
	case run.Notice:
		e.Text = text.Line(run.Untrusted(b.Message), lineMax)
	case run.ClockStepped:
		e.Text, e.Tone = "the clock was moved "+text.Step(b.ByMs.D()), ToneWarn
	}
}

func (t teller) aboutLane(e *Event) {
	switch b := t.f.Body.(type) {
	case run.LaneStarted:
		if b.Job.Requeued > 0 {
			e.Text = "taken up again"
		}
	case run.LaneEnded:
		t.laneEnded(e, b)
	case run.ProviderFallback:
		verb := "swapped"
		if !b.Counted {
			verb = "moved"
		}
		e.Text, e.Tone = verb+" from "+words.Target(b.From)+" to "+words.Target(b.To), ToneWarn
		if why := words.Class(b.Reason); why != "" && b.Reason != run.ClassCancelled {
			e.Text += ": " + why
		}
	case run.HandoffWritten:
		e.Text = "is given the work so far, " + text.Count(int64(b.Bytes)) + "B"
		if b.Summary {
			e.Text += ", with a summary of what is left out"
		}
	case run.SummaryAsked:
		e.Text = "summarises first what is left out, " + text.Count(int64(b.Bytes)) + "B"
	case run.SummarySkipped:
		e.Text, e.Tone = "goes on without a summary", ToneWarn
	case run.OverflowRung:
		with := text.Share(b.Keep) + " of it"
		if !t.s.Program.Handoff {
			with = "the task alone"
		}
		e.Text = fmt.Sprintf("the conversation is too long, recoverable: starts anew with %s (try %d of %d)", with, b.Rung, run.Rungs)
		e.Tone = ToneWarn
	case run.Error:
		e.Text, e.Tone = "failed"+foreign(": ", run.Untrusted(b.Message)), ToneBad
		if b.Retryable {
			e.Text, e.Tone = "back to the queue"+foreign(": ", run.Untrusted(b.Message)), ToneWarn
		}
		if !b.ResetsAt.IsZero() {
			e.Text += ", resets " + t.at(b.ResetsAt)
		}
	}
}

func (t teller) laneEnded(e *Event, b run.LaneEnded) {
	switch b.State {
	case run.LaneDone:
		e.Text = "done"
	case run.LaneStopped:
		e.Text = "stopped"
		if b.Class == run.ClassIncomplete && b.Why != "" { // nobody has stopped it
			e.Text = "not heard of any more"
		}
	default:
		return // the error before it tells
	}
	if l := t.s.Lane(t.f.Lane); l != nil && b.State == run.LaneDone {
		e.Text += " after " + text.Age(l.EndedAt.Sub(l.StartedAt))
	}
}

func (t teller) aboutAttempt(e *Event) {
	switch b := t.f.Body.(type) {
	case run.AttemptStarted:
		target := words.Target(b.Target)
		switch {
		case len(b.Permits) > 0:
			e.Text = "probes " + words.Window(b.Permits[0])
			if b.Target.Model != "" {
				e.Text += " with " + target
			}
		case b.Resume != "":
			e.Text = "resumes " + target
		case b.Handoff:
			e.Text = "starts " + target + " with the work so far"
		default:
			e.Text = "starts " + target
		}
	case run.AgentAdopted:
		e.Text = "follows the agent that still runs"
	case run.SessionLost:
		e.Text, e.Tone = "session lost: starts afresh", ToneWarn
	case run.AttemptEnding:
		e.Text, e.Tone = "agent asked to end: "+words.Ending(b.Why), ToneWarn
	case run.AttemptEnded:
		if b.Verdict.Class == run.ClassSuccess || b.Verdict.Class == run.ClassCancelled {
			return // the end of the lane, or the wish before it, tells
		}
		e.Text = words.Class(b.Verdict.Class) + t.until(b.Verdict.Reset, b.Verdict.How) + foreign(": ", b.Verdict.Message)
		if b.Verdict.Class == run.ClassStalled && b.Verdict.Message == "" {
			e.Text = "the agent " + b.Verdict.Stall()
		}
		e.Tone = ToneWarn
		if b.Verdict.Class == run.ClassFailed || b.Verdict.Class == run.ClassAuth || b.Verdict.Class == run.ClassBilling {
			e.Tone = ToneBad
		}
	}
}

func (t teller) aboutWait(e *Event) {
	switch b := t.f.Body.(type) {
	case run.RetryScheduled:
		e.Text = "tries again in " + text.Clock(b.DelayMs.D())
	case run.TurnParked:
		e.Text = "parked" + t.until(b.WakeAt, b.How)
		if !b.Window.IsZero() {
			e.Text += ", waits for " + words.Window(b.Window)
		}
	case run.TurnWoken:
		if said := woken(b.Reason); said != "" {
			e.Text = said + " after " + text.Age(b.WaitedMs.D())
		}
	}
}

func woken(w run.Woken) string {
	switch w {
	case run.WokenOperator:
		return "woken by the operator"
	case run.WokenDeadline:
		return "gives up waiting"
	}
	return "" // what follows tells
}

func (t teller) aboutFamily(e *Event) {
	switch b := t.f.Body.(type) {
	case run.FamilySuspected:
		if !b.Since.IsZero() && b.Since.Before(e.At) { // it may be told late
			e.At = b.Since
		}
		e.Text, e.Tone = words.Window(run.WindowKey{Family: b.Family, Model: b.Model})+" suspected"+foreign(": ", run.Untrusted(b.Why)), ToneWarn
	case run.FamilyTripped:
		e.Text, e.Tone = words.Name(b.Family)+" tripped"+t.until(b.ResetsAt, b.How), ToneWarn
	case run.WindowOpened:
		if !b.Trip { // else its trip tells
			t.window(e, b.Window)
		}
	case run.WindowSeen:
		e.Text, e.Tone = words.Window(b.WindowKey)+" limited"+t.until(b.Until, b.How)+", says another run", ToneWarn
	case run.WindowCleared:
		e.Text = words.Window(b.Key) + " is free again"
		if b.Why == "operator" || b.Why == "credentials" {
			e.Text += " (" + b.Why + ")"
		}
	case run.ProbeSettled:
		// The end of a refused attempt tells as much.
		if _, a := t.s.LaneOfAttempt(t.f.Lane, b.Attempt); !b.Good && (a == nil || a.EndedAt.IsZero()) {
			e.Text, e.Tone = "probe of "+words.Window(b.Key)+foreign(": ", run.Untrusted(b.Why)), ToneWarn
		}
	case run.SpawnRefused:
		e.Text, e.Tone = "no agent started: "+words.Window(b.Key)+" is limited"+t.until(b.Until, 0), ToneWarn
	case run.HealthOpened:
		e.Text, e.Tone = words.Name(b.Family)+" rests"+t.until(b.Until, 0)+": failed too often", ToneWarn
	case run.HealthClosed:
		e.Text = words.Name(b.Family) + " is well again"
	}
}

func (t teller) window(e *Event, w run.Window) {
	e.Tone = ToneWarn
	e.Text = words.Window(w.WindowKey) + ": " + words.Limit(&w) + t.until(w.Until, w.How)
	switch w.Kind {
	case run.KindAuth:
		e.Text, e.Tone = words.Window(w.WindowKey)+" needs a login; c clears it by hand", ToneBad
	case run.KindBilling:
		e.Text, e.Tone = words.Window(w.WindowKey)+" must be paid for; c clears it by hand", ToneBad
	}
}
