package plan

import (
	"slices"
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
	if _, left := h.(run.Leaving); !left && s.Phase != 0 && s.Phase != run.PhaseEnded {
		sweep(d)
	}
	for i := range max(len(d.Facts)-1, 0) {
		d.Facts[i].More = true
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
		resume(d, h)
	case run.Spawned:
		if _, a := s.LaneOfAttempt(h.Lane, h.Attempt); a != nil {
			d.Record(h.Lane, run.AgentSpawned{
				Attempt: h.Attempt, Worker: h.Worker, PID: h.PID, PIDStart: h.PIDStart, Command: h.Command,
			})
		}
	case run.Adopted:
		if _, a := s.LaneOfAttempt(h.Lane, h.Attempt); a != nil {
			d.Record(h.Lane, run.AgentAdopted{Attempt: h.Attempt})
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
	case run.Overspent:
		if l := s.Lane(h.Lane); l != nil || h.Lane == 0 {
			turn.Overspent(d, l, h.Used)
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
		d.Record(0, run.UntilChecked(h))
	case run.Stepped:
		stepped(d, h.By)
	case run.CredentialsChanged:
		breaker.Clear(d, h.Family, "credentials")
	case run.Command:
		command(d, h)
	case run.HandedOver:
		if _, a := s.LaneOfAttempt(h.Lane, h.Attempt); a != nil && a.Handed == 0 {
			d.Record(h.Lane, run.HandoffWritten{Attempt: h.Attempt, Bytes: h.Bytes, Summary: h.Summary})
		}
	case run.HandoffCut:
		if l, a := s.LaneOfAttempt(h.Lane, h.Attempt); a != nil && l.Running() == a && a.SpawnedAt.IsZero() {
			turn.Cut(d, l, a, h.Bytes)
		}
	case run.Noted:
		if s.Phase != 0 {
			d.Record(0, run.Notice(h))
		}
	case run.Leaving:
		leaving(d)
	}
}

// seen takes over what another process recorded about a window.
func seen(d *run.Decision, h run.Seen) {
	if h.Cleared {
		breaker.SeenCleared(d, h.Window)
		return
	}
	breaker.Seen(d, h.Window)
}

func begin(d *run.Decision, b run.Begin) {
	d.Record(0, run.RunStarted{
		Format: run.Format, RunID: b.RunID, Program: b.Program, Seed: b.Seed, Epoch: b.Epoch, Speed: b.Speed, Missing: b.Missing,
	})
	for _, x := range b.Seen {
		seen(d, x)
	}
	d.Record(0, run.IterationStarted{Iteration: 1})
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
	for _, id := range slices.Clone(s.Open) {
		turn.Stepped(d, s.Lane(id), by)
	}
}
