package headline

import (
	"fmt"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// Of is the sentence of a state as it is at now, with instants in zone.
func Of(s *run.State, now time.Time, zone *time.Location) Sentence {
	t := teller{s: s, now: now, zone: zone}
	t.say.Tone = ToneCalm
	switch {
	case s.Phase == 0:
		t.say.Add(ToneCalm, "starting", "starting")
	case s.Phase == run.PhaseEnded:
		t.ended()
	case s.Stop == run.StopHard:
		t.say.Add(ToneWarn, "stopping now: "+words.Many(t.census().working, "agent")+" still to end", "stopping now")
	case s.Stop == run.StopSoft:
		t.stopping()
	default:
		t.going()
	}
	return t.say
}

type teller struct {
	s    *run.State
	now  time.Time
	zone *time.Location
	say  Sentence
}

// census counts the open lanes by what they do.
type census struct {
	working, inline, parked, opening int
	asking                           int // of the opening: sessions of others between two turns
	// retry and wake are the earliest instants at which a waiting lane goes on,
	// stop the latest at which one stops; zero if there is none.
	retry, wake, stop time.Time
	// probed is set if all parked lanes wait for the answer of a probe.
	probed bool
}

func (t *teller) census() census {
	c := census{probed: true}
	for _, id := range t.s.Open {
		l := t.s.Lane(id)
		at := t.s.WakeAt(l)
		switch l.State {
		case run.LaneWorking:
			c.working++
		case run.LaneWaiting:
			c.inline++
			c.retry = first(c.retry, at)
		case run.LaneParked:
			c.parked++
			c.wake = first(c.wake, at)
			gate := t.s.Gate(l)
			c.probed = c.probed && gate != nil && gate.Permit != nil
		default:
			c.opening++
			if l.Last.Class != 0 {
				c.asking++
			}
		}
		if l.StopAt.After(c.stop) {
			c.stop = l.StopAt
		}
	}
	return c
}

func first(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}

// until words an instant as clock and countdown: "14:32 (41:07)".
func (t *teller) until(at time.Time) string {
	return text.Until(at, t.now, t.zone) + " (" + t.left(at) + ")"
}

func (t *teller) left(at time.Time) string { return text.Clock(at.Sub(t.now)) }

// stopping tells of a soft stop: who still works, and when the waits end.
func (t *teller) stopping() {
	c := t.census()
	t.say.Add(ToneWarn, "stopping softly", "stopping")
	if c.working > 0 {
		full := fmt.Sprintf("%d finishing", c.working)
		t.say.Add(ToneWarn, full, full)
	}
	if n := c.parked + c.inline; n > 0 {
		full, brief := fmt.Sprintf("%d parked", n), fmt.Sprintf("%d parked", n)
		if !c.stop.IsZero() {
			verb := " ends"
			if n > 1 {
				verb = " end"
			}
			full += verb + " by " + t.until(c.stop)
			brief += " " + t.left(c.stop)
		}
		t.say.Add(ToneWarn, full, brief)
	}
}

// going tells of a run under way.
func (t *teller) going() {
	c := t.census()
	if t.s.Paused {
		t.say.Add(ToneWarn, "paused", "paused")
	}
	t.logins()
	if c.working > 0 {
		full := fmt.Sprintf("%d working", c.working)
		t.say.Add(ToneCalm, full, full)
	}
	if c.inline > 0 {
		full, brief := fmt.Sprintf("%d retrying", c.inline), fmt.Sprintf("%d retrying", c.inline)
		if !c.retry.IsZero() {
			full += " in " + t.left(c.retry)
		}
		t.say.Add(ToneCalm, full, brief)
	}
	t.parked(c)
	t.waiting()
	t.windows()
	if c.asking > 0 {
		t.say.Add(ToneWarn, "your turn", "your turn")
	}
	if len(t.say.parts) == 0 {
		full := words.Many(len(t.s.Queue), "task") + " queued"
		t.say.Add(ToneCalm, full, full)
	}
}

func (t *teller) parked(c census) {
	if c.parked == 0 {
		return
	}
	brief := fmt.Sprintf("%d parked", c.parked)
	full := brief
	switch {
	case c.wake.IsZero():
	case c.probed:
		full += " behind a probe"
	case !c.wake.After(t.now):
		full += ", trying now"
	case c.parked == 1:
		full += " until " + t.until(c.wake)
		brief += " " + t.left(c.wake)
	default:
		full += ", the first until " + t.until(c.wake)
		brief += " " + t.left(c.wake)
	}
	t.say.Add(ToneWarn, full, brief)
}

// waiting tells of a program that has work but no target that could take it.
func (t *teller) waiting() {
	if t.s.Phase != run.PhaseWaiting {
		return
	}
	full := "waiting, " + words.Many(len(t.s.Queue), "task") + " queued"
	brief := "waiting"
	if at := t.s.WaitsFor; !at.IsZero() {
		how := ", next try at "
		if !t.frees() {
			how = ", gives up at "
		}
		full += how + t.until(at)
		brief += " " + t.left(at)
	}
	t.say.Add(ToneWarn, full, brief)
}

// frees reports whether some window ends by itself.
func (t *teller) frees() bool {
	for _, w := range t.s.Windows {
		if !w.PermitAt().IsZero() {
			return true
		}
	}
	return false
}
