package breaker_test

import (
	"testing"
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
)

func TestHealthOpensAfterThreeExhaustedTurnsInARow(t *testing.T) {
	st := set(t, 1, opus)
	l, _ := st.lane(1)
	for n := 1; n <= 3; n++ {
		if st.State.Window(health) != nil {
			t.Fatalf("open before turn %d", n)
		}
		breaker.Exhausted(st.Decision, l, opus, run.ClassTransport)
	}
	w := st.State.Window(health)
	if w == nil || w.Until.Sub(now) < 30*time.Second || w.Until.Sub(now) > 30*time.Second*9/8 || !w.NextTry.Equal(w.Until) {
		t.Fatalf("%+v", w)
	}
	if breaker.Blocked(st.State, codex, now) {
		t.Fatal("another family is blocked")
	}
}

func TestHealthIsCountedAnewOnceAnAttemptEndedWell(t *testing.T) {
	st := set(t, 1, opus)
	l, _ := st.lane(1)
	for range 2 {
		breaker.Exhausted(st.Decision, l, opus, run.ClassTransport)
	}
	l, a := st.served(1)
	breaker.Served(st.Decision, l, a)
	if st.count("health_closed") != 0 {
		t.Fatal("an answer alone is no end without a fault")
	}
	breaker.Healthy(st.Decision, l, a)
	breaker.Exhausted(st.Decision, l, opus, run.ClassTransport)
	if st.State.Window(health) != nil || st.count("health_closed") != 1 {
		t.Fatal("the failures before the good end count")
	}
}

func opened(t *testing.T, lanes int) (stage, *run.Window) {
	t.Helper()
	st := set(t, lanes, opus)
	l, _ := st.lane(1)
	for range 3 {
		breaker.Exhausted(st.Decision, l, opus, run.ClassTransport)
	}
	return st, st.State.Window(health)
}

func TestATurnThatWasUnderWayDoesNotProlongOpenHealth(t *testing.T) {
	st, w := opened(t, 2)
	until := w.Until
	l, _ := st.lane(2)
	breaker.Exhausted(st.Decision, l, opus, run.ClassTransport)
	if !st.State.Window(health).Until.Equal(until) || st.count("health_opened") != 1 {
		t.Fatalf("prolonged to %s", st.State.Window(health).Until)
	}
}

func TestABadProbeLeavesTheFamilyAloneForLonger(t *testing.T) {
	for name, bad := range map[string]func(st stage, w *run.Window){
		"it failed": func(st stage, w *run.Window) {
			l, a := st.lane(1)
			if breaker.HalfOpen(st.State, a) == nil {
				st.t.Fatal("the attempt is not known as the probe")
			}
			breaker.ProbeFailed(st.Decision, l, w, "failed")
		},
		"no sign came": func(st stage, w *run.Window) {
			st.Now = w.Permit.Lapses
			breaker.Lapse(st.Decision)
		},
	} {
		t.Run(name, func(t *testing.T) {
			st, w := opened(t, 1)
			st.Now = w.Until
			st.permit(health, 1)
			bad(st, w)
			w = st.State.Window(health)
			if d := w.Until.Sub(st.Now); w.Permit != nil || d < time.Minute || d > time.Minute*9/8 || !w.NextTry.Equal(w.Until) {
				t.Fatalf("left alone for %s", d)
			}
		})
	}
}

func TestABadProbeNeverShortensOpenHealth(t *testing.T) {
	st, w := opened(t, 1)
	st.Now = w.Until
	st.permit(health, 1)
	w.Until = st.Now.Add(time.Hour) // the clock was set, or another process says so
	l, _ := st.lane(1)
	breaker.ProbeFailed(st.Decision, l, w, "failed")
	if got := st.State.Window(health).Until.Sub(st.Now); got != time.Hour {
		t.Fatalf("left alone for %s", got)
	}
}

func TestHealthClosesWhenItsProbeIsServed(t *testing.T) {
	st, w := opened(t, 1)
	st.Now = w.Until
	st.permit(health, 1)
	l, a := st.served(1)
	breaker.Served(st.Decision, l, a)
	if st.State.Window(health) != nil || st.State.Family("claude").Failures != 3 {
		t.Fatalf("%+v", st.State.Family("claude"))
	}
	breaker.Healthy(st.Decision, l, a)
	if st.State.Family("claude").Failures != 0 || st.State.Family("claude").Opened != 0 {
		t.Fatalf("%+v", st.State.Family("claude"))
	}
}
