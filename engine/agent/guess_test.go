package agent

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every recorded stream is taken for what it is, and no beginning of it for another.
func TestGuessOfRecordedStreams(t *testing.T) {
	tried := map[string]bool{}
	for _, dir := range []string{"streams", "catalogue"} {
		for _, r := range readRows(t, filepath.Join(fixtures, dir, "EXPECTED.tsv")) {
			want, _, _ := strings.Cut(r["file"], "/")
			if !slices.Contains(Dialects(), want) || filepath.Ext(r["file"]) != ".jsonl" {
				continue
			}
			tried[want] = true
			text, err := os.ReadFile(filepath.Join(fixtures, dir, r["file"]))
			if err != nil {
				t.Fatal(err)
			}
			if got := Guess(text); got != want && len(strings.TrimSpace(string(text))) > 0 {
				t.Errorf("%s/%s is taken for %q", dir, r["file"], got)
			}
		}
	}
	if len(tried) < 4 {
		t.Errorf("only %v were tried", tried)
	}
}

// A record tells whose it is also if it is the only one, and if it is cut.
func TestGuess(t *testing.T) {
	long := strings.Repeat("y", 2*GuessSize)
	for name, tc := range map[string]struct{ head, want string }{
		"claude":                {`{"type":"system","subtype":"init","session_id":"s","tools":[]}`, "claude"},
		"claude, by its result": {`{"type":"result","subtype":"success","is_error":true,"result":"x"}`, "claude"},
		"claude, in a list":     {`[{"type":"user","message":{}},{"type":"result","is_error":false,"result":"x"}]`, "claude"},
		"claude, after noise":   {"Loading…\n\x1b[0m" + `{"type":"rate_limit_event","rate_limit_info":{}}`, "claude"},
		"claude, a long line":   {`{"type":"result","subtype":"success","is_error":false,"result":"` + long + `"}`, "claude"},
		"claude, cut":           {`{"type":"assistant","message":{"content":[{"type":"text","te`, "claude"},
		"claude that quotes":    {`{"type":"user","session_id":"s","message":{"content":"{\"qwen_code_version\":1}","qwen_code_version":"1"},"tool_use_result":{"sessionID":"x"}}`, "claude"},
		"a transcript":          {`{"parentUuid":null,"isSidechain":false,"type":"user","message":{},"sessionId":"s"}`, "claude-transcript"},
		"a transcript, cut":     {`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"content":"` + long, "claude-transcript"},
		"a transcript's titles": {`{"type":"ai-title","sessionId":"s"}`, "claude-transcript"},
		"codex":                 {`{"type":"thread.started","thread_id":"t"}`, "codex"},
		"codex, an error alone": {`{"type":"error","message":"Reconnecting... 2/5"}`, "codex"},
		"codex, cut":            {`{"type":"item.completed","item":{"aggregated_output":"` + long, "codex"},
		"codex that quotes":     {`{"type":"item.completed","item":{"aggregated_output":"{\"parentUuid\":1}"}}` + "\n", "codex"},
		"a rollout":             {`{"timestamp":"2026-10-01T12:00:00Z","type":"session_meta","payload":{"id":"x"}}`, "codex-rollout"},
		"a rollout, cut":        {`{"timestamp":"2026-10-01T12:00:00Z","type":"response_item","payload":{"x":"` + long, "codex-rollout"},
		"gemini":                {`{"type":"init","timestamp":"2026-10-01T12:00:00Z","session_id":"s","model":"gemini-3-pro"}`, "gemini"},
		"gemini, by its result": {`{"type":"result","timestamp":"2026-10-01T12:00:00Z","status":"error","error":{"type":"unknown"}}`, "gemini"},
		"qwen":                  {`{"type":"system","subtype":"init","session_id":"s","qwen_code_version":"0.20.0"}` + "\n" + strings.Repeat(`{"type":"assistant","session_id":"s","message":{}}`+"\n", 90), "qwen"},
		"qwen, by its result":   {`{"type":"result","subtype":"error_during_execution","session_id":"s","is_error":true,"error":{"message":"429"}}`, "qwen"},
		"qwen, that streams":    {`{"type":"system","subtype":"init","session_id":"s","qwen_code_version":"0.20.0"}` + "\n" + strings.Repeat(`{"type":"stream_event","session_id":"s","event":{}}`+"\n", 900), "qwen"},
		"qwen, by its usage":    {`{"type":"stream_event","session_id":"s"}` + `{"type":"result","subtype":"success","session_id":"s","is_error":false,"usage":{"total_tokens":5}}`, "qwen"},
		"amp":                   {`{"type":"system","subtype":"init","session_id":"T-1"}`, "amp"},
		"cursor":                {`{"type":"thinking","subtype":"delta","text":"x","session_id":"s","timestamp_ms":1}`, "cursor"},
		"cursor, by its result": {`{"type":"result","subtype":"success","is_error":false,"session_id":"s","usage":{"inputTokens":1}}`, "cursor"},
		"cursor, after claude":  {`{"type":"system","subtype":"init","session_id":"s"}` + "\n" + `{"type":"tool_call","subtype":"started","session_id":"s","tool_call":{}}`, "cursor"},
		"grok, after an error":  {`{"type":"error","message":"x"}` + `{"type":"thought","data":"hm"}`, "grok"},
		"opencode":              {`{"type":"step_start","timestamp":1,"sessionID":"ses_1","part":{}}`, "opencode"},
		"copilot":               {`{"type":"session.start","data":{},"id":"1","timestamp":"x","parentId":null}`, "copilot"},
		"copilot, by its end":   {`{"type":"result","timestamp":"x","sessionId":"s","exitCode":1,"usage":{}}`, "copilot"},
		"grok":                  {`{"type":"thought","data":"hm"}`, "grok"},
		"grok, an error alone":  {`{"type":"error","message":"API error (status 429): subscription:free-usage-exhausted"}`, "grok"},
		"nothing":               {"", ""},
		"prose":                 {"claude: limit reached\n", ""},
		"other JSON":            {`{"a":1}` + "\n" + `{"level":"info","msg":"x"}`, ""},
		"deep":                  {strings.Repeat(`{"a":`, 50_000), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := marked([]byte(tc.head[:min(len(tc.head), GuessSize)])); got != tc.want {
				t.Errorf("the marks are those of %q, want %q", got, tc.want)
			}
			// One that is not there is taken for no other.
			if got, want := Guess([]byte(tc.head)), dialectOf(tc.want); tc.want != "" && got != want {
				t.Errorf("guessed %q, want %q", got, want)
			}
		})
	}
}

func TestFamilyOf(t *testing.T) {
	for dialect, want := range map[string]string{
		"claude": "claude", "claude-transcript": "claude", "codex": "codex", "codex-rollout": "codex", "cobol": "", "": "",
	} {
		if got := FamilyOf(dialect); got != want {
			t.Errorf("%q belongs to %q, want %q", dialect, got, want)
		}
	}
}

func TestGuessMessage(t *testing.T) {
	for text, want := range map[string]string{
		"Claude AI usage limit reached|1760000400":                                                              "claude",
		"5-hour limit reached ∙ resets 3pm":                                                                     "claude",
		"You've hit your limit · resets 3am (Europe/Berlin)":                                                    "claude",
		"You’ve hit your weekly limit · resets Mon 12:00am":                                                     "claude",
		"Not logged in · Please run /login":                                                                     "claude",
		"You've hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again at 3:05 PM": "codex",
		"You’ve hit your usage limit. Please try again in 2 days 17 hours.":                                     "codex",
		"stream disconnected before completion: Rate limit reached for gpt-5.2":                                 "codex",
		"exceeded retry limit, last status: 429 Too Many Requests":                                              "codex",
		"[API Error: You have exhausted your capacity on this model. Your quota will reset after 10h31m2s.]":    "gemini",
		"Qwen OAuth quota exceeded":                                                                             "qwen",
		"Authentication required. Please run 'cursor-agent login' first":                                        "cursor",
		"litellm.RateLimitError: AnthropicException - limited":                                                  "aider",
		"402 You have no quota":                                                                                 "copilot",
		"You’ve hit the rate limit for your plan.":                                                              "grok",
		"copilot: model claude-sonnet-4.5 is limited":                                                           "copilot",
		"You've hit your usage limit":                                                                           "",
		"429 Too Many Requests":                                                                                 "",
		"claude and codex are both limited":                                                                     "",
		"the precursor of a limit":                                                                              "",
		"":                                                                                                      "",
	} {
		if got := GuessMessage(text); got != want {
			t.Errorf("%q is taken for one of %q, want %q", text, got, want)
		}
	}
}

func FuzzGuess(f *testing.F) {
	f.Add([]byte(`{"type":"system","session_id":"s"}` + "\n{\x00[" + `{"type":"error","message":"x"`))
	f.Add([]byte("[\x1b[0m" + `{"payload":{},"type":"compacted"},{"error":{"message":1},"type":"result","is_error":0}`))
	f.Fuzz(func(t *testing.T, head []byte) {
		if got := Guess(head); got != "" && !slices.Contains(Dialects(), got) {
			t.Fatalf("%q is no dialect", got)
		}
		GuessMessage(string(head))
	})
}
