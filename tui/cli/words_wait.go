package cli

import (
	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

// waitFact tells the facts about waits.
func (w Words) waitFact(s *run.State, f run.Fact) (string, bool) {
	switch b := f.Body.(type) {
	case run.RetryScheduled:
		if b.Retry > 0 {
			return phrase("retry %d in %s: %s", b.Retry, b.DelayMs.D(), b.Reason), true
		}
		return phrase("waits %s until %s%s: %s", text.Clock(b.DelayMs.D()), w.at(b.WakeAt, f.At), how(b.How), b.Reason), true
	case run.TurnParked:
		why := say1(b.Reason.String())
		if !b.Window.IsZero() {
			why = window(s, b.Window)
		}
		if b.WakeAt.IsZero() {
			return "parked until somebody clears it, " + why, true
		}
		return phrase("parked %s until %s%s, ", text.Clock(b.PlannedMs.D()), w.at(b.WakeAt, f.At), how(b.How)) + why, true
	case run.ParkMoved:
		return w.moved(f, b), true
	case run.TurnWoken:
		return phrase("woken after %s (%s)", text.Clock(b.WaitedMs.D()), b.Reason), true
	}
	return "", false
}

// moved tells of a wait that ends at another time than it was to.
func (w Words) moved(f run.Fact, b run.ParkMoved) string {
	wakes := "until somebody clears it"
	if !b.WakeAt.IsZero() {
		wakes = "until " + w.at(b.WakeAt, f.At) + how(b.How)
	}
	switch {
	case f.Lane == 0:
		return phrase("%s for %s %s", waiters(b.Lanes), b.Window, wakes)
	case b.Released:
		return "let go, starts at " + w.at(b.WakeAt, f.At)
	}
	return "waits " + wakes
}

// waiters counts the lanes of a window.
func waiters(n int) string {
	if n == 1 {
		return "1 lane waits"
	}
	return many(n, "lane") + " wait"
}

// window tells what a lane waits for: that it tripped, or of what kind it is.
func window(s *run.State, k run.WindowKey) string {
	switch v := s.Window(k); {
	case v == nil:
		return phrase("for %s", k)
	case v.Trip:
		return phrase("%s tripped", k)
	default:
		return phrase("%s has a %s window", k, v.Kind)
	}
}
