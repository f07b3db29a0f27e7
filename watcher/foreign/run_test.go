package foreign_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

func file(t testing.TB, text string) *runfile.File {
	t.Helper()
	f, err := runfile.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWhereARunStands(t *testing.T) {
	const head = `{"run_id":"r","start":"2026-12-01T10:00:00Z",`
	const works = `{"id":"a","agent_type":"claude","status":"running","spawned_at":"2026-12-01T10:01:00Z","stdout_log":"a"}`
	const failed = `{"id":"b","agent_type":"codex","status":"failed","spawned_at":"2026-12-01T10:01:00Z","finished_at":"2026-12-01T10:02:00Z"}`
	const limit = `{"family":"codex","tripped_at":"2026-12-01T10:02:00Z","resets_at":"2026-12-01T11:00:00Z","reason":"spent"}`
	refused := map[string]stream.Account{"a": {Family: "claude", Turn: stream.TurnOpen, Suspect: "429", SuspectedAt: at("2026-12-01 10:03")}}
	for name, tt := range map[string]struct {
		text  string
		logs  map[string]stream.Account
		alive foreign.Alive
		want  run.Standing
		why   string
		later run.Standing // two hours later
	}{
		"working":            {head + `"agents":[` + works + `]}`, nil, foreign.Living, run.StandingWorking, "", run.StandingWorking},
		"working, a limit":   {head + `"agents":[` + works + `],"rate_limited_families":[` + limit + `]}`, nil, foreign.Living, run.StandingWorking, "", run.StandingWorking},
		"refused":            {head + `"agents":[` + works + `]}`, refused, foreign.Living, run.StandingLimited, "429", run.StandingWorking},
		"limited":            {head + `"agents":[` + failed + `],"rate_limited_families":[` + limit + `]}`, nil, foreign.Living, run.StandingLimited, "team-harness: spent", run.StandingIdle},
		"idle":               {head + `"agents":[` + failed + `]}`, nil, foreign.Living, run.StandingIdle, "", run.StandingIdle},
		"nothing":            {`{}`, nil, foreign.Living, run.StandingIdle, "", run.StandingIdle},
		"done":               {head + `"end":"2026-12-01T10:04:00Z","agents":[` + works + `]}`, nil, foreign.Gone, run.StandingDone, "", run.StandingDone},
		"failed":             {head + `"end":"2026-12-01T10:04:00Z","failure":{"kind":"provider"}}`, nil, foreign.Gone, run.StandingFailed, "provider", run.StandingFailed},
		"orphaned":           {head + `"agents":[` + works + `]}`, nil, foreign.Gone, run.StandingOrphaned, "team-harness, which kept the run, is gone", run.StandingOrphaned},
		"unknown":            {head + `"agents":[` + works + `]}`, nil, foreign.Unknown, run.StandingWorking, "", run.StandingWorking},
		"an end before it":   {head + `"end":"2026-11-01T10:04:00Z","agents":[` + works + `]}`, nil, foreign.Living, run.StandingWorking, "", run.StandingWorking},
		"an error, no end":   {head + `"error":"x","agents":[]}`, nil, foreign.Living, run.StandingFailed, "x", run.StandingFailed},
		"limited till never": {head + `"rate_limited_families":[{"family":"codex","tripped_at":"2026-12-01T10:00:00Z","resets_at":"8000-01-01T00:00:00Z"}]}`, nil, foreign.Living, run.StandingLimited, "team-harness says it is limited", run.StandingLimited},
	} {
		t.Run(name, func(t *testing.T) {
			w := foreign.Run("/r/run.json", run.OriginHarness, file(t, tt.text), tt.logs, tt.alive)
			if w.State != tt.want || string(w.Why) != tt.why || w.Standing(at("2026-12-01 12:10")) != tt.later {
				t.Errorf("%s (%s), later %s", w.State, w.Why, w.Standing(at("2026-12-01 12:10")))
			}
			if w.Until.After(at("2027-01-06 00:00")) || (w.How == run.HowText) != w.Until.After(at("2026-12-01 10:30")) {
				t.Errorf("until %s, %s", w.Until, w.How)
			}
		})
	}
}

// Nobody says whether the process of a run lives that names none: it does as long as the
// run shows signs of life.
func TestSilentRuns(t *testing.T) {
	k := foreign.Known{Key: "/r/run.json", Origin: run.OriginHarness, File: file(t, `{"run_id":"r","agents":[{"id":"a","stdout_log":"l","spawned_at":"2026-12-01T10:00:00Z"}]}`)}
	hour := func(n int) time.Time { return dawn.Add(time.Duration(n) * time.Hour) }
	for name, tt := range map[string]struct {
		modified time.Time
		log      time.Time
		now      time.Time
		alive    foreign.Alive
		want     run.Standing
	}{
		"soon":            {dawn, dawn, dawn, foreign.Unknown, run.StandingWorking},
		"late":            {dawn, dawn, hour(2), foreign.Unknown, run.StandingOrphaned},
		"late, but alive": {dawn, dawn, hour(2), foreign.Living, run.StandingWorking},
		"its log grows":   {dawn, hour(2), hour(2), foreign.Unknown, run.StandingWorking},
		"it is written":   {hour(2), dawn, hour(2), foreign.Unknown, run.StandingWorking},
		"no instants":     {time.Time{}, time.Time{}, hour(2), foreign.Unknown, run.StandingOrphaned},
		"gone":            {dawn, dawn, dawn, foreign.Gone, run.StandingOrphaned},
	} {
		k.Modified, k.Alive, k.Logs = tt.modified, tt.alive, map[string]stream.Account{"l": {At: tt.log, Turn: stream.TurnOpen}}
		if w := k.Watched(tt.now); w.State != tt.want {
			t.Errorf("%s: %s", name, w.State)
		}
		if w := k.Watched(dawn.Add(-time.Hour)); w.At.After(dawn.Add(-time.Hour)) || w.Began.After(dawn.Add(-time.Hour)) {
			t.Errorf("%s: ahead of now, it was seen at %s", name, w.At)
		}
	}
}

func TestOwn(t *testing.T) {
	own := func(rest string) string {
		return `{"run_id":"20261201_100000_0badcafe","start":"2026-12-01T10:00:00Z","turns":[{"usage":{"prompt_tokens":7,"completion_tokens":3}}],
			"agents":[{"id":"agent_1","agent_type":"claude","cwd":"/d","spawned_at":"2026-12-01T10:01:00Z","effective_model":"opus"},{"id":"agent_2","agent_type":"codex","cwd":"/e"}],
			"layover":{"program":"night",` + rest + `}}`
	}
	const window = `"windows":[{"family":"codex","sort":"limit","until":"2026-12-01T12:00:00Z","how":"stated","reason":"spent"}]`
	const resume = "nobody holds it: layover resume 20261201_100000_0badcafe takes it up again"
	for name, tt := range map[string]struct {
		text    string
		held    bool
		want    run.Standing
		why     string
		unheard string
		lanes   run.LaneCounts
	}{
		"working": {own(`"phase":"running","lanes":[{"state":"working","agent":"agent_1"},{"state":"parked"},{"state":"done"},{"state":"failed"},{"state":"stopped"}],` + window), true, run.StandingWorking, "", "", run.LaneCounts{Working: 1, Waiting: 1, Done: 1, Failed: 2}},
		"limited": {own(`"phase":"running","lanes":[{"state":"parked","wake_at":"2026-12-01T12:00:00Z"}],` + window), true, run.StandingLimited, "spent", "", run.LaneCounts{Waiting: 1}},
		"resting": {own(`"phase":"running","lanes":[{"state":"parked"}],"windows":[{"family":"codex","sort":"health","reason":"x"}]`), true, run.StandingIdle, "", "", run.LaneCounts{Waiting: 1}},
		"waiting": {own(`"phase":"waiting","lanes":[]`), true, run.StandingIdle, "", "", run.LaneCounts{}},
		"done":    {own(`"phase":"ended","exit":0,"lanes":[{"state":"done"}]`), false, run.StandingDone, "", "the run has ended", run.LaneCounts{Done: 1}},
		"failed":  {own(`"phase":"ended","exit":75,"exit_why":"still limited","resets_at":"2026-12-01T12:00:00Z"`), false, run.StandingFailed, "still limited", "the run has ended", run.LaneCounts{}},
		"stopped": {own(`"phase":"ended","exit":3,"exit_why":"stopped by the operator","lanes":[{"state":"stopped"}]`), false, run.StandingStopped, "stopped by the operator", "the run has ended", run.LaneCounts{Failed: 1}},
		"at once": {own(`"phase":"ended","exit":130,"exit_why":"stopped by the operator"`), false, run.StandingStopped, "stopped by the operator", "the run has ended", run.LaneCounts{}},
		"orphan":  {own(`"phase":"running","lanes":[{"state":"working","agent":"agent_1"}]`), false, run.StandingOrphaned, resume, resume, run.LaneCounts{Working: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := foreign.Own("/runs/x", file(t, tt.text), tt.held)
			if w.State != tt.want || string(w.Why) != tt.why || w.Unheard != tt.unheard {
				t.Errorf("%s because of %q, unheard %q", w.State, w.Why, w.Unheard)
			}
			if d := cmp.Diff(tt.lanes, w.Lanes); d != "" {
				t.Error(d)
			}
			if w.Origin != run.OriginLayover || w.Name != "night" || w.Usage != (run.Usage{Input: 7, Output: 3}) {
				t.Errorf("%+v", w)
			}
			if w.Lanes.Working > 0 && (w.Family != "claude" || w.Model != "opus" || w.Dir != "/d") {
				t.Errorf("at work is %s %s in %s", w.Family, w.Model, w.Dir)
			}
		})
	}
	w, _ := foreign.Own("/runs/x", file(t, own(`"phase":"running","lanes":[],`+window)), true)
	if !w.Until.Equal(at("2026-12-01 12:00")) || w.How != run.HowStated {
		t.Errorf("until %s, %s", w.Until, w.How)
	}
	for phase, want := range map[string]run.Stop{"running": run.StopSoft, "ended": 0} {
		w, _ := foreign.Own("/runs/x", file(t, own(`"phase":"`+phase+`","stop":"soft","cost_usd":1.5,"unpriced_tokens":2`)), true)
		if w.Stop != want || w.Usage.CostUSD != 1.5 || w.Usage.Unpriced != 2 {
			t.Errorf("%s: asked for a %q stop, used %+v", phase, w.Stop, w.Usage)
		}
	}
}

func TestLogPath(t *testing.T) {
	for _, tt := range [][2]string{{"a/out.log", "/h/runs/r/a/out.log"}, {"/x/out.log", "/x/out.log"}, {"../o", "/h/runs/o"}, {"", ""}} {
		if got := foreign.LogPath("/h/runs/r/run.json", runfile.Agent{StdoutLog: tt[0]}); got != tt[1] {
			t.Errorf("%q is %q", tt[0], got)
		}
	}
}

// The log of an agent stands against the word of a tool that has not seen its limit.
func TestWhatBecameOfAnAgent(t *testing.T) {
	over := func(c run.Class) *stream.Account {
		return &stream.Account{Turn: stream.TurnOver, Verdict: run.Verdict{Class: c}}
	}
	for _, tt := range []struct {
		status string
		code   string
		log    *stream.Account
		want   run.LaneState
		class  run.Class
	}{
		{"done", "0", nil, run.LaneDone, run.ClassSuccess},
		{"done", "0", over(run.ClassIncomplete), run.LaneDone, run.ClassSuccess},
		{"done", "0", over(run.ClassRateLimited), run.LaneFailed, run.ClassRateLimited},
		{"done", "0", over(run.ClassAuth), run.LaneFailed, run.ClassAuth},
		{"failed", "1", nil, run.LaneFailed, run.ClassFailed},
		{"failed", "1", over(run.ClassSuccess), run.LaneFailed, run.ClassFailed},
		{"failed", "1", over(run.ClassOverloaded), run.LaneFailed, run.ClassOverloaded},
		{"killed", "-9", nil, run.LaneStopped, run.ClassCancelled},
		{"killed", "-9", over(run.ClassRateLimited), run.LaneStopped, run.ClassRateLimited},
		{"reaped", "null", nil, run.LaneStopped, run.ClassCancelled},
		{"drained", "null", over(run.ClassSuccess), run.LaneDone, run.ClassSuccess},
		{"drained", "null", nil, run.LaneFailed, run.ClassIncomplete},
		{"running", "null", nil, run.LaneWorking, 0},
		{"running", "null", over(run.ClassSuccess), run.LaneWorking, 0},
		{"running", "0", nil, run.LaneDone, run.ClassSuccess},
		{"meditating", "3", nil, run.LaneFailed, run.ClassFailed},
		{"meditating", "null", nil, run.LaneWorking, 0},
		{"", "null", nil, run.LaneWorking, 0},
	} {
		text := fmt.Sprintf(`{"run_id":"r","start":"2026-12-01T10:00:00Z","agents":[{"id":"a","status":%q,"exit_code":%s}]}`, tt.status, tt.code)
		k := foreign.Known{Key: "k", Origin: run.OriginHarness, File: file(t, text), Alive: foreign.Living, Logs: map[string]stream.Account{}}
		if tt.log != nil {
			k.Logs["a"] = *tt.log
		}
		var teller foreign.Teller
		s := &run.State{}
		replay(t, s, teller.Tell(k, dawn).Facts)
		if l := s.Lanes[0]; l.State != tt.want || l.Last.Class != tt.class {
			t.Errorf("%s %s: %s, %s", text, tt.want, l.State, l.Last.Class)
		}
	}
}

// An agent may outlive the tool that keeps it: it is at work as long as its log shows signs
// of life.
func TestAgentsThatOutliveTheirTool(t *testing.T) {
	k := foreign.Known{
		Key: "/r/run.json", Origin: run.OriginHarness, Alive: foreign.Gone, Modified: dawn,
		File: file(t, `{"run_id":"r","agents":[{"id":"a","stdout_log":"l","spawned_at":"2026-12-01T10:00:00Z"}]}`),
		Logs: map[string]stream.Account{"l": {At: dawn, Turn: stream.TurnOpen}},
	}
	for after, working := range map[time.Duration]int{time.Minute: 1, run.SilentWork: 0} {
		if w := k.Watched(dawn.Add(after)); w.State != run.StandingOrphaned || w.Lanes.Working != working {
			t.Errorf("after %s: %s, %+v", after, w.State, w.Lanes)
		}
	}
}
