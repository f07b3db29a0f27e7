package agent

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func TestEnds(t *testing.T) {
	const started = claudeInit + "\n"
	failed := run.Exit{Code: 1}
	for name, tc := range map[string]struct {
		stream string
		end    End
		class  run.Class
		rules  string
	}{
		"nothing at all":               {"", End{}, run.ClassIncomplete, "claude.eof"},
		"torn last line":               {started + `{"type":"result","is_error":false`, End{}, run.ClassIncomplete, "claude.eof.torn"},
		"whole last line, no newline":  {started + claudeDone, End{}, run.ClassSuccess, "claude.result.success"},
		"torn line behind the success": {started + claudeDone + "\n{\"type\":\"sys", End{Exit: failed}, run.ClassSuccess, "claude.result.success"},
		"lost":                         {started, End{Exit: run.Exit{Code: -1, Lost: true}}, run.ClassIncomplete, "guard_lost"},
		"lost after the success":       {started + claudeDone, End{Exit: run.Exit{Code: -1, Lost: true}}, run.ClassSuccess, "claude.result.success"},
		"deadline":                     {started, End{Exit: run.Exit{Code: 143}, Cause: CauseDeadline}, run.ClassDeadline, "end.deadline"},
		"stall":                        {started, End{Cause: CauseStall}, run.ClassStalled, "end.stall"},
		"runaway":                      {started, End{Cause: CauseRunaway}, run.ClassStalled, "end.runaway"},
		"too much output":              {started, End{Cause: CauseOutput}, run.ClassStalled, "end.output"},
		"budget":                       {started, End{Cause: CauseBudget}, run.ClassFailed, "end.budget"},
		"stop":                         {started, End{Cause: CauseStop}, run.ClassCancelled, "end.stop"},
		"unknown cause":                {started, End{Cause: "whim"}, run.ClassCancelled, "end.stop"},
		"success before the deadline":  {started + claudeDone, End{Cause: CauseDeadline}, run.ClassSuccess, "claude.result.success"},
		"limit before the stop":        {started + claudeFailure("429", "usage limit reached"), End{Cause: CauseStop}, run.ClassRateLimited, "claude.result.usage_limit"},
		"broken off by the deadline":   {started + `{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools"}`, End{Cause: CauseDeadline}, run.ClassDeadline, "end.deadline"},
		"stderr: not logged in":        {started, End{Exit: failed, Stderr: []byte("Not logged in · Please run /login\n")}, run.ClassAuth, "claude.stderr.auth"},
		"stderr: network":              {"", End{Exit: failed, Stderr: []byte("fetch failed: ECONNREFUSED")}, run.ClassTransport, "claude.stderr.transport"},
		"stderr: bad option":           {"", End{Exit: failed, Stderr: []byte("error: unknown option '--modle'")}, run.ClassFailed, "claude.stderr.exit.1"},
		"stderr: session":              {"", End{Exit: failed, Stderr: []byte("No conversation found with session ID: 1")}, run.ClassFailed, "claude.stderr.session_gone"},
		"stderr: noise":                {started, End{Exit: failed, Stderr: []byte("(node:429) Warning: something")}, run.ClassIncomplete, "claude.eof"},
		"stderr of a clean exit":       {"", End{Stderr: []byte("usage limit reached")}, run.ClassIncomplete, "claude.eof"},
		"stderr of a killed process":   {"", End{Exit: run.Exit{Code: 143}, Stderr: []byte("usage limit reached")}, run.ClassIncomplete, "claude.eof"},
		"stderr after work":            {started + claudeWords, End{Exit: failed, Stderr: []byte("usage limit reached")}, run.ClassIncomplete, "claude.eof"},
		"stderr is empty":              {"", End{Exit: failed, Stderr: []byte("\n")}, run.ClassIncomplete, "claude.eof"},
	} {
		t.Run(name, func(t *testing.T) {
			v := judgeText("claude", tc.stream, atNoon(), tc.end)
			if v.Class != tc.class || rulesOf(v) != tc.rules {
				t.Errorf("verdict = %v by %q, want %v by %q", v.Class, rulesOf(v), tc.class, tc.rules)
			}
		})
	}
}

func TestStderrStatesAReset(t *testing.T) {
	end := End{Exit: run.Exit{Code: 1}, Stderr: []byte(strings.Repeat("x\n", 40_000) + "You've hit your usage limit, resets 3pm")}
	v := judgeText("codex", "", atNoon(), end)
	if v.Class != run.ClassRateLimited || v.Reset.Unix() != 1790866800 || v.How != run.HowText {
		t.Errorf("verdict = %+v, want a limit until 3pm", v)
	}
}

func TestMessagesAreBounded(t *testing.T) {
	text := "a usage limit reached " + strings.Repeat("éé ", 100_000)
	v := judgeText("claude", claudeFailure("429", text), atNoon(), End{})
	for name, got := range map[string]run.Untrusted{"message": v.Message, "excerpt": v.Evidence[0].Excerpt} {
		if len(got) > run.MaxMessage || len(got) < run.MaxMessage-4 || !utf8.ValidString(string(got)) {
			t.Errorf("%s has %d bytes, valid %v", name, len(got), utf8.ValidString(string(got)))
		}
	}
}

// A terminal shows only what stands behind the last carriage return. The reason may stand
// before it.
func TestACarriageReturnHidesNoReason(t *testing.T) {
	const reason = "You've hit your session limit · resets 3pm (UTC)"
	for text, want := range map[string]string{
		reason + "\rAll good, success": reason + "\nAll good, success",
		reason + "\r\nAll good":        reason + "\nAll good",
		reason + "\r":                  reason + "\n",
	} {
		in, _ := json.Marshal(text)
		stream := `{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"num_turns":1,"result":` + string(in) + `}`
		v := judgeText("claude", stream, atNoon(), End{})
		if string(v.Message) != want || string(v.Evidence[0].Excerpt) != want || v.Class != run.ClassRateLimited {
			t.Errorf("%q: message %q, excerpt %q, %v", text, v.Message, v.Evidence[0].Excerpt, v.Class)
		}
	}
	end := End{Exit: run.Exit{Code: 1}, Stderr: []byte("Not logged in · Please run /login\rok\n")}
	if v := judgeText("claude", "", atNoon(), end); !strings.HasPrefix(string(v.Message), "Not logged in") {
		t.Errorf("message %q", v.Message)
	}
}

func TestEvidenceNamesFileAndLine(t *testing.T) {
	ref := atNoon()
	ref.File = "stdout.jsonl"
	stream := "\n" + claudeInit + "\r\n\n" + claudeRejected + "\nnoise\n" + claudeFailure("429", "usage limit reached")
	v := judgeText("claude", stream, ref, End{})
	if len(v.Evidence) != 2 || v.Evidence[0].Line != 6 || v.Evidence[1].Line != 4 || v.Evidence[1].File != ref.File {
		t.Errorf("evidence = %+v, want lines 6 and 4 of %s", v.Evidence, ref.File)
	}
}

func TestSessionGone(t *testing.T) {
	const gone = `{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":0,"session_id":"s2","errors":["No conversation found with session ID: s1"]}`
	v := judgeText("claude", gone, atNoon(), End{Exit: run.Exit{Code: 1}})
	if !SessionGone(v) || v.Session != "" {
		t.Errorf("verdict = %+v, want one on a session that is gone, without a new one", v)
	}
	end := End{Exit: run.Exit{Code: 1}, Stderr: []byte("Error: thread/resume failed: no rollout found for thread id t1 (code -32600)")}
	if v := judgeText("codex", "", atNoon(), end); !SessionGone(v) {
		t.Errorf("verdict = %+v, want one on a session that is gone", v)
	}
	end.Stderr = []byte("No saved session found with ID q1. Run `qwen --resume` without an ID to choose from existing sessions.")
	if v := judgeText("qwen", "", atNoon(), end); !SessionGone(v) {
		t.Errorf("verdict = %+v, want one on a session that is gone", v)
	}
	if SessionGone(judgeText("claude", claudeFailure("null", "x"), atNoon(), End{})) {
		t.Error("any failure is one of a session that is gone")
	}
}

// A server that is unavailable and states until when is overloaded until then.
func TestUnavailableUntilAStatedTime(t *testing.T) {
	for text, want := range map[string]wanted{
		"HTTP 503 Service Unavailable, retry-after: 30":                {class: run.ClassOverloaded, reset: 1790856030, how: run.HowStated, rules: "claude.stderr.overloaded"},
		"status 503: busy. Retry-After: Thu, 01 Oct 2026 12:05:00 GMT": {class: run.ClassOverloaded, reset: 1790856300, how: run.HowStated, rules: "claude.stderr.overloaded"},
		"API Error: 529 Overloaded, retry_after=5":                     {class: run.ClassOverloaded, reset: 1790856005, how: run.HowStated, rules: "claude.stderr.overloaded"},
		"HTTP 503 Service Unavailable, retry-after: soon":              {class: run.ClassOverloaded, rules: "claude.stderr.overloaded"},
		"Overloaded. Try again in 5 minutes":                           {class: run.ClassOverloaded, rules: "claude.stderr.overloaded"},
		"API Error: 429 (not your usage limit), retry-after: 30":       {class: run.ClassOverloaded, rules: "claude.stderr.not_usage_limit"},
		"HTTP 503 Service Unavailable":                                 {class: run.ClassTransport, rules: "claude.stderr.transport"},
		"HTTP 502 Bad Gateway, retry-after: 30":                        {class: run.ClassTransport, rules: "claude.stderr.transport"},
	} {
		got := wantedOf(judgeText("claude", "", atNoon(), End{Exit: run.Exit{Code: 1}, Stderr: []byte(text)}))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(wanted{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
