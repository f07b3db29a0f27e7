package plan

import (
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

// Decide changes a state by what has happened and returns the facts that did it,
// already applied, and the effects to be carried out once they are saved. It
// must be called from one goroutine at a time.
func Decide(s *run.State, h run.Happening, now time.Time) ([]run.Fact, []run.Effect) {
	d := &run.Decision{State: s, Now: now.UTC().Round(0)}
	take(d, h)
	if s.Phase != 0 && s.Phase != run.PhaseEnded {
		sweep(d)
	}
	return d.Facts, d.Effects
}

// take hands a happening to the part that it is about.
func take(d *run.Decision, h run.Happening) {
	s := d.State
	switch h := h.(type) {
	case run.Begin:
		begin(d, h)
	case run.Resume:
		d.Record(0, run.RunResumed{Missing: h.Missing})
	case run.Spawned:
		if _, a := s.LaneOfAttempt(h.Lane, h.Attempt); a != nil {
			d.Record(h.Lane, run.AgentSpawned{
				Attempt: h.Attempt, Worker: h.Worker, PID: h.PID, PIDStart: h.PIDStart, Command: h.Command,
			})
		}
	case run.Served:
		if l, a := s.LaneOfAttempt(h.Lane, h.Attempt); a != nil {
			turn.Served(d, l, a, h.Sign)
		}
	case run.Suspected:
		if l, a := s.LaneOfAttempt(h.Lane, h.Attempt); a != nil {
			turn.Suspected(d, l, a, h)
		}
	case run.Learned:
		if _, a := s.LaneOfAttempt(h.Lane, h.Attempt); a != nil && a.EndedAt.IsZero() && a.Session != h.Session {
			d.Record(h.Lane, run.SessionLearned{Attempt: h.Attempt, Session: h.Session, Model: h.Model})
		}
	case run.RanAway:
		if l, a := s.LaneOfAttempt(h.Lane, h.Attempt); a != nil && l.Running() == a && a.Ending == 0 {
			turn.Finish(d, l, a, run.EndingStall)
		}
	case run.Ended:
		if l, a := s.LaneOfAttempt(h.Lane, h.Attempt); a != nil {
			turn.Ended(d, l, a, h)
		}
	case run.PermitAnswered:
		if l := s.Lane(h.Lane); l != nil {
			turn.Answered(d, l, h)
		}
	case run.Seen:
		seen(d, h)
	case run.UntilAnswered:
		d.Record(0, run.UntilChecked{Iteration: h.Iteration, Done: h.Done, Error: h.Error})
	case run.Stepped:
		stepped(d, h.By)
	case run.CredentialsChanged:
		breaker.Clear(d, h.Family, "credentials")
	case run.Command:
		command(d, h)
	}
}

func begin(d *run.Decision, b run.Begin) {
	d.Record(0, run.RunStarted{
		RunID: b.RunID, Program: b.Program, Seed: b.Seed, Epoch: b.Epoch, Speed: b.Speed, Missing: b.Missing,
	})
	d.Record(0, run.IterationStarted{Iteration: 1})
}

// seen takes over what another process recorded about a window.
func seen(d *run.Decision, h run.Seen) {
	w := d.State.Window(h.Window.WindowKey)
	switch {
	case h.Cleared && w != nil && w.Permit == nil:
		breaker.Close(d, 0, w, "seen", true)
	case h.Cleared:
	case w == nil || h.Window.Until.After(w.Until) && h.Window.How >= w.How:
		d.Record(0, run.WindowSeen{Window: h.Window})
	}
}

// stepped moves the waits that nobody stated along with a clock that jumped;
// those that were stated keep their instant.
func stepped(d *run.Decision, by time.Duration) {
	s := d.State
	d.Record(0, run.ClockStepped{ByMs: run.Millis(by / time.Millisecond)})
	for _, w := range s.Windows {
		if w.How.Said() || w.NextTry.IsZero() {
			continue
		}
		v := *w
		v.NextTry, v.Until = v.NextTry.Add(by), v.Until.Add(by)
		d.Record(0, run.WindowExtended{Window: v})
	}
	for _, id := range s.Open {
		l := s.Lane(id)
		w := l.Wait
		if w == nil || w.Window != (run.WindowKey{}) {
			continue
		}
		at := w.WakeAt
		if !w.How.Said() && !at.IsZero() {
			at = at.Add(by)
		}
		d.Record(id, run.ParkMoved{
			WakeAt: at, How: w.How, Released: w.Released, LookAt: w.LookAt, Ceiling: w.Ceiling, Since: w.Since.Add(by),
		})
	}
}
