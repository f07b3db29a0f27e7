package agent

import (
	"testing"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
)

const grokEnded = `{"type":"end","stopReason":"EndTurn","sessionId":"g1","usage":{"input_tokens":8,"output_tokens":4,"cache_read_input_tokens":2},"num_turns":1,` +
	`"modelUsage":{"grok-mini":{"modelCalls":1},"grok-build":{"modelCalls":2}},"total_cost_usd":0.25}`

func grokError(message string) string { return `{"type":"error","message":"` + message + `"}` }

func TestGrokVerdicts(t *testing.T) {
	const prefix = "grok.error."
	failed := End{Exit: run.Exit{Code: 1}}
	step := func(reason string) string {
		return `{"type":"step_finish","sessionID":"g1","stepNumber":1,"finishReason":"` + reason + `","usage":{"inputTokens":3,"outputTokens":2}}`
	}
	for name, tc := range map[string]struct {
		stream []string
		end    End
		want   wanted
	}{
		"done":                    {[]string{grokEnded}, failed, wanted{class: run.ClassSuccess, model: "grok-build", rules: "grok.end.endturn"}},
		"an error, then the end":  {[]string{grokError("429 x"), `{"type":"text","data":"x"}`, grokEnded}, End{}, wanted{class: run.ClassSuccess, model: "grok-build", rules: "grok.end.endturn"}},
		"cut off":                 {[]string{`{"type":"text","data":"You’ve hit the rate limit for your plan."}`}, failed, wanted{class: run.ClassIncomplete, rules: "grok.eof"}},
		"as many turns as it may": {[]string{`{"type":"end","stopReason":"max_turn_requests"}`}, End{}, wanted{class: run.ClassFailed, rules: "grok.end.max_turns"}},
		"of older builds":         {[]string{`{"type":"end","stopReason":"Cancelled"}`}, End{}, wanted{class: run.ClassCancelled, rules: "grok.end.cancelled"}},
		"cancelled by us":         {[]string{`{"type":"end","stopReason":"cancelled"}`}, End{Cause: CauseStop}, wanted{class: run.ClassCancelled, rules: "end.stop"}},
		"a plan's limit":          {[]string{grokError("You’ve hit the rate limit for your plan. Upgrade.")}, failed, wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "", 0, 0, prefix + "usage_limit"}},
		"a team's limit":          {[]string{grokError("You’ve hit your team’s API rate limit. Try again in 40s.")}, failed, wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "", 1790856040, run.HowText, prefix + "usage_limit"}},
		"free usage":              {[]string{grokError("You’ve reached your free Grok Build usage limit for now.")}, failed, wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "", 0, 0, prefix + "usage_limit"}},
		"free usage, by its code": {[]string{grokError("API error (status 429 Too Many Requests): subscription:free-usage-exhausted: x")}, failed, wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "", 0, 0, prefix + "usage_limit"}},
		"too many requests":       {[]string{grokError("API error (status 429 Too Many Requests): x")}, failed, wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, "", 0, 0, prefix + "429"}},
		"not logged in":           {[]string{grokError("API error (status 401 Unauthorized): x")}, failed, wanted{class: run.ClassAuth, rules: prefix + "auth"}},
		"no session":              {[]string{grokError("Couldn't start session: x")}, failed, wanted{class: run.ClassFailed, rules: prefix + "error"}},

		"grok-cli, done":             {[]string{step("tool-calls"), step("stop"), `{"type":"run_finish","success":true,"exitCode":0,"errorCount":0}`}, End{}, wanted{class: run.ClassSuccess, rules: "grok.end.stop"}},
		"grok-cli, older":            {[]string{step("stop")}, End{}, wanted{class: run.ClassSuccess, rules: "grok.end.stop"}},
		"grok-cli, older, fails":     {[]string{step("stop")}, failed, wanted{class: run.ClassIncomplete, rules: "grok.eof"}},
		"grok-cli, cut off":          {[]string{step("tool-calls")}, End{}, wanted{class: run.ClassIncomplete, rules: "grok.eof"}},
		"grok-cli, an error":         {[]string{grokError("429 rate limit exceeded"), step("error"), `{"type":"run_finish","success":false,"exitCode":1}`}, failed, wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, "", 0, 0, prefix + "429"}},
		"grok-cli, nothing is known": {[]string{`{"type":"run_finish","success":false,"exitCode":1}`}, failed, wanted{class: run.ClassFailed, rules: prefix + "error"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := wantedOf(judgeText("grok", lines(tc.stream...), atNoon(), tc.end))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGrokSights(t *testing.T) {
	for name, tc := range map[string]struct {
		stream []string
		want   []run.Sight
	}{
		"build": {[]string{
			`{"type":"thought","data":"hm"}`, `{"type":"text","data":"Do"}`, `{"type":"text","data":""}`, `{"type":"text","data":"ne."}`,
			`{"type":"tool_call","toolCallId":"1","title":"Read","toolName":"read_file","rawInput":{"path":"a.txt"}}`,
			`{"type":"tool_call","toolCallId":"2","title":"Read"}`,
			`{"type":"usage","stopReason":"tool_use","usage":{"input_tokens":8,"output_tokens":3}}`,
			`{"type":"usage","usage":{}}`,
			grokEnded,
		}, []run.Sight{
			{Served: "text"},
			{Served: "text", Message: "Do"},
			{Served: "text", Message: "Done."},
			{Served: "tool", Doing: "read_file a.txt"},
			{Served: "tool", Doing: "Read"},
			{Served: "tokens", Usage: run.Usage{Input: 8, Output: 3, Unpriced: 11}, Steps: 1},
			{Usage: run.Usage{Input: 8, Output: 3, Unpriced: 11}, Steps: 1, Idle: 1},
			{Session: "g1", Model: "grok-build", Usage: run.Usage{Input: 8, Output: 4, CacheRead: 2, CostUSD: 0.25}, Terminal: true},
		}},
		"grok-cli": {[]string{
			`{"type":"step_start","sessionID":"g1","stepNumber":1,"timestamp":1}`,
			`{"type":"text","sessionID":"g1","stepNumber":1,"text":"hi"}`,
			`{"type":"tool_use","sessionID":"g1","stepNumber":1,"toolCall":{"id":"1","function":{"name":"bash","arguments":"{}"}},"toolResult":{"success":true}}`,
			`{"type":"step_finish","sessionID":"g1","stepNumber":1,"finishReason":"stop","usage":{"inputTokens":3,"outputTokens":2}}`,
		}, []run.Sight{
			{Session: "g1", Served: "text", Message: "hi"},
			{Served: "tool", Doing: "bash"},
			{Served: "tokens", Usage: run.Usage{Input: 3, Output: 2, Unpriced: 5}, Steps: 1, Terminal: true},
		}},
		"of others": {[]string{opencodeSays, opencodeStep("stop"), opencodeError("x", ""), `{"type":"tool_use","tool_name":"x"}`, `{"type":"end"}`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, sights(t, "grok", lines(tc.stream...))); diff != "" {
				t.Errorf("sights (-want +got):\n%s", diff)
			}
		})
	}
}
