package breaker_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
)

func TestWindowsBlockByTheirScope(t *testing.T) {
	for name, tt := range map[string]struct {
		model string
		want  []run.Target
	}{
		"a family window blocks every model":          {"", []run.Target{codex}},
		"a model window blocks that model":            {"opus", []run.Target{sonnet, claude, codex}},
		"the default model is a model of its own":     {run.DefaultModel, []run.Target{opus, sonnet, codex}},
		"a model that nobody asked for blocks nobody": {"haiku", []run.Target{opus, sonnet, claude, codex}},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(t, 0, claude)
			st.open(limitOn(tt.model), time.Hour, run.HowStated)
			free := breaker.Free(st.State, st.State.Program.Order, now)
			if diff := cmp.Diff(tt.want, free); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

func TestKeyOfNamesTheWindowOfALimit(t *testing.T) {
	st := set(t, 0, claude)
	for name, tt := range map[string]struct {
		target run.Target
		scope  run.Scope
		want   run.WindowKey
	}{
		"family": {opus, run.ScopeFamily, limitOn("")}, "not known": {opus, 0, limitOn("")},
		"model": {opus, run.ScopeModel, limitOn("opus")}, "default model": {claude, run.ScopeModel, limitOn(run.DefaultModel)},
	} {
		if got := breaker.KeyOf(st.State, tt.target, tt.scope); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestAWindowBlocksUntilItIsDueAndItsPermitCanBeHad(t *testing.T) {
	const m = time.Minute
	for name, tt := range map[string]struct {
		window  run.Window
		permit  bool
		after   time.Duration
		blocked bool
		usable  bool
	}{
		"stated, before its end":                 {run.Window{Until: now.Add(m), NextTry: now.Add(m), How: run.HowStated}, false, m - 1, true, false},
		"stated, at its end":                     {run.Window{Until: now.Add(m), NextTry: now.Add(m), How: run.HowStated}, false, m, false, true},
		"due, but its permit is out":             {run.Window{Until: now.Add(m), NextTry: now.Add(m), How: run.HowStated}, true, m, true, false},
		"due, but to be tried later":             {run.Window{Until: now.Add(m), NextTry: now.Add(3 * m), How: run.HowStated}, false, 2 * m, true, false},
		"assumed may be probed before its bound": {run.Window{Until: now.Add(15 * m), NextTry: now.Add(m), How: run.HowAssumed}, false, m, true, true},
		"a far text is tried by whoever comes":   {run.Window{Until: now.Add(99 * time.Hour), NextTry: now.Add(2 * time.Hour), How: run.HowText}, false, 2 * time.Hour, false, true},
		"a login is never due by itself":         {run.Window{How: run.HowStated}, false, 99 * time.Hour, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(t, 1, claude)
			tt.window.WindowKey = limitOn("")
			st.Record(0, run.WindowOpened{Window: tt.window})
			if tt.permit {
				st.permit(limitOn(""), 1)
			}
			at := now.Add(tt.after)
			if got := breaker.Blocked(st.State, opus, at); got != tt.blocked {
				t.Errorf("blocked: %v", got)
			}
			if got := breaker.Usable(st.State, opus, at); got != tt.usable {
				t.Errorf("usable: %v", got)
			}
		})
	}
}

func TestRoutePrefersTheFirstThatIsNeitherBlockedNorSuspected(t *testing.T) {
	for name, tt := range map[string]struct {
		suspect []string
		blocked []run.WindowKey
		missing []string
		out     []run.Target
		want    run.Target
	}{
		"nothing is wrong":                         {want: opus},
		"suspected is routed around":               {suspect: []string{"claude"}, want: codex},
		"suspected is used if nobody else is free": {suspect: []string{"claude"}, missing: []string{"codex"}, want: opus},
		"all suspected keeps the order":            {suspect: []string{"claude", "codex"}, want: opus},
		"blocked is never used":                    {blocked: []run.WindowKey{limitOn("")}, missing: []string{"codex"}},
		"suspected comes before blocked":           {blocked: []run.WindowKey{limitOn("opus")}, suspect: []string{"claude"}, missing: []string{"codex"}, want: sonnet},
		"unhealthy is not used":                    {blocked: []run.WindowKey{health}, want: codex},
		"left out is not used":                     {out: []run.Target{opus, sonnet}, want: claude},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(t, 0, claude)
			for _, f := range tt.suspect {
				st.Record(0, run.FamilySuspected{Suspicion: run.Suspicion{Family: f, Until: now.Add(time.Minute)}})
			}
			for _, k := range tt.blocked {
				st.open(k, time.Hour, run.HowStated)
			}
			st.State.Missing = tt.missing
			got, ok := breaker.Route(st.State, st.State.Program.Order, func(t run.Target) bool {
				for _, o := range tt.out {
					if o == t {
						return true
					}
				}
				return false
			}, now)
			if got != tt.want || ok == tt.want.IsZero() {
				t.Fatalf("%s %v, want %s", got, ok, tt.want)
			}
		})
	}
}

func TestGateIsTheWindowThatHoldsBackLongest(t *testing.T) {
	st := set(t, 1, opus)
	if gate, _ := breaker.Gate(st.State, opus); gate != nil {
		t.Fatalf("%s without a window", gate)
	}
	st.open(limitOn("opus"), time.Hour, run.HowStated)
	st.open(limitOn(""), 2*time.Hour, run.HowStated)
	gate, at := breaker.Gate(st.State, opus)
	if gate.WindowKey != limitOn("") || at.Sub(now) != 2*time.Hour {
		t.Fatalf("%s at %s", gate, at)
	}
	if gate, _ := breaker.Gate(st.State, codex); gate != nil {
		t.Fatalf("%s on another family", gate)
	}
	login := run.WindowKey{Family: "claude", Sort: run.SortLogin}
	st.Record(0, run.WindowOpened{Window: run.Window{WindowKey: login, Kind: run.KindAuth, How: run.HowStated}})
	if gate, at := breaker.Gate(st.State, opus); gate.WindowKey != login || !at.IsZero() {
		t.Fatalf("%s at %s, want the login, which is never tried by itself", gate, at)
	}
}

func TestFreeAtIsWhenNoWindowBlocksAnyLonger(t *testing.T) {
	st := set(t, 1, opus)
	if at, never := breaker.FreeAt(st.State, opus); !at.IsZero() || never {
		t.Fatalf("%s %v without a window", at, never)
	}
	w := st.open(limitOn("opus"), 15*time.Minute, run.HowAssumed)
	w.NextTry = now.Add(time.Minute)
	st.open(limitOn(""), 5*time.Minute, run.HowStated)
	if at, never := breaker.FreeAt(st.State, opus); at.Sub(now) != 5*time.Minute || never {
		t.Fatalf("after %s %v: nobody else tries the window whose end is assumed", at.Sub(now), never)
	}
	w.Waiters = []run.LaneID{1}
	if at, never := breaker.FreeAt(st.State, opus); at.Sub(now) != 15*time.Minute || never {
		t.Fatalf("after %s %v: a lane waits for it", at.Sub(now), never)
	}
	st.after(20 * time.Minute)
	st.permit(limitOn(""), 1)
	if at, _ := breaker.FreeAt(st.State, opus); at.Sub(st.Now) != 90*time.Second {
		t.Fatalf("with a permit out after %s, when that lapses is in 90 s", at.Sub(st.Now))
	}
	st.Record(0, run.WindowOpened{Window: run.Window{WindowKey: run.WindowKey{Family: "claude", Sort: run.SortLogin}, How: run.HowStated}})
	if _, never := breaker.FreeAt(st.State, opus); !never {
		t.Fatal("a login mends itself")
	}
}

func TestRefuseOncePerLaneAndWindow(t *testing.T) {
	st := set(t, 2, codex)
	order := st.State.Program.Order
	w := st.open(limitOn(""), time.Hour, run.HowStated)
	one, _ := st.lane(1)
	two, _ := st.lane(2)
	for _, l := range []*run.Lane{one, one, two, one} {
		breaker.Refuse(st.Decision, l, opus, order)
	}
	if n := st.count("spawn_refused"); n != 2 {
		t.Fatalf("%d refusals, want one for each lane", n)
	}
	w.OpenedAt = now.Add(time.Minute) // another window of the same key
	breaker.Refuse(st.Decision, one, opus, order)
	w.NextTry, w.Until = now, now // due: the lane may be its probe
	breaker.Refuse(st.Decision, two, sonnet, order)
	if n := st.count("spawn_refused"); n != 3 {
		t.Fatalf("%d refusals, want one more for the new window", n)
	}
	b := st.Facts[len(st.Facts)-1].Body.(run.SpawnRefused)
	if diff := cmp.Diff([]run.Target{codex}, b.Free); diff != "" {
		t.Fatal(diff)
	}
}

func TestALaneIsNotRefusedByTheWindowItOpenedItself(t *testing.T) {
	st := set(t, 1, opus)
	l, a := st.lane(1)
	w := st.open(limitOn(""), time.Hour, run.HowStated)
	w.Attempt = a.ID
	breaker.Refuse(st.Decision, l, opus, st.State.Program.Order)
	if n := st.count("spawn_refused"); n != 0 {
		t.Fatalf("%d refusals", n)
	}
}
