package foreign_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

const hostile = run.Untrusted("x\x1b]0;evil\x07\u202e")

func TestSession(t *testing.T) {
	base := stream.Account{
		Family: "claude", Session: "0a1b2c3d-0000-4000-8000-000000000001", Model: "claude-opus-4-8", Dir: "/home/dev/shop/",
		Began: dawn, At: dawn.Add(time.Minute), Activity: run.Activity{Doing: "Bash ls"},
	}
	reset := dawn.Add(3 * time.Hour)
	for name, tt := range map[string]struct {
		origin run.Origin
		change func(a *stream.Account)
		want   run.Standing
		why    string
		until  time.Time
		how    run.How
		later  run.Standing // four hours later
	}{
		"working": {run.OriginSession, func(a *stream.Account) { a.Turn = stream.TurnOpen }, run.StandingWorking, "", time.Time{}, 0, run.StandingSilent},
		"asking": {run.OriginSession, func(a *stream.Account) {
			a.Turn, a.Verdict = stream.TurnOver, run.Verdict{Class: run.ClassSuccess}
		}, run.StandingAsking, "", time.Time{}, 0, run.StandingDone},
		"no turn": {run.OriginSession, func(*stream.Account) {}, run.StandingAsking, "", time.Time{}, 0, run.StandingDone},
		"limited": {run.OriginSession, func(a *stream.Account) {
			a.Turn, a.Verdict = stream.TurnOver, run.Verdict{Class: run.ClassRateLimited, Reset: reset, How: run.HowStated, Message: hostile}
		}, run.StandingLimited, string(hostile), reset, run.HowStated, run.StandingFailed},
		"limited, nobody says until when": {run.OriginSession, func(a *stream.Account) {
			a.Turn, a.Verdict = stream.TurnOver, run.Verdict{Class: run.ClassOverloaded}
		}, run.StandingLimited, "overloaded", dawn.Add(11 * time.Minute), run.HowAssumed, run.StandingFailed},
		"limited for ever": {run.OriginSession, func(a *stream.Account) {
			a.Turn, a.Verdict = stream.TurnOver, run.Verdict{Class: run.ClassRateLimited, Reset: reset.AddDate(900, 0, 0), How: run.HowText}
		}, run.StandingLimited, "rate_limited", dawn.Add(time.Minute + 35*24*time.Hour), run.HowAssumed, run.StandingLimited},
		"refused, goes on": {run.OriginSession, func(a *stream.Account) {
			a.Turn, a.Suspect, a.SuspectedAt = stream.TurnOpen, "it retries after status 429", dawn.Add(time.Minute)
		}, run.StandingLimited, "it retries after status 429", dawn.Add(11 * time.Minute), run.HowAssumed, run.StandingFailed},
		"a gauge says until when": {run.OriginSession, func(a *stream.Account) {
			a.Turn, a.Suspect, a.SuspectedAt = stream.TurnOpen, "full", dawn
			a.Readings = []run.Reading{{Gauge: run.Gauge{Limit: "five_hour", Used: 1, Resets: reset}}, {Gauge: run.Gauge{Limit: "week", Used: .5, Resets: reset.Add(99 * time.Hour)}}}
		}, run.StandingLimited, "full", reset, run.HowAssumed, run.StandingFailed},
		"login": {run.OriginSession, func(a *stream.Account) {
			a.Turn, a.Verdict = stream.TurnOver, run.Verdict{Class: run.ClassAuth, Message: "log in"}
		}, run.StandingAsking, "log in", time.Time{}, 0, run.StandingDone},
		"stream done": {run.OriginStream, func(a *stream.Account) {
			a.Turn, a.Verdict = stream.TurnOver, run.Verdict{Class: run.ClassSuccess}
		}, run.StandingDone, "", time.Time{}, 0, run.StandingDone},
		"stream failed": {run.OriginStream, func(a *stream.Account) {
			a.Turn, a.Verdict = stream.TurnOver, run.Verdict{Class: run.ClassContextOverflow}
		}, run.StandingFailed, "context overflow", time.Time{}, 0, run.StandingFailed},
	} {
		t.Run(name, func(t *testing.T) {
			a := base
			tt.change(&a)
			w := foreign.Session("/s/0a1b2c3d.jsonl", tt.origin, a, dawn.Add(time.Minute))
			if w.State != tt.want || string(w.Why) != tt.why || !w.Until.Equal(tt.until) || w.How != tt.how {
				t.Errorf("%s because of %q until %s, %s", w.State, w.Why, w.Until, w.How)
			}
			if got := w.Standing(dawn.Add(4 * time.Hour)); got != tt.later {
				t.Errorf("later it is %s, want %s", got, tt.later)
			}
			if w.Name != "shop 0a1b2c3d" || w.ID != a.Session || w.Model != a.Model || w.Family != "claude" || w.Dir != a.Dir || w.Doing != "Bash ls" {
				t.Errorf("%+v", w)
			}
			k := foreign.Known{Key: w.Key, Origin: tt.origin, Account: a, Modified: dawn.Add(time.Minute)}
			var teller foreign.Teller
			s := &run.State{}
			replay(t, s, teller.Tell(k, dawn.Add(time.Minute)).Facts)
			replay(t, s, teller.Tell(k, dawn.Add(5*time.Hour)).Facts)
			if tt.later.Live() != (s.Phase != run.PhaseEnded) || len(s.Lanes) != 1 || s.Lanes[0].State.Final() == tt.later.Live() {
				t.Errorf("%s ends as %s, its lane as %s", tt.later, s.Phase, s.Lanes[0].State)
			}
			want := map[run.Standing]run.LaneState{run.StandingSilent: run.LaneStopped, run.StandingDone: run.LaneDone, run.StandingFailed: run.LaneFailed}[tt.later]
			if l := s.Lanes[0]; want != 0 && l.State != want || want == run.LaneFailed && (s.ExitWhy != tt.why || l.Why != "") {
				t.Errorf("it is %s, and open %s because of %q and %q", tt.later, l.State, s.ExitWhy, l.Why)
			}
			if len(s.Windows)+len(s.Trips) > 0 {
				t.Error("a window is open")
			}
		})
	}
}

func TestNamesOfSessions(t *testing.T) {
	for want, a := range map[string]stream.Account{
		"shop":       {Dir: `C:\src\shop`},
		"abcdefgh":   {Session: "abcdefghijk", Dir: "/"},
		"0a1b":       {},
		"shop a__b":  {Session: "a\x1b\nb", Dir: "shop"},
		"\x1b[31m x": {Session: "x", Dir: "/a/\x1b[31m"},
	} {
		if w := foreign.Session("/p/0a1b.jsonl", run.OriginSession, a, dawn); string(w.Name) != want {
			t.Errorf("%q, want %q", w.Name, want)
		}
	}
}

func TestUnheard(t *testing.T) {
	for want, w := range map[string]run.Watched{
		"a session of claude takes no orders from Layover":   foreign.Session("k", run.OriginSession, stream.Account{Family: "claude"}, dawn),
		"a session of an agent takes no orders from Layover": foreign.Session("k", run.OriginSession, stream.Account{}, dawn),
		"a stream of codex takes no orders from Layover":     foreign.Session("k", run.OriginStream, stream.Account{Family: "codex"}, dawn),
		"team-harness takes no orders from Layover":          foreign.Run("k", run.OriginHarness, file(t, `{}`), nil, foreign.Living),
		"loopy-loop takes no orders from Layover":            foreign.Run("k", run.OriginLoop, file(t, `{}`), nil, foreign.Living),
	} {
		if w.Unheard != want {
			t.Errorf("%q, want %q", w.Unheard, want)
		}
	}
}

func TestNamesAreCut(t *testing.T) {
	long := strings.Repeat("é", 500)
	a := stream.Account{Session: long, Model: long, Family: long, Dir: run.Untrusted(long), Activity: run.Activity{Message: run.Untrusted(long)}}
	w := foreign.Session("k", run.OriginSession, a, dawn)
	if len(w.ID) > 64 || len(w.Model) > 64 || len(w.Family) > 64 || len(w.Name) > 80 || len(w.Doing) > 500 || !utf8.ValidString(string(w.Doing+w.Name+w.Dir)) {
		t.Errorf("%+v", w)
	}
}

// A file that was copied is as old as its lines; a clock that is ahead makes nothing
// younger than its file.
func TestSignsOfLife(t *testing.T) {
	lines, copied := dawn, dawn.Add(99*time.Hour)
	for name, tt := range map[string]struct {
		origin             run.Origin
		at, modified, want time.Time
	}{
		"copied session": {run.OriginSession, lines, copied, lines},
		"ahead":          {run.OriginSession, copied, lines, lines},
		"no instants":    {run.OriginSession, time.Time{}, lines, lines},
		"copied stream":  {run.OriginStream, lines, copied, lines},
		"no file":        {run.OriginSession, lines, time.Time{}, lines},
	} {
		if w := foreign.Session("k", tt.origin, stream.Account{At: tt.at}, tt.modified); !w.At.Equal(tt.want) {
			t.Errorf("%s: %s, want %s", name, w.At, tt.want)
		}
	}
}

// A session is one lane however many turns it has: it works, waits for its operator, and
// waits while it is limited.
func TestTurnsOfASession(t *testing.T) {
	k := foreign.Known{Key: "/s/x.jsonl", Origin: run.OriginSession}
	k.Account = stream.Account{Family: "claude", Session: "s", Dir: "/d", Began: dawn, At: dawn, Turn: stream.TurnOpen, ServedAt: dawn}
	now := dawn
	f, s := &foreign.Teller{}, &run.State{}
	var states []string
	var seen run.Activity
	tell := func() {
		now = now.Add(time.Minute)
		told := f.Tell(k, now)
		if told.Restarted {
			t.Fatalf("told anew at %s", now)
		}
		replay(t, s, told.Facts)
		for _, o := range told.Seen {
			seen = o.Body.(run.Activity)
		}
		l := s.Lanes[0]
		said := l.State.String()
		if l.Wait != nil {
			said += " until " + l.Wait.WakeAt.Format("15:04")
		}
		states = append(states, said)
	}
	writes := func() {
		k.Account.At, k.Modified = now.Add(time.Minute), now.Add(time.Minute)
		k.Account.ServedAt = k.Account.At
	}
	tell()
	writes()
	k.Account.Turn, k.Account.Verdict, k.Account.Activity.Usage = stream.TurnOver, run.Verdict{Class: run.ClassSuccess}, run.Usage{Output: 5}
	tell()
	k.Account.Turn, k.Account.Verdict = stream.TurnOpen, run.Verdict{}
	k.Account.Activity.Usage.Output = 7
	writes()
	tell()
	if l := s.Lanes[0]; l.Usage.Output != 7 || seen.Usage.Output != 0 {
		t.Errorf("%d tokens are counted, and %d are not", l.Usage.Output, seen.Usage.Output)
	}
	writes()
	k.Account.Turn, k.Account.Verdict = stream.TurnOver, run.Verdict{Class: run.ClassRateLimited, Reset: dawn.Add(time.Hour)}
	k.Account.Activity.Usage.Output = 8
	tell()
	k.Account.Verdict.Reset = dawn.Add(30 * time.Minute)
	tell()
	now = dawn.Add(40 * time.Minute)
	tell()
	k.Account.Turn, k.Account.Verdict = stream.TurnOpen, run.Verdict{}
	writes()
	tell()
	want := []string{"working", "open", "working", "parked until 11:00", "parked until 10:30", "open", "working"}
	if d := cmp.Diff(want, states); d != "" {
		t.Error(d)
	}
	for _, a := range s.Lanes[0].Attempts {
		if a.ServedAt.IsZero() {
			t.Errorf("attempt %d has had no answer", a.ID)
		}
	}
	if l := s.Lanes[0]; len(s.Lanes) != 1 || len(l.Attempts) != 3 || l.Usage.Output != 8 {
		t.Errorf("%d lanes, %d attempts, used %+v", len(s.Lanes), len(l.Attempts), l.Usage)
	}
}

// What is written to a session that counted as ended is told anew.
func TestATurnAfterTheEnd(t *testing.T) {
	k := foreign.Known{Key: "/s/x.jsonl", Origin: run.OriginStream, Account: stream.Account{Family: "claude", At: dawn}, Modified: dawn}
	var teller foreign.Teller
	if told := teller.Tell(k, dawn.Add(2*time.Hour)); told.Restarted || told.Facts[len(told.Facts)-1].Body.Name() != "run_ended" {
		t.Fatalf("%+v", told)
	}
	k.Account.Turn, k.Account.Verdict = stream.TurnOver, run.Verdict{Class: run.ClassSuccess}
	told := teller.Tell(k, dawn.Add(2*time.Hour))
	s := &run.State{}
	replay(t, s, told.Facts)
	if !told.Restarted || len(s.Lanes[0].Attempts) != 1 {
		t.Errorf("%+v", s.Lanes[0])
	}
}

// Bit by bit is as at once for sessions, too.
func TestSessionsBitByBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := foreign.Known{Key: "/s/x.jsonl", Origin: rapid.SampledFrom([]run.Origin{run.OriginSession, run.OriginStream}).Draw(t, "origin")}
		f, now := &follower{}, dawn
		a := &k.Account
		steps := map[string]func(){
			"begins": func() { a.Family, a.Session, a.Dir, a.Began = "claude", "s", "/d", now },
			"works": func() {
				a.Turn, a.Verdict, a.Suspect, a.ServedAt, a.At = stream.TurnOpen, run.Verdict{}, "", now, now
				a.Activity.Retry = run.Retry{}
				a.Activity.Usage.Output++
			},
			"tries again": func() {
				a.Turn, a.Verdict, a.At = stream.TurnOpen, run.Verdict{}, now
				a.Activity.Retry = run.Retry{Attempt: rapid.IntRange(1, 9).Draw(t, "try"), Delay: 5 * time.Second}
			},
			"is refused": func() { a.Turn, a.Suspect, a.SuspectedAt, a.At = stream.TurnOpen, "429", now, now },
			"is over": func() {
				a.Activity.Retry = run.Retry{}
				a.Turn, a.At, a.Verdict = stream.TurnOver, now, run.Verdict{Class: rapid.SampledFrom(run.Classes()).Draw(t, "class")}
				if rapid.Bool().Draw(t, "says when") {
					a.Verdict.Reset, a.Verdict.How = now.Add(40*time.Minute), run.HowStated
				}
			},
			"time goes on": func() { now = now.Add(time.Duration(rapid.IntRange(1, 70).Draw(t, "minutes")) * time.Minute) },
			"starts anew":  func() { *a = stream.Account{} },
			"another":      func() { a.Session += "x" },
		}
		var names []string
		for name := range steps {
			names = append(names, name)
		}
		slices.Sort(names)
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			steps[rapid.SampledFrom(names).Draw(t, "step")]()
			k.Modified = later(a.At, dawn)
			f.see(t, k, now)
		}
		one := &follower{}
		one.see(t, k, now)
		bit, once := essenceOf(f.state), essenceOf(one.state)
		if a.Turn == stream.TurnOpen { // earlier turns are not known to one who comes late
			bit.Usage, once.Usage = run.Usage{}, run.Usage{}
			bit.Lanes, once.Lanes = []string{f.state.Lanes[0].State.String()}, []string{one.state.Lanes[0].State.String()}
		}
		if d := cmp.Diff(once, bit); d != "" {
			t.Fatalf("(-at once +bit by bit):\n%s", d)
		}
	})
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
