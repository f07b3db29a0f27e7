package stream

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
	"example.com/layover/watcher/tail"
)

var _ tail.Sink = (*Stream)(nil)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func options() Options { return Options{Path: "/p/a.jsonl", Now: noon} }

// recorded are the recorded streams, by their path.
func recorded(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, dir := range []string{"streams", "catalogue"} {
		paths, err := filepath.Glob(filepath.Join("../../testdata", dir, "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all[dir+"/"+filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path)] = text
		}
	}
	return all
}

func lines(all ...string) []byte { return []byte(strings.Join(all, "\n") + "\n") }

// Records of a transcript and of a rollout, with the seconds after noon at which they were
// written.
func transcript(second, rest string) string {
	return `{"isSidechain":false,"cwd":"/home/dev/shop","sessionId":"s1","timestamp":"2026-11-30T12:00:` + second + `.000Z",` + rest + `}`
}

func answer(second, id, stop, content string) string {
	return transcript(second, `"type":"assistant","message":{"id":"`+id+`","model":"opus","stop_reason":`+stop+`,"usage":{"input_tokens":3,"output_tokens":4},"content":[`+content+`]}`)
}

func rollout(second, kind, payload string) string {
	return `{"timestamp":"2026-11-30T12:00:` + second + `.000Z","type":"` + kind + `","payload":{` + payload + `}}`
}

func at(second int) time.Time { return noon.Add(time.Duration(second) * time.Second) }

func TestAccount(t *testing.T) {
	ask := transcript("01", `"type":"user","message":{"content":"go on"}`)
	tool := answer("02", "m1", "null", `{"type":"tool_use","name":"Bash","input":{"command":"go test"}}`)
	said := answer("03", "m2", `"end_turn"`, `{"type":"text","text":"Done."}`)
	refused := transcript("04", `"type":"assistant","isApiErrorMessage":true,"error":"rate_limit","message":{"model":"<synthetic>","content":[{"type":"text","text":"You've hit your limit · resets 3pm (UTC)"}]}`)
	session := Account{
		Dialect: "claude-transcript", Family: "claude", Session: "s1", Dir: "/home/dev/shop", Began: at(1), At: at(1), Turn: TurnOpen,
		Activity: run.Activity{Lines: 1},
	}
	working := session
	working.Model, working.At, working.ServedAt = "opus", at(2), at(2)
	working.Activity = run.Activity{Doing: "Bash go test", Usage: run.Usage{Input: 3, Output: 4, Unpriced: 7}, Model: "opus", Lines: 2}
	done := working
	done.At, done.ServedAt, done.Turn = at(3), at(3), TurnOver
	done.Activity = run.Activity{Message: "Done.", Usage: run.Usage{Input: 6, Output: 8, Unpriced: 14}, Model: "opus", Lines: 3}
	done.Verdict = run.Verdict{
		Class: run.ClassSuccess, Model: "opus", Session: "s1", Usage: done.Activity.Usage, Message: "end_turn",
		Evidence: []run.Evidence{{File: "/p/a.jsonl", Line: 3, Rule: "claude.transcript.stop", Excerpt: "end_turn"}},
	}
	asked := done
	asked.At, asked.Turn, asked.Verdict, asked.Activity.Lines = at(1), TurnOpen, run.Verdict{}, 4
	limited := done
	limited.At, limited.Activity.Lines, limited.Suspect, limited.SuspectedAt = at(4), 4, "a call was rejected", at(4)
	limited.Verdict = run.Verdict{
		Class: run.ClassRateLimited, Kind: run.KindUsage, Scope: run.ScopeFamily, Model: "opus", Session: "s1", Usage: done.Activity.Usage,
		Reset: noon.Add(3 * time.Hour), How: run.HowText, Message: "You've hit your limit · resets 3pm (UTC)",
		Evidence: []run.Evidence{{File: "/p/a.jsonl", Line: 4, Rule: "claude.transcript.usage_limit", Excerpt: "You've hit your limit · resets 3pm (UTC)"}},
	}
	limited.Limit = run.Verdict{
		Class: limited.Verdict.Class, Scope: limited.Verdict.Scope, Model: limited.Verdict.Model, Reset: limited.Verdict.Reset,
		How: limited.Verdict.How, Message: limited.Verdict.Message,
	}
	again := limited
	again.At, again.ServedAt, again.Suspect, again.SuspectedAt, again.Turn, again.Verdict = at(2), at(2), "", time.Time{}, TurnOpen, run.Verdict{}
	again.Limit = run.Verdict{}
	again.Activity.Lines, again.Activity.Doing = 5, "Bash go test"
	for name, tc := range map[string]struct {
		text []byte
		want Account
	}{
		"nothing":            {nil, Account{}},
		"a prompt":           {lines(ask), session},
		"a tool":             {lines(ask, tool), working},
		"an answer":          {lines(ask, tool, said), done},
		"another prompt":     {lines(ask, tool, said, ask), asked},
		"a limit":            {lines(ask, tool, said, refused), limited},
		"on after the limit": {lines(ask, tool, said, refused, tool), again},
		"words for people":   {lines("hello", "world"), Account{}},
		"a list of titles":   {lines(`{"type":"ai-title","sessionId":"s9"}`), Account{Dialect: "claude-transcript", Family: "claude", Session: "s9", Activity: run.Activity{Lines: 1}}},
		"a rollout": {
			lines(rollout("01", "session_meta", `"id":"r1","cwd":"/w"`), rollout("02", "event_msg", `"type":"token_count","rate_limits":{"primary":{"used_percent":40,"window_minutes":300}}`)),
			Account{
				Dialect: "codex-rollout", Family: "codex", Session: "r1", Dir: "/w", Began: at(1), At: at(2), Activity: run.Activity{Lines: 2},
				Readings: []run.Reading{{Gauge: run.Gauge{Limit: "codex", Used: .4, Window: 5 * time.Hour}, At: at(2)}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := New(options())
			if len(tc.text) > 0 {
				s.Bytes(tc.text)
			}
			if diff := cmp.Diff(tc.want, s.Account()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			s.Restart()
			if diff := cmp.Diff(Account{}, s.Account()); diff != "" {
				t.Errorf("after a restart (-want +got):\n%s", diff)
			}
		})
	}
}

// A suspicion lasts from its first sign to the next answer.
func TestSuspicion(t *testing.T) {
	retry := func(second string) string {
		return transcript(second, `"type":"system","subtype":"api_error","error":{"status":429},"retryInMs":500,"retryAttempt":1`)
	}
	s := New(options())
	for _, step := range []struct {
		line, why string
		since     time.Time
		retries   int
	}{
		{retry("01"), "", time.Time{}, 1},
		{retry("02"), "it retries after status 429", at(2), 1},
		{retry("03"), "it retries after status 429", at(2), 1},
		{answer("04", "m1", "null", `{"type":"text","text":"x"}`), "", time.Time{}, 0},
	} {
		s.Bytes(lines(step.line))
		if a := s.Account(); a.Suspect != step.why || !a.SuspectedAt.Equal(step.since) || a.Activity.Retry.Attempt != step.retries {
			t.Errorf("suspected since %v: %q, retry %+v, want %+v", a.SuspectedAt, a.Suspect, a.Activity.Retry, step)
		}
	}
}

// However the bytes come, and however often the stream is put to rest, the account is the
// same.
func TestTheAccountIsTheSameHoweverItIsRead(t *testing.T) {
	all := recorded(t)
	var names []string
	for name := range all {
		names = append(names, name)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "file")
		text := all[name]
		if rapid.Bool().Draw(t, "twice") {
			text = bytes.Repeat(text, 2)
		}
		o := options()
		if rapid.Bool().Draw(t, "told") {
			o.Dialect = agent.Guess(text)
		}
		whole := New(o)
		if len(text) > 0 {
			whole.Bytes(text)
		}
		parts := New(o)
		for at := 0; at < len(text); {
			n := min(rapid.IntRange(1, 2000).Draw(t, "n"), len(text)-at)
			parts.Bytes(text[at : at+n])
			at += n
			if rapid.IntRange(0, 3).Draw(t, "rest") > 0 {
				continue
			}
			held := int(parts.Held())
			resumed, err := Resume(o, parts.Save())
			if err != nil {
				t.Fatal(err)
			}
			if parts = resumed; held > 0 {
				parts.Bytes(text[at-held : at])
			}
		}
		want, got := whole.Account(), parts.Account()
		if d := want.Dialect; d == agent.DialectGemini || d == agent.DialectGrok { // of a message in parts a word is lost
			want.Activity.Message, got.Activity.Message = "", ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-whole +parts):\n%s", name, diff)
		}
	})
}

// A retry is over once a model answers, or the turn is.
func TestARetryIsOver(t *testing.T) {
	retry := transcript("02", `"type":"system","subtype":"api_error","error":{"status":529},"retryInMs":500,"retryAttempt":3,"maxRetries":10`)
	asked := transcript("01", `"type":"user","message":{"role":"user","content":"go"}`)
	for name, tc := range map[string]struct {
		after string
		want  run.Retry
	}{
		"nothing":  {"", run.Retry{Attempt: 3, Max: 10, Delay: 500 * time.Millisecond, Status: 529}},
		"answered": {answer("03", "m1", "null", `{"type":"text","text":"hi"}`), run.Retry{}},
		"given up": {transcript("03", `"type":"assistant","isApiErrorMessage":true,"apiErrorStatus":529,"message":{"model":"<synthetic>","content":[{"type":"text","text":"Overloaded"}]}`), run.Retry{}},
	} {
		s := New(options())
		s.Bytes(lines(asked, retry, tc.after, asked))
		if got := s.Account(); got.Activity.Retry != tc.want || got.Turn != TurnOpen {
			t.Errorf("%s: %+v, turn %d", name, got.Activity.Retry, got.Turn)
		}
	}
}
