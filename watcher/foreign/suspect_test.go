package foreign_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

func TestSuspicions(t *testing.T) {
	minute := func(n int) time.Time { return dawn.Add(time.Duration(n) * time.Minute) }
	limit := func(family string, reset time.Time) stream.Account {
		return stream.Account{Family: family, At: dawn, Turn: stream.TurnOver, Verdict: run.Verdict{Class: run.ClassRateLimited, Reset: reset, Message: "spent"}}
	}
	model := limit("claude", minute(60))
	model.Verdict.Scope, model.Verdict.Model = run.ScopeModel, "opus"
	answer := func(family, model string, at time.Time) stream.Account {
		return stream.Account{Family: family, Model: model, ServedAt: at, Turn: stream.TurnOpen}
	}
	refused := stream.Account{Family: "codex", Turn: stream.TurnOpen, Suspect: "429", SuspectedAt: dawn}
	history := `{"rate_limited_families":[
		{"family":"Claude","tripped_at":"2026-12-01T09:00:00Z","resets_at":"2026-12-01T10:30:00Z","reason":"first"},
		{"family":"claude","tripped_at":"2026-12-01T09:50:00Z","resets_at":"2026-12-01T10:20:00Z","reason":"second"},
		{"family":"codex","tripped_at":"2026-12-01T09:55:00Z"},
		{"family":"gemini","tripped_at":"2026-12-01T09:50:00Z","resets_at":"2026-12-01T09:59:00Z"},
		{"family":"","resets_at":"2026-12-01T12:00:00Z"}]}`
	for name, tt := range map[string]struct {
		accounts []stream.Account
		file     string
		now      time.Time
		want     []string
	}{
		"nothing":                 {nil, `{}`, minute(5), nil},
		"a stated reset":          {[]stream.Account{limit("claude", minute(60))}, `{}`, minute(30), []string{"claude  until 11:00: spent"}},
		"it has passed":           {[]stream.Account{limit("claude", minute(60))}, `{}`, minute(60), nil},
		"nobody says":             {[]stream.Account{limit("claude", time.Time{})}, `{}`, minute(9), []string{"claude  until 10:10: spent"}},
		"nobody says, ten on":     {[]stream.Account{limit("claude", time.Time{})}, `{}`, minute(10), nil},
		"of the past":             {[]stream.Account{limit("claude", minute(-60))}, `{}`, minute(9), []string{"claude  until 10:10: spent"}},
		"for ever":                {[]stream.Account{limit("claude", minute(1e7))}, `{}`, minute(60 * 24 * 35), nil},
		"refused":                 {[]stream.Account{refused}, `{}`, minute(9), []string{"codex  until 10:10: 429"}},
		"the longest":             {[]stream.Account{limit("claude", minute(30)), limit("claude", minute(60))}, `{}`, minute(9), []string{"claude  until 11:00: spent"}},
		"a model beside its kind": {[]stream.Account{limit("claude", minute(30)), model}, `{}`, minute(9), []string{"claude  until 10:30: spent", "claude opus until 11:00: spent"}},
		"it answers":              {[]stream.Account{limit("claude", minute(60)), answer("claude", "sonnet", minute(5))}, `{}`, minute(9), nil},
		"another answers":         {[]stream.Account{limit("claude", minute(60)), answer("codex", "gpt", minute(5))}, `{}`, minute(9), []string{"claude  until 11:00: spent"}},
		"another model answers":   {[]stream.Account{model, answer("claude", "sonnet", minute(5))}, `{}`, minute(9), []string{"claude opus until 11:00: spent"}},
		"the model answers":       {[]stream.Account{model, answer("claude", "opus", minute(5))}, `{}`, minute(9), nil},
		"it answered before":      {[]stream.Account{limit("claude", minute(60)), answer("claude", "sonnet", minute(1))}, `{}`, minute(9), []string{"claude  until 11:00: spent"}},
		"a file":                  {nil, history, minute(1), []string{"claude  until 10:30: team-harness: first", "codex  until 10:05: team-harness says it is limited"}},
		"a file, and an answer":   {[]stream.Account{answer("claude", "sonnet", minute(0))}, history, minute(1), []string{"codex  until 10:05: team-harness says it is limited"}},
		"ahead of its time":       {[]stream.Account{limit("claude", minute(60))}, `{}`, minute(-30), nil},
		"no family":               {[]stream.Account{limit("", minute(60))}, `{}`, minute(5), nil},
	} {
		t.Run(name, func(t *testing.T) {
			words := foreign.WordsOf(run.OriginHarness, file(t, tt.file))
			for _, a := range tt.accounts {
				words = append(words, foreign.WordOf(a, time.Time{}))
			}
			var got []string
			for _, s := range foreign.Suspicions(tt.now, words) {
				got = append(got, fmt.Sprintf("%s %s until %s: %s", s.Family, s.Model, s.Until.Format("15:04"), s.Why))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// A run says what its history and the logs of its agents say; a run of Layover's says
// nothing here.
func TestWordsOfARun(t *testing.T) {
	k := known(t, "20261201_100000_c0ffee42", at("2026-12-01 10:29"))
	var got []string
	for _, x := range foreign.Suspicions(at("2026-12-01 10:30"), k.Words()) {
		got = append(got, x.Family+" "+x.Model+" until "+x.Until.Format("15:04"))
	}
	if d := cmp.Diff([]string{"claude  until 13:00", "gemini gemini-3-pro until 12:00"}, got); d != "" {
		t.Error(d)
	}
	k.Origin = run.OriginLayover
	if words := k.Words(); len(words) > 0 {
		t.Errorf("%+v", words)
	}
	k.File, k.Origin = nil, run.OriginSession
	if words := k.Words(); len(words) > 0 {
		t.Errorf("%+v", words)
	}
}
