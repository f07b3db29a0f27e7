package breaker_test

import (
	"testing"
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
)

func TestSeenTakesOverWhatSaysMore(t *testing.T) {
	const h = time.Hour
	for name, tt := range map[string]struct {
		how   run.How
		until time.Duration
		after time.Duration
		takes bool
	}{
		"a later end of equal evidence":           {run.HowText, 3 * h, 0, true},
		"an earlier end of equal evidence":        {run.HowText, h, 0, false},
		"an earlier end of stronger evidence":     {run.HowStated, h, 0, true},
		"a later end of weaker evidence":          {run.HowAssumed, 3 * h, 0, false},
		"weaker evidence once the window is over": {run.HowAssumed, 3 * h, 2*h + time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(t, 1, opus)
			w := st.open(limitOn(""), 2*h, run.HowText)
			st.permit(limitOn(""), 1)
			st.after(tt.after)
			v := run.Window{
				WindowKey: limitOn(""), Kind: run.KindUsage, OpenedAt: now.Add(time.Minute),
				Until: now.Add(tt.until), NextTry: now.Add(tt.until), How: tt.how, Attempt: 1,
			}
			breaker.Seen(st.Decision, v)
			if got := st.count("window_seen") == 1; got != tt.takes {
				t.Fatalf("taken over: %v", got)
			}
			if w.Permit == nil || !w.OpenedAt.Equal(now) {
				t.Fatalf("%+v", w)
			}
		})
	}
}

func TestAWindowSeenIsOfNoAttemptOfThisRun(t *testing.T) {
	st := set(t, 1, opus)
	breaker.Seen(st.Decision, run.Window{WindowKey: limitOn(""), Until: now.Add(time.Hour), NextTry: now.Add(time.Hour), How: run.HowStated, Attempt: 1})
	l, _ := st.lane(1)
	breaker.Refuse(st.Decision, l, opus, st.State.Program.Order)
	if st.count("spawn_refused") != 1 {
		t.Fatal("attempt 1 of another run is taken for the lane's own")
	}
}

func TestSeenClearedLeavesAWindowThatIsBeingProbed(t *testing.T) {
	st := set(t, 1, opus)
	st.open(limitOn(""), 0, run.HowStated)
	st.permit(limitOn(""), 1)
	breaker.SeenCleared(st.Decision, run.Window{WindowKey: limitOn("")})
	if st.State.Window(limitOn("")) == nil {
		t.Fatal("cleared under its probe")
	}
	_, a := st.lane(1)
	breaker.Released(st.Decision, a, "test")
	breaker.SeenCleared(st.Decision, run.Window{WindowKey: limitOn("")})
	breaker.SeenCleared(st.Decision, run.Window{WindowKey: limitOn("")})
	if st.State.Window(limitOn("")) != nil {
		t.Fatal("not cleared")
	}
}

func TestAPermitTakenElsewhereNeverMakesATrySooner(t *testing.T) {
	for name, tt := range map[string]struct{ next, want time.Duration }{
		"due":                {0, 90 * time.Second},
		"within the timeout": {time.Minute, 90 * time.Second},
		"stated far ahead":   {10 * time.Hour, 10 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(t, 1, opus)
			w := st.open(limitOn(""), tt.next, run.HowStated)
			breaker.Taken(st.Decision, w)
			if got := st.State.Window(limitOn("")).NextTry.Sub(now); got != tt.want {
				t.Fatalf("tried after %s, want %s", got, tt.want)
			}
		})
	}
	st := set(t, 1, opus)
	login := run.WindowKey{Family: "claude", Sort: run.SortLogin}
	st.Record(0, run.WindowOpened{Window: run.Window{WindowKey: login, How: run.HowStated}})
	breaker.Taken(st.Decision, st.State.Window(login))
	if at := st.State.Window(login).NextTry; !at.IsZero() {
		t.Fatalf("a login is tried by itself at %s", at)
	}
}

func TestASuspicionEndsByItselfAndWithItTheLanesPatience(t *testing.T) {
	st := set(t, 1, opus)
	l, a := st.lane(1)
	breaker.Suspect(st.Decision, l, a, "retry notice", 20*time.Minute)
	breaker.Suspect(st.Decision, l, a, "again", time.Minute)
	if st.count("family_suspected") != 1 || !a.Suspected || a.LookAt.IsZero() {
		t.Fatalf("%+v", a)
	}
	st.after(10*time.Minute - 1)
	breaker.Forget(st.Decision)
	if !st.State.Suspected(opus, st.Now) || !st.State.Suspected(sonnet, st.Now) || st.State.Suspected(codex, st.Now) {
		t.Fatal("the family is not suspected, or another is")
	}
	st.after(10 * time.Minute)
	breaker.Forget(st.Decision)
	if a.Suspected || !a.LookAt.IsZero() || len(st.State.Suspicions) != 0 {
		t.Fatalf("%+v", a)
	}
}

func TestLimitsAreNotSharedByARunWithoutTheBreaker(t *testing.T) {
	st := set(t, 1, opus)
	st.State.Program.Breaker.On = false
	breaker.Seen(st.Decision, run.Window{WindowKey: limitOn(""), Until: now.Add(time.Hour), How: run.HowStated})
	breaker.Seen(st.Decision, run.Window{WindowKey: run.WindowKey{Family: "claude", Sort: run.SortLogin}, How: run.HowStated})
	if n := len(st.State.Windows); n != 1 || st.State.Windows[0].Sort != run.SortLogin {
		t.Fatalf("%d windows", n)
	}
}

// A clear says nothing about a window that was opened after what it is good for.
func TestSeenClearedIsOfItsGeneration(t *testing.T) {
	for name, tt := range map[string]struct {
		after time.Duration
		open  bool
	}{"before": {-time.Second, true}, "at": {0, true}, "after": {time.Second, false}} {
		t.Run(name, func(t *testing.T) {
			st := set(t, 1, run.Target{Agent: "claude"})
			w := run.Window{WindowKey: limitOn(""), Kind: run.KindUsage, How: run.HowStated, OpenedAt: st.Now, Until: st.Now.Add(time.Hour), NextTry: st.Now.Add(time.Hour)}
			breaker.Seen(st.Decision, w)
			breaker.SeenCleared(st.Decision, run.Window{WindowKey: limitOn(""), OpenedAt: st.Now.Add(tt.after)})
			if open := st.State.Window(limitOn("")) != nil; open != tt.open {
				t.Errorf("open %t, want %t", open, tt.open)
			}
		})
	}
}

// What others know of families that this run does not use is left to them.
func TestSeenOfAFamilyThatIsNotUsed(t *testing.T) {
	st := set(t, 1, run.Target{Agent: "claude"})
	breaker.Seen(st.Decision, run.Window{WindowKey: run.WindowKey{Family: "gemini", Sort: run.SortLimit}, Kind: run.KindUsage, How: run.HowStated, OpenedAt: st.Now, Until: st.Now.Add(time.Hour)})
	if n := st.count("window_seen"); n != 0 {
		t.Errorf("recorded %d windows", n)
	}
}
