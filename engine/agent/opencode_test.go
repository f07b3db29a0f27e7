package agent

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
)

const (
	opencodeStart = `{"type":"step_start","timestamp":1790856000000,"sessionID":"ses_1","part":{"type":"step-start"}}`
	opencodeSays  = `{"type":"text","timestamp":1790856000000,"sessionID":"ses_1","part":{"type":"text","text":"429 usage limit reached"}}`
)

func opencodeStep(reason string) string {
	return `{"type":"step_finish","timestamp":1790856000000,"sessionID":"ses_1","part":{"type":"step-finish","reason":"` + reason +
		`","cost":0.5,"tokens":{"total":15,"input":7,"output":2,"reasoning":3,"cache":{"read":2,"write":1}}}}`
}

func opencodeError(name, data string) string {
	return `{"type":"error","timestamp":1790856000500,"sessionID":"ses_1","error":{"name":"` + name + `","data":{` + data + `}}}`
}

func TestOpencodeVerdicts(t *testing.T) {
	const prefix = "opencode.error."
	failed := End{Exit: run.Exit{Code: 1}}
	limited := opencodeError("APIError", `"message":"Rate limit exceeded","statusCode":429`)
	for name, tc := range map[string]struct {
		stream []string
		end    End
		want   wanted
	}{
		"a step that stops":             {[]string{opencodeStart, opencodeSays, opencodeStep("stop")}, End{}, wanted{class: run.ClassSuccess, rules: "opencode.step.stop"}},
		"a step that stops, killed":     {[]string{opencodeStart, opencodeStep("stop")}, End{Exit: run.Exit{Code: -1, Signal: "killed"}, Cause: CauseStall}, wanted{class: run.ClassSuccess, rules: "opencode.step.stop"}},
		"a step that stops, then fails": {[]string{opencodeStart, opencodeStep("stop")}, failed, wanted{class: run.ClassIncomplete, rules: "opencode.eof"}},
		"an error, work, and status 1":  {[]string{opencodeStart, limited, opencodeStart, opencodeSays, opencodeStep("stop")}, failed, wanted{class: run.ClassSuccess, rules: "opencode.step.stop"}},
		"an error, work, and status 2":  {[]string{opencodeStart, limited, opencodeStart, opencodeStep("stop")}, End{Exit: run.Exit{Code: 2}}, wanted{class: run.ClassIncomplete, rules: "opencode.eof"}},
		"an error, and half the work":   {[]string{opencodeStart, limited, opencodeStart, opencodeStep("tool-calls")}, failed, wanted{class: run.ClassIncomplete, rules: "opencode.eof"}},
		"done":                          {[]string{opencodeStep("stop"), `{"type":"done","timestamp":1,"reason":"idle","rejected":[]}`}, failed, wanted{class: run.ClassSuccess, rules: "opencode.done"}},
		"done with nothing":             {[]string{opencodeStart, `{"type":"done","timestamp":1,"reason":"idle","rejected":[]}`}, End{}, wanted{class: run.ClassIncomplete, rules: "opencode.eof"}},
		"done behind an error":          {[]string{opencodeStep("stop"), limited, `{"type":"done","timestamp":1,"reason":"idle"}`}, End{}, wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, "", 0, 0, prefix + "429"}},
		"another step follows":          {[]string{opencodeStart, opencodeStep("tool-calls")}, End{}, wanted{class: run.ClassIncomplete, rules: "opencode.eof"}},
		"an answer that was cut":        {[]string{opencodeStart, opencodeStep("unknown")}, End{}, wanted{class: run.ClassIncomplete, rules: "opencode.eof"}},
		"too long an answer":            {[]string{opencodeStart, opencodeStep("length")}, End{}, wanted{class: run.ClassFailed, rules: "opencode.step.length"}},
		"an error, status 0":            {[]string{opencodeStart, limited}, End{}, wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, "", 0, 0, prefix + "429"}},
		"an error, then work":           {[]string{opencodeStart, limited, opencodeStart, opencodeSays, opencodeStep("stop")}, End{}, wanted{class: run.ClassSuccess, rules: "opencode.step.stop"}},
		"work, then an error":           {[]string{opencodeStart, opencodeSays, opencodeStep("stop"), limited}, failed, wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, "", 0, 0, prefix + "429"}},
		"prose, and tool output": {
			[]string{opencodeStart, opencodeSays, `{"type":"tool_use","part":{"type":"tool","tool":"bash","state":{"status":"error","error":"HTTP 429 usage limit reached"}}}`},
			failed,
			wanted{class: run.ClassIncomplete, rules: "opencode.eof"},
		},
		"half a minute": {
			[]string{opencodeError("APIError", `"message":"slow down","statusCode":429,"responseHeaders":{"Retry-After":"29.6"}`)},
			failed,
			wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, "", 1790856031, run.HowStated, prefix + "429"},
		},
		"milliseconds": {
			[]string{opencodeError("APIError", `"message":"slow down","statusCode":429,"responseHeaders":{"retry-after-ms":"1500"}`)},
			failed,
			wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, "", 1790856002, run.HowStated, prefix + "429"},
		},
		"a limit in the body": {
			[]string{opencodeError("APIError", `"message":"Too Many Requests","statusCode":429,"responseBody":"{\"error\":{\"type\":\"usage_limit_reached\",\"message\":\"The usage limit has been reached\",\"resets_at\":1790866800}}"`)},
			failed,
			wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "", 1790866800, run.HowStated, prefix + "usage_limit"},
		},
		"a delay in the body": {
			[]string{opencodeError("APIError", `"message":"Quota","statusCode":429,"responseBody":"{\"error\":{\"code\":429,\"message\":\"Quota\",\"details\":[{\"retryDelay\":\"34.07s\"}]}}"`)},
			failed,
			wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, "", 1790856035, run.HowStated, prefix + "429"},
		},
		"a limit taken for a login": {
			[]string{opencodeError("ProviderAuthError", `"providerID":"opencode-go","message":"Weekly usage limit reached. Try again in 3 days."`)},
			failed,
			wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "", 1790856000 + 72*3600 + 1, run.HowText, prefix + "usage_limit"},
		},
		"a fault taken for a login": {
			[]string{opencodeError("ProviderAuthError", `"message":"Error from provider (Console Go): Upstream request failed: [server_error] Upstream response was not valid JSON"`)},
			failed,
			wanted{class: run.ClassTransport, rules: prefix + "transport"},
		},
		"a login":                  {[]string{opencodeError("ProviderAuthError", `"message":"API key is missing"`)}, failed, wanted{class: run.ClassAuth, rules: prefix + "auth"}},
		"free usage":               {[]string{opencodeError("APIError", `"message":"Free usage exceeded, subscribe to Go","statusCode":429`)}, failed, wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "", 0, 0, prefix + "usage_limit"}},
		"a page for a body":        {[]string{opencodeError("APIError", `"message":"Bad Gateway","statusCode":502,"responseBody":"<p>usage limit reached</p>"`)}, failed, wanted{class: run.ClassTransport, rules: prefix + "transport"}},
		"no money":                 {[]string{opencodeError("APIError", `"message":"Payment Required","statusCode":402`)}, failed, wanted{class: run.ClassBilling, rules: prefix + "billing"}},
		"an error of its own":      {[]string{opencodeError("UnknownError", `"message":"Unexpected server error. Check server logs for details."`)}, failed, wanted{class: run.ClassFailed, rules: prefix + "error"}},
		"without a word":           {[]string{opencodeError("MessageOutputLengthError", "")}, failed, wanted{class: run.ClassFailed, rules: prefix + "error"}},
		"aborted by us":            {[]string{opencodeError("MessageAbortedError", `"message":"x"`)}, End{Cause: CauseDeadline}, wanted{class: run.ClassDeadline, rules: "end.deadline"}},
		"its session is gone":      {nil, End{Exit: run.Exit{Code: 1}, Stderr: []byte("\x1b[91m\x1b[1mError: \x1b[0mSession not found\n")}, wanted{class: run.ClassFailed, rules: "opencode.stderr.session_gone"}},
		"silent until it is ended": {[]string{opencodeStart}, End{Exit: run.Exit{Code: 143}, Cause: CauseStall}, wanted{class: run.ClassStalled, rules: "end.stall"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := wantedOf(judgeText("opencode", lines(tc.stream...), atNoon(), tc.end))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOpencodeSights(t *testing.T) {
	used := run.Usage{Input: 7, Output: 5, CacheRead: 2, CacheWrite: 1, CostUSD: 0.5}
	for name, tc := range map[string]struct {
		stream []string
		want   []run.Sight
	}{
		"started": {[]string{opencodeStart, opencodeStart}, []run.Sight{{Session: "ses_1"}}},
		"a step": {[]string{opencodeSays, opencodeStep("tool-calls"), opencodeStep("stop")}, []run.Sight{
			{Session: "ses_1", Served: "text", Message: "429 usage limit reached"},
			{Served: "tokens", Usage: used, Steps: 1},
			{Served: "tokens", Usage: used.Add(used), Steps: 1, Terminal: true},
		}},
		"tools": {[]string{
			`{"type":"tool_use","sessionID":"s","part":{"type":"tool","tool":"read","state":{"input":{"limit":5,"filePath":"/a b"}}}}`,
			`{"type":"tool_use","sessionID":"s","part":{"type":"tool","tool":"bash","state":{"input":{"command":"ls","description":"look"}}}}`,
		}, []run.Sight{{Session: "s", Served: "tool", Doing: "read /a b"}, {Served: "tool", Doing: "bash ls"}}},
		"thought is a part of the output": {[]string{
			`{"type":"step_finish","part":{"type":"step-finish","reason":"tool-calls","tokens":{"total":9,"input":4,"output":5,"reasoning":3}}}`,
		}, []run.Sight{{Served: "tokens", Usage: run.Usage{Input: 4, Output: 5, Unpriced: 9}, Steps: 1}}},
		"an error": {[]string{opencodeError("APIError", `"message":"x"`)}, []run.Sight{{Session: "ses_1", Terminal: true}}},
		"of others": {[]string{
			`{"type":"text","text":"hi","stepNumber":1}`, `{"type":"error","message":"x"}`, `{"type":"step_finish","stepNumber":1,"usage":{}}`,
			`{"type":"tool_use","tool_name":"x"}`, `{"type":"done"}`,
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, sights(t, "opencode", lines(tc.stream...))); diff != "" {
				t.Errorf("sights (-want +got):\n%s", diff)
			}
		})
	}
}

// As recorded: an answer that is cut is asked for again for ever, and each time is a
// step without tokens.
func TestOpencodeThatLoopsIsIdle(t *testing.T) {
	stream, err := os.ReadFile(filepath.Join(fixtures, "streams/opencode/drop.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all run.Sight
	for _, s := range sights(t, "opencode", string(stream)) {
		all.Steps += s.Steps
		all.Idle += s.Idle
		if s.Served != "" || s.Terminal {
			t.Fatalf("sight = %+v", s)
		}
	}
	if all.Steps != 55 || all.Idle != 55 {
		t.Errorf("%d steps, %d of them idle; want 55", all.Steps, all.Idle)
	}
}
