package agent

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// vast is the inside of a text that makes its line too long to be kept whole.
var vast = strings.Repeat(`a \"limit reached\" {,[ `, record.MaxLine/20)

// A line that is too long to be kept whole may hold several records, and each of them
// may be the end: none of them is mixed up with another, and none gets lost. What a
// record lacks because its middle is not kept is not taken for what it would say.
func TestTheEndIsInALongLine(t *testing.T) {
	const (
		before  = `{"type":"system","subtype":"init","session_id":"s1","model":"claude-sonnet-5"}`
		done    = `{"type":"result","subtype":"success","is_error":false,"result":"ok"}`
		limit   = `{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You've hit your session limit · resets 3pm (UTC)"}`
		vastEnd = `{"type":"result","subtype":"success","is_error":true,"result":"VAST","api_error_status":429}`
	)
	reset := atNoon().Now.Add(3 * time.Hour)
	for name, tc := range map[string]struct {
		line  string
		class run.Class
		rule  string
		reset time.Time
	}{
		"a limit after a vast record":       {before + `{"type":"user","message":"VAST"}` + limit, run.ClassRateLimited, "", reset},
		"a limit after a vast success":      {`{"type":"result","subtype":"success","is_error":false,"result":"VAST","uuid":"u"}` + limit, run.ClassRateLimited, "", reset},
		"a vast limit after a vast success": {`{"type":"result","subtype":"success","is_error":false,"result":"VAST"}` + vastEnd, run.ClassRateLimited, "", time.Time{}},
		"a limit between vast records":      {`{"type":"user","message":"VAST"}` + limit + `{"type":"user","message":"VAST"}`, run.ClassRateLimited, "", reset},
		"a success after a vast limit":      {vastEnd + done, run.ClassSuccess, "", time.Time{}},
		"in a list":                         {`[{"type":"user","message":"VAST"}, ` + limit + `]`, run.ClassRateLimited, "", reset},
		"with colours":                      {"\x1b[0m" + `{"type":"user","message":"VAST"}` + "\x1b[1;31m " + limit + "\x1b[0m", run.ClassRateLimited, "", reset},
		"as prose":                          {`{"type":"user","message":"VAST"}` + " note: " + done, run.ClassIncomplete, "claude.eof", time.Time{}},
		"after prose":                       {"note: " + vast + done, run.ClassIncomplete, "claude.eof", time.Time{}},
		"whether it failed is not kept":     {`{"type":"result","a":"VAST","is_error":true,"b":"VAST","subtype":"success"}`, run.ClassIncomplete, "claude.result.cut", time.Time{}},
		"why it failed is not kept":         {`{"type":"result","subtype":"success","is_error":true,"a":"VAST","result":"You've hit your session limit","b":"VAST"}`, run.ClassIncomplete, "claude.result.cut", time.Time{}},
		"only the event is kept": {`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":` + strconv.FormatInt(reset.Unix(), 10) + `,"rateLimitType":"five_hour"}}` +
			`{"type":"result","subtype":"success","is_error":true,"a":"VAST","result":"x","b":"VAST"}`, run.ClassRateLimited, "", reset},
		"why it failed is there": {`{"type":"result","subtype":"success","is_error":true,"result":"Prompt is too long","b":"VAST"}`, run.ClassContextOverflow, "", time.Time{}},
		"torn":                   {done + `{"type":"user","message":"VAST`, run.ClassSuccess, "", time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			stream := strings.ReplaceAll(tc.line, "VAST", vast) + "\n"
			for _, size := range []int{len(stream), 4096} {
				v, _, _ := readWhole(t, "claude", []byte(stream), size)
				if v.Class != tc.class || !v.Reset.Equal(tc.reset) || tc.rule != "" && rulesOf(v) != tc.rule {
					t.Errorf("%s by %s, reset %s; want %s by %q, reset %s", v.Class, rulesOf(v), v.Reset, tc.class, tc.rule, tc.reset)
				}
			}
		})
	}
	v := judgeText("codex", strings.ReplaceAll(`{"type":"turn.failed","error":{"message":"You've hit your usage limit.","x":"VAST"}}`, "VAST", vast), atNoon(), End{})
	if v.Class != run.ClassIncomplete || rulesOf(v) != "codex.turn.failed.cut" {
		t.Errorf("codex: %s by %s", v.Class, rulesOf(v))
	}
}

func TestGiantLinesAreReadFromTheirEnds(t *testing.T) {
	giant := strings.Repeat(`a \"limit reached\" `, 200_000)
	stream := `{"type":"system","subtype":"init","session_id":"s1","model":"claude-sonnet-5"}` + "\n" +
		fmt.Sprintf(`{"type":"user","message":{"content":"%s"},"session_id":"s1"}`+"\n", giant) +
		fmt.Sprintf(`{"type":"result","subtype":"success","is_error":false,"result":"%s","total_cost_usd":0.5,"usage":{"output_tokens":7}}`+"\n", giant)
	v := judgeText("claude", stream, Reference{}, End{})
	if v.Class.String() != "success" || v.Usage.Output != 7 || v.Usage.CostUSD != 0.5 || v.Session != "s1" {
		t.Errorf("verdict = %+v, want a success with its usage", v)
	}
}
