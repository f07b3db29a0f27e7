package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
)

func FuzzReaderGemini(f *testing.F) { fuzzReader(f, "gemini") }

const (
	geminiInit  = `{"type":"init","timestamp":"2026-10-01T11:59:55.000Z","session_id":"g1","model":"gemini-3-pro"}`
	geminiWords = `{"type":"message","role":"assistant","content":"You have exhausted your daily quota on this model.","delta":true}`
)

// geminiFailure is a failed result with that message, at noon.
func geminiFailure(message string) string {
	text, _ := json.Marshal(message)
	return `{"type":"result","timestamp":"2026-10-01T12:00:00.000Z","status":"error","error":{"type":"unknown","message":` + string(text) + `},"stats":{}}`
}

// googleError is the body of an answer.
func googleError(code, status, message, details string) string {
	return `{"error":{"code":` + code + `,"message":"` + message + `","status":"` + status + `","details":[` + details + `]}}`
}

func TestGeminiVerdicts(t *testing.T) {
	const prefix, pro = "gemini.result.", "gemini-3-pro"
	usage := wanted{class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeModel, model: pro, rules: prefix + "quota"}
	failed := wanted{class: run.ClassFailed, model: pro, rules: prefix + "error"}
	until := func(w wanted, reset int64, how run.How) wanted { w.reset, w.how = reset, how; return w }
	for name, tc := range map[string]struct {
		stream []string
		want   wanted
	}{
		"words in prose and output, then success": {
			[]string{
				geminiInit, geminiWords,
				`{"type":"tool_result","tool_id":"a","status":"error","output":"429 RESOURCE_EXHAUSTED","error":{"type":"x","message":"You have exhausted your daily quota on this model."}}`,
				`{"type":"error","severity":"error","message":"You have exhausted your daily quota on this model."}`,
				`{"type":"result","status":"success","stats":{}}`,
			},
			wanted{class: run.ClassSuccess, model: pro, rules: prefix + "success"},
		},
		"words in output, then a vague error": {
			[]string{geminiInit, geminiWords, `{"type":"tool_result","tool_id":"a","status":"error","error":{"message":"limit reached"}}`, `{"type":"result","status":"error"}`},
			failed,
		},
		"the reason is in a line before": {
			[]string{geminiInit, `{"type":"error","severity":"error","message":"[API Error: You have exhausted your daily quota on this model.]"}`, `{"type":"result","status":"error","stats":{}}`},
			usage,
		},
		"cut off": {[]string{geminiInit, geminiWords}, wanted{class: run.ClassIncomplete, rules: "gemini.eof", model: pro}},
		"capacity of the account": {
			[]string{geminiInit, geminiFailure("[API Error: You have exhausted your capacity on this model. Your quota will reset after 5s.]")},
			until(usage, 1790856005, run.HowText),
		},
		"a reset that has come": {
			[]string{geminiInit, geminiFailure("[API Error: You have exhausted your capacity on this model. Your quota will reset after 0s.]")},
			usage,
		},
		"capacity of the server": {
			[]string{geminiInit, geminiFailure(`[API Error: ` + googleError("429", "RESOURCE_EXHAUSTED", "No capacity available", `{"reason":"MODEL_CAPACITY_EXHAUSTED"}`) + `]`)},
			wanted{class: run.ClassOverloaded, model: pro, rules: prefix + "no_capacity"},
		},
		"a day's quota, as a body": {
			[]string{geminiInit, geminiFailure(`[API Error: ` + googleError("429", "RESOURCE_EXHAUSTED", "Quota exceeded.",
				`{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier","quotaDimensions":{"model":"gemini-3-flash"}}]},{" @type":"x","retryDelay":"68940s"}`) + `]`)},
			wanted{run.ClassRateLimited, run.KindUsage, run.ScopeModel, "gemini-3-flash", 1790856000 + 68940, run.HowStated, prefix + "quota"},
		},
		"an array, and a body in the message of another": {
			[]string{geminiInit, geminiFailure(`[API Error: [` + googleError("429", "Too Many Requests", `{\"error\":{\"code\":429,\"message\":\"slow\",\"details\":[{\"retryDelay\":\"900ms\"}]}}`, "") + `]]`)},
			wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, pro, 1790856001, run.HowStated, prefix + "429"},
		},
		"the latest reset counts": {
			[]string{geminiInit, geminiFailure(googleError("429", "RESOURCE_EXHAUSTED", "x",
				`{"retryDelay":"2s"},{"reason":"RATE_LIMIT_EXCEEDED","metadata":{"model":"gemini-3-pro","quotaResetDelay":"539.477544ms","quotaResetTimeStamp":"2026-10-01T12:10:00Z"}}`))},
			wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeModel, pro, 1790856600, run.HowStated, prefix + "429"},
		},
		"a quota that names its model": {
			[]string{geminiInit, geminiFailure("[API Error: You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: x/requests, limit: 5, model: gemini-3-flash\nPlease retry in 34.07s.]")},
			wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeModel, "gemini-3-flash", 1790856035, run.HowText, prefix + "quota_retry"},
		},
		"no quota at all": {
			[]string{geminiInit, geminiFailure("[API Error: You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: x/requests, limit: 0, model: gemini-3-pro\nPlease retry in 34.07s.]")},
			wanted{class: run.ClassBilling, scope: run.ScopeModel, model: pro, rules: prefix + "no_quota"},
		},
		"no credits": {
			[]string{geminiInit, geminiFailure(googleError("429", "RESOURCE_EXHAUSTED", "x", `{"reason":"INSUFFICIENT_G1_CREDITS_BALANCE"}`))},
			wanted{class: run.ClassBilling, model: pro, rules: prefix + "billing"},
		},
		"too long": {
			[]string{geminiInit, geminiFailure("[API Error: The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).]")},
			wanted{class: run.ClassContextOverflow, model: pro, rules: prefix + "too_long"},
		},
		"a login that is refused": {
			[]string{geminiInit, `{"type":"result","status":"error","error":{"type":"FatalAuthenticationError","message":"no"},"stats":{}}`},
			wanted{class: run.ClassAuth, model: pro, rules: prefix + "auth"},
		},
		"a key that is refused": {
			[]string{geminiInit, geminiFailure("[API Error: API key not valid. Please pass a valid API key.]")},
			wanted{class: run.ClassAuth, model: pro, rules: prefix + "auth"},
		},
		"a delay in the metadata": {
			[]string{geminiInit, geminiFailure(googleError("429", "RESOURCE_EXHAUSTED", "x", `{"reason":"RATE_LIMIT_EXCEEDED","metadata":{"quotaResetDelay":"59.1s"}}`))},
			wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, pro, 1790856060, run.HowStated, prefix + "429"},
		},
		"no access": {
			[]string{geminiInit, geminiFailure(googleError("403", "PERMISSION_DENIED", "x", ""))},
			wanted{class: run.ClassAuth, model: pro, rules: prefix + "auth"},
		},
		"too many turns": {
			[]string{geminiInit, `{"type":"result","status":"error","error":{"type":"FatalTurnLimitedError","message":"Reached max session turns for this session."},"stats":{}}`},
			wanted{class: run.ClassFailed, model: pro, rules: prefix + "max_turns"},
		},
		"the model said nothing": {
			[]string{geminiInit, `{"type":"error","severity":"error","message":"The model returned an empty response with no text or thoughts. This may be a transient API issue; please try again."}`, `{"type":"result","status":"error"}`},
			wanted{class: run.ClassTransport, model: pro, rules: prefix + "transport"},
		},
		"advice about the context": {
			[]string{geminiInit, `{"type":"error","severity":"error","message":"The model returned reasoning thoughts but no final response text. If your context window is near capacity, try using /compress."}`, `{"type":"result","status":"error"}`},
			failed,
		},
		"digits are no status":        {[]string{geminiInit, geminiFailure("[API Error: process 429 of 503 ended]")}, failed},
		"a brace, but no body":        {[]string{geminiInit, geminiFailure(`[API Error: unexpected { in {"error":`)}, failed},
		"a body that is not Google's": {[]string{geminiInit, geminiFailure(`[API Error: {"message":"usage limit reached"}]`)}, wanted{class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeFamily, model: pro, rules: prefix + "usage_limit"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := wantedOf(judgeText("gemini", lines(tc.stream...), atNoon(), End{}))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// Where a result has words without a status the exit status has it.
func TestGeminiFailuresWithTheStatusInTheExit(t *testing.T) {
	for code, want := range map[int]run.Class{
		173: run.ClassRateLimited, 247: run.ClassTransport, 145: run.ClassAuth, 147: run.ClassAuth, 144: run.ClassFailed, 1: run.ClassFailed,
	} {
		exit := run.Exit{Code: code}
		if v := judgeText("gemini", lines(geminiInit, geminiFailure("[API Error: something]")), atNoon(), End{Exit: exit}); v.Class != want {
			t.Errorf("exit %d: class %v, want %v", code, v.Class, want)
		}
		full := "[API Error: The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).]"
		if v := judgeText("gemini", lines(geminiInit, geminiFailure(full)), atNoon(), End{Exit: exit}); v.Class != run.ClassContextOverflow {
			t.Errorf("exit %d, a full context: class %v", code, v.Class)
		}
	}
}

// What agents written in JavaScript say of a connection that broke or was never made; not
// what says that somebody ended something.
func TestConnectionsThatBreak(t *testing.T) {
	for text, want := range map[string]run.Class{
		"[API Error: terminated]": run.ClassTransport, "TypeError: terminated": run.ClassTransport, "terminated": run.ClassTransport,
		"API Error: terminated\nmore": run.ClassTransport, "Premature close": run.ClassTransport, "other side closed": run.ClassTransport,
		"Cannot connect to API: The socket connection was closed unexpectedly. For more information, pass `verbose: true` in the second argument to fetch()": run.ClassTransport,
		"Error: Couldn't connect to the Amp server at https://example.com.":                                                                                  run.ClassTransport,
		"Error: Cannot reach Amp servers. Are you offline?":                                                                                                  run.ClassTransport,
		"the task was terminated": run.ClassFailed, "Error: terminated by the user": run.ClassFailed,
	} {
		if got := (problem{text: text}).classify().class; got != want {
			t.Errorf("%q: class %v, want %v", text, got, want)
		}
	}
}

// Where gemini leaves no result its exit status and stderr tell what has failed, unless a
// model had answered.
func TestGeminiExits(t *testing.T) {
	dayLimit, err := os.ReadFile(filepath.Join(fixtures, "streams", "gemini", "429day.stderr"))
	if err != nil {
		t.Fatal(err)
	}
	const warning = "Warning: 256-color support not detected."
	for name, tc := range map[string]struct {
		stream, stderr string
		exit           run.Exit
		class          run.Class
		rules          string
	}{
		"a limit":                      {geminiInit, string(dayLimit), run.Exit{Code: 173}, run.ClassRateLimited, "gemini.stderr.quota"},
		"status 429":                   {geminiInit, warning, run.Exit{Code: 173}, run.ClassRateLimited, "gemini.stderr.429"},
		"status 503":                   {"", warning, run.Exit{Code: 247}, run.ClassTransport, "gemini.stderr.transport"},
		"status 401":                   {"", "", run.Exit{Code: 145}, run.ClassAuth, "gemini.stderr.auth"},
		"status 400":                   {"", warning, run.Exit{Code: 144}, run.ClassFailed, "gemini.stderr.exit.144"},
		"no login":                     {"", "Invalid auth method selected.", run.Exit{Code: 1}, run.ClassAuth, "gemini.stderr.auth"},
		"no login, and how to":         {"", "Please set an Auth method in your settings.json", run.Exit{Code: 1}, run.ClassAuth, "gemini.stderr.auth"},
		"no login, in other words":     {"", "oh no", run.Exit{Code: 41}, run.ClassAuth, "gemini.stderr.exit.41"},
		"a folder that is not trusted": {geminiInit, "", run.Exit{Code: 55}, run.ClassFailed, "gemini.stderr.exit.55"},
		"a session that is gone":       {"", `Error resuming session: Invalid session identifier "g1".`, run.Exit{Code: 42}, run.ClassFailed, "gemini.stderr.session_gone"},
		"sessions that are all gone":   {"", "Error resuming session: No previous sessions found for this project.", run.Exit{Code: 42}, run.ClassFailed, "gemini.stderr.session_gone"},
		"ended by a signal":            {geminiInit, string(dayLimit), run.Exit{Code: 143}, run.ClassIncomplete, "gemini.eof"},
		"a signal, as the guard says":  {geminiInit, string(dayLimit), run.Exit{Code: 173, Signal: "terminated"}, run.ClassIncomplete, "gemini.eof"},
		"told to end":                  {geminiInit, string(dayLimit), run.Exit{}, run.ClassIncomplete, "gemini.eof"},
		"after an answer":              {lines(geminiInit, geminiWords), string(dayLimit), run.Exit{Code: 173}, run.ClassIncomplete, "gemini.eof"},
	} {
		t.Run(name, func(t *testing.T) {
			v := judgeText("gemini", tc.stream, atNoon(), End{Exit: tc.exit, Stderr: []byte(tc.stderr)})
			if v.Class != tc.class || rulesOf(v) != tc.rules {
				t.Errorf("verdict = %v by %q, want %v by %q", v.Class, rulesOf(v), tc.class, tc.rules)
			}
		})
	}
}

func TestGeminiSights(t *testing.T) {
	part := func(text string) string {
		return `{"type":"message","role":"assistant","content":"` + text + `","delta":true}`
	}
	got := sights(t, "gemini", lines(geminiInit,
		`{"type":"message","role":"user","content":"the task"}`, part("I will "), part("look."),
		`{"type":"tool_use","tool_name":"read_file","tool_id":"a","parameters":{"file_path":"a.txt","limit":1}}`,
		`{"type":"tool_result","tool_id":"a","status":"success","output":""}`, part("ack"),
		`{"type":"error","severity":"warning","message":"Loop detected, stopping execution"}`,
		`{"type":"result","status":"success","stats":{"total_tokens":120,"input_tokens":100,"output_tokens":15,"cached":40}}`,
		`{"type":"result","status":"success","stats":{}}`))
	want := []run.Sight{
		{Model: "gemini-3-pro"},
		{Served: "text", Message: "I will"},
		{Served: "text", Message: "I will look."},
		{Served: "tool", Doing: "read_file a.txt", Session: "g1", Model: "gemini-3-pro"},
		{Served: "text", Message: "ack"},
		{Served: "tokens", Usage: run.Usage{Input: 60, CacheRead: 40, Output: 20, Unpriced: 120}, Steps: 1, Terminal: true},
		{Steps: 1, Idle: 1, Terminal: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sights (-want +got):\n%s", diff)
	}
}

// A session in which no model answered, or only the half of a text, cannot be resumed:
// gemini removes it.
func TestGeminiKeepsNoSessionWithoutAnAnswer(t *testing.T) {
	const limit = "[API Error: You have exhausted your daily quota on this model.]"
	tool := `{"type":"tool_use","tool_name":"read_file","tool_id":"a","parameters":{}}`
	for stream, want := range map[string]string{
		lines(geminiInit, geminiFailure(limit)):              "",
		lines(geminiInit, geminiWords, geminiFailure(limit)): "",
		lines(geminiInit, tool, geminiFailure(limit)):        "g1",
		lines(geminiInit, geminiWords, `{"type":"result","status":"success","stats":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}`): "g1",
	} {
		if v := judgeText("gemini", stream, atNoon(), End{}); v.Session != want {
			t.Errorf("session = %q of %v, want %q after\n%s", v.Session, v.Class, want, stream)
		}
	}
}
