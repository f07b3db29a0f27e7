package foreign_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

// told is the state that all facts of what is known make.
func told(t *testing.T, teller *foreign.Teller, s *run.State, k foreign.Known, now time.Time) *run.State {
	t.Helper()
	said := teller.Tell(k, now)
	if said.Restarted || s == nil {
		s = &run.State{}
	}
	replay(t, s, said.Facts)
	return s
}

// An agent that tries a call again by itself does not work meanwhile: both the list and the
// open session say that it waits, and why, until something else is told.
func TestAnAgentThatTriesAgainWaits(t *testing.T) {
	a := stream.Account{Family: "claude", Session: "s", Dir: "/d", Began: dawn, At: dawn, Turn: stream.TurnOpen}
	a.Activity.Retry = run.Retry{Attempt: 3, Max: 10, Delay: 40 * time.Second, Status: 529}
	k := foreign.Known{Key: "/s/x.jsonl", Origin: run.OriginSession, Account: a, Modified: dawn}
	var teller foreign.Teller
	now := dawn.Add(time.Second)
	if w := k.Watched(now); w.Standing(now) != run.StandingIdle || w.Why != "it tries again, 3 of 10, after status 529" || w.Lanes != (run.LaneCounts{Waiting: 1}) {
		t.Errorf("listed as %+v", w)
	}
	s := told(t, &teller, nil, k, now)
	l := s.Lanes[0]
	want := &run.Wait{Inline: true, Since: dawn, WakeAt: dawn.Add(40 * time.Second), How: run.HowStated, Reason: run.ClassOverloaded}
	if d := cmp.Diff(want, l.Wait); d != "" || l.State != run.LaneWaiting || l.Retries != 3 {
		t.Errorf("%s after %d tries: %s", l.State, l.Retries, d)
	}
	k.Account.Activity.Retry, k.Account.At = run.Retry{Attempt: 4, Max: 10, Status: 500}, dawn.Add(time.Minute)
	if s = told(t, &teller, s, k, dawn.Add(time.Minute)); l.Wait == nil || l.Wait.Reason != run.ClassTransport || l.Retries != 4 {
		t.Errorf("the next try: %+v", l)
	}
	if w := k.Watched(dawn.Add(time.Hour)); w.Standing(dawn.Add(time.Hour)) != run.StandingSilent {
		t.Errorf("silent since it is %s", w.Standing(dawn.Add(time.Hour)))
	}
	k.Account.Activity.Retry, k.Account.ServedAt = run.Retry{}, dawn.Add(2*time.Minute)
	if told(t, &teller, s, k, dawn.Add(2*time.Minute)); l.State != run.LaneWorking || l.Wait != nil {
		t.Errorf("it goes on: %s", l.State)
	}
}

// A run is as limited or retrying as the agents that have not ended.
func TestARunWhoseAgentsWait(t *testing.T) {
	k := foreign.Known{
		Key: "/r/run.json", Origin: run.OriginHarness, Alive: foreign.Living, Modified: dawn,
		File: file(t, `{"run_id":"r","start":"2026-12-01T10:00:00Z","agents":[{"id":"a","agent_type":"codex","spawned_at":"2026-12-01T10:00:00Z"}]}`),
		Logs: map[string]stream.Account{"a": {Family: "codex", Turn: stream.TurnOpen, Activity: run.Activity{Retry: run.Retry{Attempt: 2, Max: 5}}}},
	}
	w := k.Watched(dawn)
	if w.State != run.StandingIdle || w.Why != "it tries again, 2 of 5" || w.Lanes != (run.LaneCounts{Waiting: 1}) {
		t.Errorf("listed as %+v", w)
	}
	var teller foreign.Teller
	if l := told(t, &teller, nil, k, dawn).Lanes[0]; l.State != run.LaneWaiting || !l.Wait.WakeAt.Equal(dawn) {
		t.Errorf("open it is %s, %+v", l.State, l.Wait)
	}
}

// A session that waits for its user tells what was said last, however its turn has ended.
func TestASessionThatWaitsForItsUser(t *testing.T) {
	for name, v := range map[string]run.Verdict{"asks": {Class: run.ClassSuccess}, "logged out": {Class: run.ClassAuth}, "nothing asked": {}} {
		k := foreign.Known{Key: "/s/x.jsonl", Origin: run.OriginSession, Modified: dawn, Account: stream.Account{
			Family: "claude", At: dawn, Turn: stream.TurnOver, Verdict: v, Activity: run.Activity{Message: "Shall I?", Lines: 3},
		}}
		if v.Class == 0 {
			k.Account.Turn = 0
		}
		var teller foreign.Teller
		said := teller.Tell(k, dawn)
		s := &run.State{}
		replay(t, s, said.Facts)
		if l := s.Lanes[0]; l.State != run.LaneOpen || l.Last.Class == 0 {
			t.Errorf("%s: it is %s after %s", name, l.State, l.Last.Class)
		}
		if len(said.Seen) != 1 || said.Seen[0].Body.(run.Activity).Message != "Shall I?" {
			t.Errorf("%s: %+v", name, said.Seen)
		}
	}
}

// What a run has used is what its coordinator and all its agents have, shown or not.
func TestAllThatARunHasUsed(t *testing.T) {
	f := &runfile.File{RunID: "r", Start: dawn, Turns: []runfile.Turn{{PromptTokens: 70, CompletionTokens: 3}}}
	logs := map[string]stream.Account{}
	for i := range foreign.Most + 2 {
		id := fmt.Sprint("a", i)
		f.Agents = append(f.Agents, runfile.Agent{ID: id, Type: "claude", Status: "done", SpawnedAt: dawn, FinishedAt: dawn})
		logs[id] = stream.Account{Activity: run.Activity{Usage: run.Usage{Output: 2}}}
	}
	k := foreign.Known{Key: "/r/run.json", Origin: run.OriginHarness, File: f, Logs: logs, Alive: foreign.Living}
	want := run.Usage{Input: 70, Output: 3 + 2*(foreign.Most+2)}
	var teller foreign.Teller
	s := told(t, &teller, nil, k, dawn)
	w := k.Watched(dawn)
	if s.Usage != want || w.Usage != want {
		t.Errorf("open %+v, listed %+v, want %+v", s.Usage, w.Usage, want)
	}
	const not = "2 of its 1002 agents are not shown"
	if string(w.Why) != not || s.Notice != not || w.Lanes.Done != foreign.Most+2 {
		t.Errorf("listed as %+v, notice %q", w, s.Notice)
	}
	f.Agents = append(f.Agents, runfile.Agent{ID: "new", Type: "claude", Status: "running", SpawnedAt: dawn})
	again := teller.Tell(k, dawn)
	replay(t, s, again.Facts)
	if again.Restarted || s.Usage != want || !strings.HasPrefix(s.Notice, "3 of its 1003") {
		t.Errorf("told anew %t, used %+v, notice %q", again.Restarted, s.Usage, s.Notice)
	}
}

// A family that is limited for the runs of Layover is no free one.
func TestAWindowOfLayoverIsSuspected(t *testing.T) {
	k := foreign.Known{Key: "/s/x.jsonl", Origin: run.OriginSession, Modified: dawn, Account: stream.Account{Family: "claude", At: dawn, ServedAt: dawn, Turn: stream.TurnOpen}}
	for _, family := range []string{"claude", "codex"} {
		k.Bound = append(k.Bound, run.Window{WindowKey: run.WindowKey{Family: family, Sort: run.SortLimit}, OpenedAt: dawn.Add(-time.Hour), Until: dawn.Add(time.Hour)})
	}
	var teller foreign.Teller
	s := told(t, &teller, nil, k, dawn)
	if len(s.Suspicions) != 1 || s.Suspicions[0].Family != "claude" || len(s.Windows) > 0 {
		t.Errorf("suspected: %+v", s.Suspicions)
	}
	k.Bound = nil
	if told(t, &teller, s, k, dawn); len(s.Suspicions) != 0 {
		t.Errorf("still suspected: %+v", s.Suspicions)
	}
}
