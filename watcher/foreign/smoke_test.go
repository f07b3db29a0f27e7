package foreign_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

func TestSmoke(t *testing.T) {
	f, err := runfile.Decode([]byte(`{"run_id":"r1","start":"2026-03-01T22:00:00Z","agents":[
	{"id":"a1","agent_type":"claude","status":"done","spawned_at":"2026-03-01T22:00:10Z","finished_at":"2026-03-01T22:10:00Z","exit_code":0,"stdout_log":"a1.log"},
	{"id":"a2","agent_type":"codex","status":"running","spawned_at":"2026-03-01T22:00:12Z","pid":77,"stdout_log":"a2.log"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 22, 20, 0, 0, time.UTC)
	k := foreign.Known{Key: "/x/run.json", Origin: run.OriginHarness, File: f, Logs: map[string]stream.Account{
		"a1.log": {Turn: stream.TurnOver, Verdict: run.Verdict{Class: run.ClassSuccess}, Activity: run.Activity{Usage: run.Usage{Input: 10}}},
		"a2.log": {Turn: stream.TurnOpen, Suspect: "429", SuspectedAt: now.Add(-time.Minute), Family: "codex"},
	}}
	var tl foreign.Teller
	told := tl.Tell(k, now)
	s := &run.State{}
	for _, x := range told.Facts {
		b, _ := x.MarshalJSON()
		t.Log(string(b))
		if err := s.Apply(x); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%+v", k.Watched(now))
	t.Logf("%+v", told.Seen)
	if again := tl.Tell(k, now); len(again.Facts)+len(again.Seen) > 0 {
		t.Fatalf("%+v", again)
	}
}
