package agent

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

const hour = time.Hour

func TestClaudeGauges(t *testing.T) {
	resets := atNoon().Now.Add(2 * hour).UTC()
	at := `"resetsAt":` + strconv.FormatInt(resets.Unix(), 10)
	event := func(info string) string { return `{"type":"rate_limit_event","rate_limit_info":{` + info + `}}` }
	five := func(used float64) [2]run.Gauge {
		return [2]run.Gauge{{Limit: "five_hour", Used: used, Window: 5 * hour, Resets: resets}}
	}
	for name, tc := range map[string]struct {
		info string
		want []run.Sight
	}{
		"a warning": {`"status":"allowed_warning","rateLimitType":"five_hour","utilization":0.91,` + at, []run.Sight{{Served: "allowed", Gauges: five(.91)}}},
		"full":      {`"status":"allowed_warning","rateLimitType":"five_hour","utilization":1.04,` + at, []run.Sight{{Suspect: "the gauge of the five-hour limit is full", Gauges: five(1.04)}}},
		"full, on credits": {
			`"status":"allowed","rateLimitType":"five_hour","utilization":1,"isUsingOverage":true,"overageStatus":"allowed",` + at,
			[]run.Sight{{Served: "allowed", Gauges: five(1)}},
		},
		"all windows": {
			`"status":"allowed","utilization":0.5,"unifiedWindows":{"five_hour":{"utilization":0.25,` + at + `},"seven_day":{"utilization":"0.5"},"x":{"utilization":0}}`,
			[]run.Sight{{Served: "allowed", Gauges: [2]run.Gauge{
				{Limit: "five_hour", Used: .25, Window: 5 * hour, Resets: resets}, {Limit: "seven_day", Used: .5, Window: 7 * 24 * hour},
			}}},
		},
		"none":          {`"status":"allowed","rateLimitType":"five_hour",` + at, []run.Sight{{Served: "allowed"}}},
		"no number":     {`"status":"allowed","rateLimitType":"five_hour","utilization":"much"`, []run.Sight{{Served: "allowed"}}},
		"below nothing": {`"status":"allowed","rateLimitType":"five_hour","utilization":-1`, []run.Sight{{Served: "allowed"}}},
		"a bad name":    {`"status":"allowed","rateLimitType":"a\u001b[1m","utilization":1`, []run.Sight{{Served: "allowed"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, sights(t, DialectClaude, lines(event(tc.info)))); diff != "" {
				t.Errorf("sights (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRolloutSights(t *testing.T) {
	resets := atNoon().Now.Add(2 * hour).UTC()
	stamp := `{"timestamp":"` + atNoon().Now.UTC().Format(time.RFC3339Nano) + `",`
	event := func(payload string) string { return stamp + `"type":"event_msg","payload":{` + payload + `}}` }
	item := func(payload string) string { return stamp + `"type":"response_item","payload":{` + payload + `}}` }
	gauge := func(limit, used string) string {
		return event(`"type":"token_count","info":null,"rate_limits":{"limit_id":` + limit + `,"primary":{"used_percent":` + used +
			`,"window_minutes":299,"resets_in_seconds":7200},"secondary":null}`)
	}
	gauges := func(limit string, used float64) [2]run.Gauge {
		return [2]run.Gauge{{Limit: limit, Used: used, Window: 299 * time.Minute, Resets: resets}}
	}
	for name, tc := range map[string]struct {
		stream string
		want   []run.Sight
	}{
		"head": {
			stamp + `"type":"session_meta","payload":{"id":"r1"}}` + "\n" + stamp + `"type":"turn_context","payload":{"model":"gpt-5"}}`,
			[]run.Sight{{Session: "r1"}, {Model: "gpt-5"}},
		},
		"words":         {item(`"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]`), []run.Sight{{Served: "text", Message: "hi"}}},
		"what it heard": {item(`"type":"message","role":"user","content":[{"text":"You've hit your usage limit."}]`), nil},
		"a call":        {item(`"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\"}"`), []run.Sight{{Served: "tool", Doing: `exec_command ls`}}},
		"a shell":       {item(`"type":"function_call","name":"shell","arguments":"{\"workdir\":\"/w\",\"command\":[\"bash\",\"-lc\",\"ls -la\\ngit log\"]}"`), []run.Sight{{Served: "tool", Doing: `shell ls -la git log`}}},
		"a local shell": {item(`"type":"local_shell_call","status":"completed","action":{"type":"exec","command":["go","test","./..."]}`), []run.Sight{{Served: "tool", Doing: `shell go test ./...`}}},
		"a patch":       {item(`"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+y\n*** Add File: b.go\n+z\n*** End Patch"`), []run.Sight{{Served: "tool", Doing: `apply_patch a.go b.go`}}},
		"a plan":        {item(`"type":"function_call","name":"update_plan","arguments":"{\"plan\":[{\"step\":\"look\",\"status\":\"completed\"},{\"step\":\"mend\",\"status\":\"pending\"}]}"`), []run.Sight{{Served: "tool", Doing: `update_plan look, mend`}}},
		"other words":   {item(`"type":"function_call","name":"tracker__close","arguments":"{\"number\":5}"`), []run.Sight{{Served: "tool", Doing: `tracker__close`}}},
		"its output":    {item(`"type":"function_call_output","output":"429 rate limit"`), nil},
		"tokens": {
			event(`"type":"token_count","info":{"total_token_usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":3}},"rate_limits":null`),
			[]run.Sight{{Usage: run.Usage{Input: 6, CacheRead: 4, Output: 3, Unpriced: 13}}},
		},
		"a gauge":          {gauge(`"codex"`, "42.5"), []run.Sight{{Gauges: gauges("codex", .425)}}},
		"a full gauge":     {gauge(`null`, "100"), []run.Sight{{Gauges: gauges("codex", 1), Suspect: "the gauge of the codex limit is full"}}},
		"of another model": {gauge(`"codex_spark"`, "100"), []run.Sight{{Gauges: gauges("codex_spark", 1)}}},
		"the last words": {
			item(`"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\"}"`) + "\n" + event(`"type":"task_complete","last_agent_message":"All\nis done."`),
			[]run.Sight{{Served: "tool", Doing: "exec_command ls"}, {Terminal: true, Steps: 1, Message: "is done."}},
		},
		"no last words": {
			item(`"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\"}"`) + "\n" + event(`"type":"task_complete","last_agent_message":null`),
			[]run.Sight{{Served: "tool", Doing: "exec_command ls"}, {Terminal: true, Steps: 1}},
		},
		"refused":            {event(`"type":"error","message":"You've hit your usage limit.","codex_error_info":"usage_limit_exceeded"`), []run.Sight{{Limit: true}}},
		"refused at the end": {event(`"type":"task_complete","error":{"message":"x","codex_error_info":"usage_limit_exceeded"}`), []run.Sight{{Limit: true, Terminal: true, Steps: 1}}},
		"another error":      {event(`"type":"task_complete","error":{"message":"boom","codex_error_info":"internal_server_error"}`), []run.Sight{{Terminal: true, Steps: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, sights(t, dialectCodexRollout, lines(tc.stream))); diff != "" {
				t.Errorf("sights (-want +got):\n%s", diff)
			}
		})
	}
}

// The last turn of a session counts, and none while one is under way.
func TestTheEndOfASessionOnDisk(t *testing.T) {
	rollout := func(payload string) string { return `{"type":"event_msg","payload":{` + payload + `}}` }
	done, limited := rollout(`"type":"task_complete","error":null`), rollout(`"type":"task_complete","error":{"message":"You've hit your usage limit."}`)
	say := func(stop string) string {
		return `{"type":"assistant","message":{"id":"m1","model":"opus","stop_reason":` + stop + `,"content":[{"type":"text","text":"hi"}]}}`
	}
	ask, fault := `{"type":"user","message":{"content":"go on"}}`, `{"type":"assistant","isApiErrorMessage":true,"error":"rate_limit","message":{"model":"<synthetic>","content":[{"type":"text","text":"limit reached"}]}}`
	broken := `{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]}}`
	for name, tc := range map[string]struct {
		dialect string
		stream  []string
		class   run.Class
	}{
		"rollout, done":               {dialectCodexRollout, []string{done}, run.ClassSuccess},
		"rollout, limited":            {dialectCodexRollout, []string{done, limited}, run.ClassRateLimited},
		"rollout, going on":           {dialectCodexRollout, []string{limited, rollout(`"type":"task_started"`)}, run.ClassIncomplete},
		"rollout, done after a limit": {dialectCodexRollout, []string{limited, rollout(`"type":"task_started"`), done}, run.ClassSuccess},
		"rollout, error and done":     {dialectCodexRollout, []string{rollout(`"type":"error","message":"You've hit your usage limit."`), done}, run.ClassRateLimited},
		"rollout, gone on after one":  {dialectCodexRollout, []string{rollout(`"type":"error","message":"x"`), rollout(`"type":"agent_message","message":"hi"`), done}, run.ClassSuccess},
		"rollout, aborted":            {dialectCodexRollout, []string{rollout(`"type":"turn_aborted","reason":"interrupted"`)}, run.ClassCancelled},
		"transcript, done":            {dialectClaudeTranscript, []string{ask, say(`"end_turn"`)}, run.ClassSuccess},
		"transcript, at a tool":       {dialectClaudeTranscript, []string{ask, say(`"tool_use"`)}, run.ClassIncomplete},
		"transcript, streaming":       {dialectClaudeTranscript, []string{ask, say(`null`)}, run.ClassIncomplete},
		"transcript, asked again":     {dialectClaudeTranscript, []string{say(`"end_turn"`), ask}, run.ClassIncomplete},
		"transcript, broken off":      {dialectClaudeTranscript, []string{ask, say(`"tool_use"`), broken}, run.ClassCancelled},
		"transcript, on after that":   {dialectClaudeTranscript, []string{ask, broken, ask}, run.ClassIncomplete},
		"transcript, quoting that":    {dialectClaudeTranscript, []string{ask, strings.Replace(broken, `"type":"text"`, `"type":"tool_result"`, 1)}, run.ClassIncomplete},
		"transcript, too long":        {dialectClaudeTranscript, []string{say(`"model_context_window_exceeded"`)}, run.ClassContextOverflow},
		"transcript, limited":         {dialectClaudeTranscript, []string{ask, fault}, run.ClassRateLimited},
		"transcript, after a limit":   {dialectClaudeTranscript, []string{fault, ask, say(`"end_turn"`)}, run.ClassSuccess},
	} {
		t.Run(name, func(t *testing.T) {
			if v := judgeText(tc.dialect, lines(tc.stream...), atNoon(), End{}); v.Class != tc.class {
				t.Errorf("%s, want %s: %+v", v.Class, tc.class, v.Evidence)
			}
		})
	}
}

func FuzzReaderClaudeTranscript(f *testing.F) { fuzzReader(f, "claude-transcript") }

func FuzzReaderCodexRollout(f *testing.F) { fuzzReader(f, "codex-rollout") }
