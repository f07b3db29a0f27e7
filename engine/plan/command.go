package plan

import (
	"fmt"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
	"example.com/layover/engine/turn"
)

// command does what the operator asks, or says why it cannot be done now.
func command(d *run.Decision, c run.Command) {
	s := d.State
	if s.Phase == run.PhaseEnded || s.Phase == 0 {
		return
	}
	target := c.Family
	l := s.Lane(c.Lane)
	if l != nil {
		target = s.Label(l)
	}
	d.Record(c.Lane*known(l), run.ControlReceived{Verb: c.Verb.String(), Target: target, From: c.From})
	switch {
	case c.Lane != 0 && l == nil:
		d.Record(0, run.Notice{Message: fmt.Sprintf("there is no lane %d", c.Lane)})
		return
	case c.Lane != 0 && l.State.Final():
		d.Record(0, run.Notice{Message: fmt.Sprintf("lane %d has ended already", c.Lane)})
		return
	}
	switch c.Verb {
	case run.VerbSoftStop, run.VerbHardStop:
		stop(d, l, c.Verb == run.VerbHardStop)
	case run.VerbTakeBack:
		takeBack(d, l)
	case run.VerbWake:
		if l != nil {
			turn.Wake(d, l)
		}
	case run.VerbClear:
		if !breaker.Clear(d, c.Family, "operator") {
			d.Record(0, run.Notice{Message: "nothing to clear: no window of " + c.Family + " is open"})
		}
	case run.VerbSwap:
		if l != nil {
			turn.Swap(d, l)
		}
	case run.VerbPause:
		if !s.Paused {
			d.Record(0, run.ProgramPaused{})
		}
	case run.VerbUnpause:
		unpause(d)
	}
}

// known is one for a lane that is there, else zero: a fact names no other.
func known(l *run.Lane) run.LaneID {
	if l == nil {
		return 0
	}
	return 1
}

// stop asks the run, or one lane of it, to end.
func stop(d *run.Decision, l *run.Lane, hard bool) {
	if l != nil {
		turn.Stop(d, l, hard)
		return
	}
	s := d.State
	if s.Stop == run.StopHard || (s.Stop == run.StopSoft && !hard) {
		return
	}
	d.Record(0, run.StopRequested{Run: true, Hard: hard})
	for _, id := range append([]run.LaneID(nil), s.Open...) {
		if l := s.Lane(id); hard || l.Wait != nil {
			turn.Stop(d, l, hard)
		}
	}
}

// takeBack lets what was asked to end softly go on.
func takeBack(d *run.Decision, l *run.Lane) {
	s := d.State
	if l != nil && s.Stop == 0 {
		turn.TakeBack(d, l)
		return
	}
	if l != nil {
		d.Record(l.ID, run.Notice{Message: "not taken back: the whole run is stopping"})
		return
	}
	if s.Stop != run.StopSoft {
		d.Record(0, run.Notice{Message: "nothing to take back: no soft stop is under way"})
		return
	}
	d.Record(0, run.StopCancelled{Run: true})
	for _, id := range append([]run.LaneID(nil), s.Open...) {
		turn.TakeBack(d, s.Lane(id))
	}
}

// leaving records that nobody decides about the run any more.
func leaving(d *run.Decision) {
	working := 0
	for _, id := range d.State.Open {
		if a := d.State.Lane(id).Running(); a != nil && !a.SpawnedAt.IsZero() {
			working++
		}
	}
	d.Record(0, run.Notice{Message: "left; " + alone(working, d.State.Program.OnDeath)})
}

// alone says what agents do whose run has no owner.
func alone(working int, onDeath string) string {
	who, one := fmt.Sprintf("%d agents", working), working == 1
	if one {
		who = "one agent"
	}
	switch {
	case working == 0:
		return "no agent was at work"
	case onDeath == "end" && one:
		return who + " ends in 30 s unless the run is resumed"
	case onDeath == "end":
		return who + " end in 30 s unless the run is resumed"
	case one:
		return who + " goes on alone"
	}
	return who + " go on alone"
}

// unpause lets the lanes go on that were held.
func unpause(d *run.Decision) {
	s := d.State
	if !s.Paused {
		return
	}
	d.Record(0, run.ProgramUnpaused{})
	for _, id := range append([]run.LaneID(nil), s.Open...) {
		turn.Resume(d, s.Lane(id))
	}
	d.Freed = true
}
