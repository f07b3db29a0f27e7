package foreign_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

// What is told of a run long after its end is dated by when it happened, whatever else is
// known by then and whenever its logs were written.
func TestWhatIsToldLateIsDatedByWhenItHappened(t *testing.T) {
	now := dawn.Add(135 * 24 * time.Hour)
	limited := run.Suspicion{Family: "claude", Why: "spent", Since: now.Add(-time.Minute), Until: now.Add(time.Hour)}
	copied := stream.Account{
		Family: "claude", At: now, ServedAt: now, Turn: stream.TurnOver, Activity: run.Activity{Usage: run.Usage{Output: 5}},
		Verdict: run.Verdict{Class: run.ClassRateLimited, Message: "limit reached"}, Suspect: "its turn ended at a limit", SuspectedAt: now,
	}
	for name, text := range map[string]string{
		"its own end":      `"end":"2026-12-01T10:30:00Z","agents":[{"id":"a","agent_type":"claude","status":"failed","spawned_at":"2026-12-01T10:00:00Z","finished_at":"2026-12-01T10:29:00Z"}]`,
		"no agent's end":   `"end":"2026-12-01T10:30:00Z","agents":[{"id":"a","agent_type":"claude","status":"running","spawned_at":"2026-12-01T10:00:00Z"}]`,
		"orphaned":         `"agents":[{"id":"a","agent_type":"claude","status":"done","spawned_at":"2026-12-01T10:00:00Z","finished_at":"2026-12-01T10:30:00Z"}]`,
		"failed, no end":   `"error":"x","agents":[{"id":"a","agent_type":"claude","status":"done","spawned_at":"2026-12-01T10:00:00Z","finished_at":"2026-12-01T10:30:00Z"}]`,
		"an agent of none": `"end":"2026-12-01T10:30:00Z"`,
	} {
		t.Run(name, func(t *testing.T) {
			k := foreign.Known{
				Key: "/r/run.json", Origin: run.OriginHarness, Alive: foreign.Gone, Modified: now,
				File:   file(t, `{"run_id":"r","start":"2026-12-01T10:00:00Z","turns":[{"prompt_tokens":70}],`+text+`}`),
				Logs:   map[string]stream.Account{"a": copied},
				Others: []foreign.Word{{Suspicion: limited}},
				Bound:  []run.Window{{WindowKey: run.WindowKey{Family: "claude", Sort: run.SortLimit}, OpenedAt: now.Add(-time.Hour), Until: now.Add(time.Hour)}},
			}
			end := dawn.Add(30 * time.Minute)
			var teller foreign.Teller
			facts := teller.Tell(k, now).Facts
			for _, f := range facts {
				if f.At.After(end) {
					t.Errorf("%T is dated %s", f.Body, f.At)
				}
			}
			s := &run.State{}
			replay(t, s, facts)
			if took := s.EndedAt.Sub(s.StartedAt); s.Phase != run.PhaseEnded || took != 30*time.Minute {
				t.Errorf("it is %s, and took %s", s.Phase, took)
			}
			if len(s.Suspicions) > 0 {
				t.Errorf("it suspects %+v", s.Suspicions)
			}
			if w := k.Watched(now); w.At.After(end) {
				t.Errorf("listed as of %s", w.At)
			}
		})
	}
}

// What others suspect is told with the instant at which they said so, also if it becomes
// known one by one, and is taken back once the run is over.
func TestWhatOthersSuspectIsDatedByThem(t *testing.T) {
	now := dawn.Add(30 * time.Minute)
	k := foreign.Known{
		Key: "/r/run.json", Origin: run.OriginHarness, Alive: foreign.Living, Modified: now,
		File: file(t, `{"run_id":"r","start":"2026-12-01T10:00:00Z","agents":[
			{"id":"a","agent_type":"claude","status":"running","spawned_at":"2026-12-01T10:00:00Z"},
			{"id":"b","agent_type":"codex","status":"running","spawned_at":"2026-12-01T10:00:00Z"}]}`),
	}
	var teller foreign.Teller
	s := &run.State{}
	for i, family := range []string{"claude", "codex"} {
		since := dawn.Add(time.Duration(5+10*i) * time.Minute)
		k.Others = append(k.Others, foreign.Word{Suspicion: run.Suspicion{Family: family, Why: "spent", Since: since, Until: now.Add(time.Hour)}})
		facts := teller.Tell(k, now).Facts
		replay(t, s, facts)
		for _, f := range facts {
			if b, ok := f.Body.(run.FamilySuspected); ok && (b.Family != family || !f.At.Equal(since)) {
				t.Errorf("%s is suspected as of %s, want %s", b.Family, f.At, since)
			}
		}
		if len(s.Suspicions) != i+1 {
			t.Errorf("it suspects %+v", s.Suspicions)
		}
	}
	k.File.End = now
	if replay(t, s, teller.Tell(k, now).Facts); len(s.Suspicions) > 0 {
		t.Errorf("over, it suspects %+v", s.Suspicions)
	}
}
