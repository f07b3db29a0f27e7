package breaker_test

import (
	"testing"
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
)

func limit(kind run.Kind, reset time.Time) run.Verdict {
	v := run.Verdict{Class: run.ClassRateLimited, Kind: kind, Scope: run.ScopeFamily, Reset: reset}
	if !reset.IsZero() {
		v.How = run.HowStated
	}
	return v
}

func TestALateSuccessClearsOnlyWhatItMay(t *testing.T) {
	const m = time.Minute
	for name, tt := range map[string]struct {
		key    run.WindowKey
		kind   run.Kind
		how    run.How
		opened time.Duration // the attempt starts at zero
		served time.Duration
		target run.Target
		clears bool
	}{
		"a throttle opened before the sign":                  {limitOn(""), run.KindThrottle, run.HowStated, m, 2 * m, opus, true},
		"an assumed allowance opened before the sign":        {limitOn(""), run.KindUsage, run.HowAssumed, m, 2 * m, opus, true},
		"a stated allowance that opened after it was let in": {limitOn(""), run.KindUsage, run.HowStated, m, 2 * m, opus, false},
		"nothing that opened at its sign":                    {limitOn(""), run.KindThrottle, run.HowStated, 2 * m, 2 * m, opus, false},
		"nothing that opened after its sign":                 {limitOn(""), run.KindThrottle, run.HowStated, 3 * m, 2 * m, opus, false},
		"not the window of another model":                    {limitOn("sonnet"), run.KindThrottle, run.HowStated, m, 2 * m, opus, false},
		"the window of its own model":                        {limitOn("opus"), run.KindThrottle, run.HowStated, m, 2 * m, opus, true},
		"the default model is not another":                   {limitOn("opus"), run.KindThrottle, run.HowStated, m, 2 * m, claude, false},
		"not the health that opened after it was let in":     {health, run.KindHealth, run.HowAssumed, m, 2 * m, opus, false},
		"a stated allowance it was let into":                 {limitOn(""), run.KindUsage, run.HowStated, -m, 2 * m, opus, true},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(t, 1, tt.target)
			st.after(tt.opened)
			w := st.open(tt.key, time.Hour, tt.how)
			w.Kind = tt.kind
			st.after(tt.served)
			l, a := st.served(1)
			st.after(max(tt.opened, tt.served))
			breaker.Served(st.Decision, l, a)
			if got := st.State.Window(tt.key) == nil; got != tt.clears {
				t.Fatalf("cleared: %v", got)
			}
		})
	}
}

func TestAGoodProbeClosesItsWindowAndLetsTheWaitersGoInSteps(t *testing.T) {
	st := set(t, 3, opus)
	st.open(limitOn(""), time.Hour, run.HowStated)
	st.permit(limitOn(""), 1)
	for _, id := range []run.LaneID{2, 3} {
		_, a := st.lane(id)
		st.Record(id, run.AttemptEnded{Attempt: a.ID, Verdict: limit(run.KindUsage, now.Add(time.Hour))})
		st.Record(id, run.TurnParked{Window: limitOn(""), WakeAt: now.Add(time.Hour), Ceiling: now.Add(9 * time.Hour)})
	}
	st.after(time.Second)
	l, a := st.served(1)
	breaker.Served(st.Decision, l, a)
	if st.State.Window(limitOn("")) != nil || st.count("probe_settled") != 1 {
		t.Fatalf("%d settled", st.count("probe_settled"))
	}
	for i, id := range []run.LaneID{2, 3} {
		w := st.State.Lane(id).Wait
		if want := time.Second + time.Duration(i+1)*250*time.Millisecond; w.WakeAt.Sub(now) != want || !w.Released {
			t.Errorf("lane %d goes on after %s, want %s", id, w.WakeAt.Sub(now), want)
		}
		if w.Ceiling.Sub(now) != 9*time.Hour {
			t.Errorf("lane %d loses its ceiling", id)
		}
	}
}

func TestAProbeWithoutASignLosesItsPermitAndIsTriedByTheSchedule(t *testing.T) {
	const m, s, h = time.Minute, time.Second, time.Hour
	for name, tt := range map[string]struct {
		window run.Window
		next   time.Duration // from the lapse
	}{
		"assumed usage":                     {run.Window{Kind: run.KindUsage, Until: now.Add(15 * m), How: run.HowAssumed}, 2 * m},
		"assumed throttle":                  {run.Window{Kind: run.KindThrottle, Until: now.Add(15 * m), How: run.HowAssumed}, 13500 * time.Millisecond},
		"stated is tried when it ends":      {run.Window{Kind: run.KindUsage, Until: now.Add(10 * h), How: run.HowStated}, 10*h - 90*s},
		"stated and over goes by the clock": {run.Window{Kind: run.KindUsage, Until: now, How: run.HowStated}, 2 * m},
		"a far text is tried in two hours":  {run.Window{Kind: run.KindUsage, Until: now.Add(50 * h), How: run.HowText}, 2 * h},
		"a login is not tried by itself":    {run.Window{WindowKey: run.WindowKey{Family: "claude", Sort: run.SortLogin}, Kind: run.KindAuth, How: run.HowStated}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(t, 1, opus)
			w := tt.window
			w.OpenedAt = now
			if w.Sort == 0 {
				w.WindowKey, w.NextTry = limitOn(""), now
			}
			st.Record(0, run.WindowOpened{Window: w})
			st.permit(w.WindowKey, 1)
			st.after(90*s - 1)
			breaker.Lapse(st.Decision)
			if st.count("probe_settled") != 0 {
				t.Fatal("lapsed too early")
			}
			st.after(90 * s)
			breaker.Lapse(st.Decision)
			got := st.State.Window(w.WindowKey)
			if got.Permit != nil || st.count("probe_settled") != 1 || st.count("attempt_ended") != 0 {
				t.Fatalf("permit %v", got.Permit)
			}
			want := st.Now.Add(tt.next)
			if tt.next < 0 {
				want = time.Time{}
			}
			if !got.NextTry.Equal(want) {
				t.Fatalf("tried at %s, want %s", got.NextTry, want)
			}
		})
	}
}

func TestReleasedGivesBackThePermitAndTheNextMayTryAtOnce(t *testing.T) {
	st := set(t, 2, opus)
	st.open(limitOn(""), 0, run.HowStated)
	st.permit(limitOn(""), 1)
	_, other := st.lane(2)
	breaker.Released(st.Decision, other, "not its own")
	if st.State.Window(limitOn("")).Permit == nil {
		t.Fatal("another attempt gave it back")
	}
	_, a := st.lane(1)
	breaker.Released(st.Decision, a, "found out nothing")
	if w := st.State.Window(limitOn("")); w.Permit != nil || !w.Usable(now) {
		t.Fatalf("%+v", w)
	}
}

func TestRefusedTripsTheFamilyForItsLimitsOnly(t *testing.T) {
	overload := run.Verdict{Class: run.ClassOverloaded}
	model := limit(run.KindUsage, now.Add(time.Hour))
	model.Scope = run.ScopeModel
	for name, tt := range map[string]struct {
		verdict run.Verdict
		key     run.WindowKey
		trips   int
		kind    run.Kind
	}{
		"a family's allowance":           {limit(run.KindUsage, now.Add(time.Hour)), limitOn(""), 1, run.KindUsage},
		"a bare 429":                     {limit(0, time.Time{}), limitOn(""), 1, run.KindThrottle},
		"a model's allowance is no trip": {model, limitOn("opus"), 0, run.KindUsage},
		"an overload is no trip":         {overload, limitOn(""), 0, run.KindThrottle},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(t, 1, opus)
			l, a := st.lane(1)
			breaker.Refused(st.Decision, l, a, tt.verdict)
			w := st.State.Window(tt.key)
			if w == nil || w.Kind != tt.kind || st.count("family_tripped") != tt.trips || st.count("window_opened") != 1 {
				t.Fatalf("%v, %d trips", w, st.count("family_tripped"))
			}
			breaker.Refused(st.Decision, l, a, tt.verdict)
			if st.count("family_tripped") != tt.trips || st.count("window_opened") != 1 {
				t.Fatal("a window opens twice")
			}
		})
	}
}

func TestAnOverloadThatTurnsOutALimitTripsThen(t *testing.T) {
	st := set(t, 1, opus)
	l, a := st.lane(1)
	breaker.Refused(st.Decision, l, a, run.Verdict{Class: run.ClassOverloaded})
	breaker.Refused(st.Decision, l, a, limit(run.KindUsage, now.Add(time.Hour)))
	if st.count("family_tripped") != 1 {
		t.Fatalf("%d trips", st.count("family_tripped"))
	}
}

func TestClear(t *testing.T) {
	login := run.WindowKey{Family: "claude", Sort: run.SortLogin}
	for name, tt := range map[string]struct {
		family, why string
		left        int
		any         bool
	}{
		"the operator clears every window of a family": {"claude", "operator", 0, true},
		"credentials clear the login alone":            {"claude", "credentials", 2, true},
		"another family is left alone":                 {"codex", "operator", 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			st := set(t, 1, opus)
			st.open(limitOn(""), time.Hour, run.HowStated)
			st.open(health, time.Hour, run.HowAssumed)
			st.Record(0, run.WindowOpened{Window: run.Window{WindowKey: login, Kind: run.KindAuth, How: run.HowStated}})
			st.permit(limitOn(""), 1)
			any := breaker.Clear(st.Decision, tt.family, tt.why)
			if len(st.State.Windows) != tt.left || any != tt.any {
				t.Fatalf("%d windows are left, %v", len(st.State.Windows), any)
			}
		})
	}
}

func TestLoginFailedOpensAWindowThatNothingEndsByItself(t *testing.T) {
	for class, kind := range map[run.Class]run.Kind{run.ClassAuth: run.KindAuth, run.ClassBilling: run.KindBilling} {
		st := set(t, 1, opus)
		l, a := st.lane(1)
		breaker.LoginFailed(st.Decision, l, a, run.Verdict{Class: class})
		breaker.LoginFailed(st.Decision, l, a, run.Verdict{Class: class})
		w := st.State.Window(run.WindowKey{Family: "claude", Sort: run.SortLogin})
		if w == nil || w.Kind != kind || !w.Until.IsZero() || !w.PermitAt().IsZero() || st.count("family_tripped") != 0 {
			t.Errorf("%s: %+v", class, w)
		}
	}
}
