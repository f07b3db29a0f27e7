package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// noticed is a board whose clock is set by hand, and what it prints.
type noticed struct {
	*Board
	out bytes.Buffer
	now time.Time
}

func notice(asJSON bool) *noticed {
	n := &noticed{now: now()}
	n.Board = NewBoard(&n.out, asJSON, nil, func() time.Time { return n.now })
	return n
}

// lines are those that were printed since the last time.
func (n *noticed) lines() []string {
	defer n.out.Reset()
	return strings.Split(strings.TrimSuffix(n.out.String(), "\n"), "\n")
}

const ownID = "20261001_110000_7f44a784"

func ownRun(s run.Standing) run.Watched {
	return run.Watched{Key: "/s/runs/" + ownID, Origin: run.OriginLayover, ID: ownID, Name: "night", Family: "claude", State: s}
}

func session(s run.Standing) run.Watched {
	return run.Watched{Key: "/c/p/1.jsonl", Origin: run.OriginSession, ID: "1f", Name: "web", Family: "claude", State: s, At: now().Add(-time.Minute)}
}

// The runs of Layover's are told with the id that other commands ask for, once.
func TestOwnRunsAreToldWithTheirIDs(t *testing.T) {
	n := notice(false)
	orphan := ownRun(run.StandingOrphaned)
	orphan.Key, orphan.Why = "/s/runs/o", run.Untrusted("layover resume "+ownID+" takes it up again")
	n.Take(run.Changes{Complete: true, Runs: []run.Watched{ownRun(run.StandingWorking), session(run.StandingAsking), orphan}})
	if err := n.Picture(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"working     claude      layover  night (" + ownID + ")",
		"your turn   claude      session  web  1m ago",
		"orphaned    claude      layover  night: layover resume " + ownID + " takes it up again",
	}
	if diff := cmp.Diff(want, n.lines()); diff != "" {
		t.Error(diff)
	}
	for _, asJSON := range []string{`"path":"/s/runs/` + ownID + `"`, `"id":"` + ownID + `"`, `"path":"/c/p/1.jsonl"`} {
		j := notice(true)
		j.Take(run.Changes{Complete: true, Runs: []run.Watched{ownRun(run.StandingWorking), session(run.StandingAsking)}})
		if err := j.Picture(); err != nil || !strings.Contains(j.out.String(), asJSON) {
			t.Errorf("%v: %s is not in %s", err, asJSON, j.out.String())
		}
	}
}

// The picture has the order of the screen, and what the screen tells of each run.
func TestThePictureTellsWhatTheScreenDoes(t *testing.T) {
	ago := func(d time.Duration) time.Time { return now().Add(-d) }
	said := func(key string, s run.Standing, at time.Duration, doing run.Untrusted) run.Watched {
		w := session(s)
		w.Key, w.Name, w.At, w.Doing = key, run.Untrusted(key), ago(at), doing
		return w
	}
	own, limited := ownRun(run.StandingWorking), ownRun(run.StandingLimited)
	own.Stop, own.Began, own.Usage = run.StopSoft, ago(time.Hour), run.Usage{Input: 1_200_000, CostUSD: 3.2, Unpriced: 1}
	limited.Key, limited.ID, limited.Why, limited.Stop = "/s/runs/l", "l", "spent", run.StopHard
	n := notice(false)
	n.Take(run.Changes{Complete: true, Runs: []run.Watched{
		said("done", run.StandingDone, 3*time.Hour, "All green."), said("silent", run.StandingWorking, 40*time.Minute, "reads main.go"),
		{Key: "/out", Origin: run.OriginStream, State: run.StandingUnreadable, Why: "permission denied"},
		{Key: "/h", Origin: run.OriginHarness, Name: "import", Family: "gemini", State: run.StandingOrphaned, Why: "its process is gone", At: ago(48 * time.Hour)},
		limited, said("later", run.StandingWorking, time.Minute, "edits x"), own,
	}, Families: []run.FamilySeen{{Name: "codex", Readings: []run.Reading{
		{Gauge: run.Gauge{Limit: "codex", Used: 0.48, Window: 5 * time.Hour, Resets: now().Add(time.Hour)}, At: now()},
		{Gauge: run.Gauge{Limit: "codex", Used: 0.58, Window: 168 * time.Hour}, At: now()},
		{Gauge: run.Gauge{Limit: "over", Used: 1, Window: time.Hour, Resets: now()}, At: ago(time.Hour)},
	}}}})
	if err := n.Picture(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"working     claude      layover  night (" + ownID + ")  stopping softly  1.2M tokens  $3.20+",
		"working     claude      session  later  1m ago  edits x",
		"limited     claude      layover  night (l)  until when is not known: spent  stopping now",
		"orphaned    gemini      harness  import: its process is gone  2d 00h ago",
		"unreadable  -           stream   /out: permission denied",
		"silent      claude      session  silent  40m ago  reads main.go",
		"done        claude      session  done  3h 00m ago  All green.",
		"codex: 5h 48% (resets 13:00:00) · week 58%",
	}
	if diff := cmp.Diff(want, n.lines()); diff != "" {
		t.Error(diff)
	}
}

func tripped(until time.Duration) run.Window {
	w := limitOf("claude", "", run.KindUsage, until)
	w.Trip, w.Reason = true, "usage limit reached"
	return w
}

// Each change is a line, and what has not changed is none.
func TestFollow(t *testing.T) {
	n := notice(false)
	suspect := func(until time.Duration) run.FamilySeen {
		return run.FamilySeen{Name: "codex", Suspicions: []run.Suspicion{
			{Family: "codex", Why: "a session was refused", Until: now().Add(until)},
			{Family: "codex", Model: "gpt-5-codex-max", Why: "busy", Until: now().Add(until)},
		}}
	}
	claude := func(ws ...run.Window) run.FamilySeen {
		return run.FamilySeen{Name: "claude", Working: len(ws), Windows: ws}
	}
	login := limitOf("claude", "", run.KindAuth, 0)
	login.Sort, login.Until, login.How = run.SortLogin, time.Time{}, 0
	for _, step := range []struct {
		name  string
		later time.Duration
		c     run.Changes
		want  string
	}{
		{"while it reads", 0, run.Changes{Runs: []run.Watched{session(run.StandingAsking), ownRun(run.StandingWorking)}, Families: []run.FamilySeen{suspect(time.Hour)}}, `
12:00:00  your turn   claude      session  web
12:00:00  working     claude      layover  night (` + ownID + `)`},
		{"all was read", 0, run.Changes{Families: []run.FamilySeen{claude(tripped(time.Hour)), suspect(10 * time.Minute)}, Complete: true, Notes: []string{"/x is not there yet"}}, `
12:00:00  tripped     claude      until 13:00:00 (stated): usage limit reached
12:00:00  suspected   codex       until 12:10:00: a session was refused
12:00:00  suspected   codex:gpt-5-codex-max  until 12:10:00: busy
12:00:00  note        /x is not there yet`},
		{"the same", time.Minute, run.Changes{Runs: []run.Watched{ownRun(run.StandingWorking)}, Families: []run.FamilySeen{claude(tripped(time.Hour), limitOf("claude", "", run.KindHealth, time.Hour)), suspect(10 * time.Minute)}, Notes: []string{"/x is not there yet"}}, ""},
		{"a suspicion is over", 10 * time.Minute, run.Changes{Families: []run.FamilySeen{claude(tripped(time.Hour)), suspect(10 * time.Minute)}}, `
12:10:00  free        codex
12:10:00  free        codex:gpt-5-codex-max`},
		{"a window lasts longer", 20 * time.Minute, run.Changes{Families: []run.FamilySeen{claude(tripped(2 * time.Hour))}}, `
12:20:00  tripped     claude      until 14:00:00 (stated): usage limit reached`},
		{"it is due", 2 * time.Hour, run.Changes{Families: []run.FamilySeen{claude(tripped(2 * time.Hour))}}, `
14:00:00  due         claude      since 14:00:00: usage limit reached`},
		{"a login", 3 * time.Hour, run.Changes{Families: []run.FamilySeen{claude(tripped(2*time.Hour), login)}}, `
15:00:00  login       claude      until mended`},
		{"nothing of families", 3 * time.Hour, run.Changes{}, ""},
		{"all is well", 3 * time.Hour, run.Changes{Families: []run.FamilySeen{}}, `
15:00:00  free        claude`},
		{"a file is gone", 3 * time.Hour, run.Changes{Gone: []string{session(0).Key, "/never/told"}}, `
15:00:00  gone        claude      session  web`},
		{"gone and there", 14 * time.Hour, run.Changes{Gone: []string{ownRun(0).Key}, Runs: []run.Watched{ownRun(run.StandingDone)}}, `
2 Oct 02:00:00  done        claude      layover  night (` + ownID + `)`},
	} {
		n.now = now().Add(step.later)
		if err := n.Follow(step.c); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(n.lines(), "\n")
		if diff := cmp.Diff(strings.TrimPrefix(step.want, "\n"), got); diff != "" {
			t.Errorf("%s: %s", step.name, diff)
		}
	}
}

// Each change is an object, and a run that is both gone and there is there in the end.
func TestFollowInJSON(t *testing.T) {
	n := notice(true)
	for _, step := range []struct {
		c    run.Changes
		want []string
	}{
		{run.Changes{Notes: []string{"x"}, Gone: []string{"/g", "/s"}, Runs: []run.Watched{{Key: "/s"}}, Families: []run.FamilySeen{{Name: "claude"}}}, []string{`"gone":"/g"`, `"gone":"/s"`, `"run":{"path":"/s"`, `"families":[{"family":"claude"}]`, `"notes":["x"]`}},
		{run.Changes{Notes: []string{"x"}}, []string{""}},
		{run.Changes{Families: []run.FamilySeen{}}, []string{`"families":[]`, `"notes":[]`}},
	} {
		if err := n.Follow(step.c); err != nil {
			t.Fatal(err)
		}
		got := n.lines()
		if len(got) != len(step.want) {
			t.Fatalf("%d objects: %q", len(got), got)
		}
		for i, want := range step.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%s is not in %s", want, got[i])
			}
		}
	}
}

// Lines of another day than that of who looks on name theirs.
func TestLinesOfOtherDays(t *testing.T) {
	s := run.State{StartedAt: now()}
	f := run.Fact{At: now().Add(time.Hour), Body: run.Notice{Message: "x"}}
	for name, c := range map[string]struct {
		words Words
		want  string
	}{
		"its own host": {Words{}, "13:00:00  run  notice: x"},
		"that day":     {Words{Now: func() time.Time { return now().Add(-time.Hour) }}, "13:00:00  run  notice: x"},
		"days later":   {Words{Now: func() time.Time { return now().Add(50 * time.Hour) }}, "1 Oct 13:00:00  run  notice: x"},
	} {
		if got := c.words.Line(&s, f); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
