package agent

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"example.com/layover/engine/run"
)

// failures are the last lines of each agent that failed with a message, as its formats have
// them. STATUS is the place of a status, or null.
var failures = map[string]string{
	"claude":            `{"type":"result","subtype":"success","is_error":true,"api_error_status":STATUS,"num_turns":1,"result":TEXT}`,
	"claude-transcript": `{"type":"assistant","isApiErrorMessage":true,"apiErrorStatus":STATUS,"message":{"model":"<synthetic>","content":[{"type":"text","text":TEXT}]}}`,
	"opencode":          `{"type":"error","timestamp":1790856000000,"sessionID":"s","error":{"name":"UnknownError","data":{"message":TEXT,"statusCode":STATUS}}}`,
	"copilot":           `{"type":"session.error","data":{"errorType":"query","message":TEXT,"statusCode":STATUS}}` + "\n" + `{"type":"result","exitCode":1}`,
	"codex":             `{"type":"turn.failed","error":{"message":TEXT}}`,
	"codex-rollout":     `{"type":"event_msg","payload":{"type":"task_complete","error":{"message":TEXT,"codex_error_info":"other"}}}`,
	"gemini":            `{"type":"result","status":"error","error":{"type":"unknown","message":TEXT}}`,
	"grok":              `{"type":"error","message":TEXT}`,
	"qwen":              `{"type":"result","subtype":"error_during_execution","is_error":true,"error":{"type":"x","message":TEXT}}`,
}

// failing is an output of an agent that failed with that text and status.
func failing(dialect, text, status string) string {
	return lines(strings.NewReplacer("TEXT", strconv.Quote(text), "STATUS", status).Replace(failures[dialect]))
}

func TestWordsOfEachAgent(t *testing.T) {
	for dialect := range failures {
		judge := func(text, status string) run.Class {
			return judgeText(dialect, failing(dialect, text, status), atNoon(), End{Exit: run.Exit{Code: 1}}).Class
		}
		for _, text := range usageTold {
			if got := judge(text, "null"); got != run.ClassRateLimited {
				t.Errorf("%s: %s: %v, want a limit", dialect, text, got)
			}
			for _, whole := range []string{
				"API Error: 400 '" + text + "' is not valid", "unexpected status 404 Not Found: " + text, "Cannot read file 'docs/" + text + ".md'",
				`Error executing tool grep: "` + text + `" in output`, fmt.Sprintf(`{"type":"error","status":400,"error":{"type":"invalid_request_error","message":%q}}`, text),
			} {
				if got := judge(whole, "null"); got == run.ClassRateLimited {
					t.Errorf("%s: %s: %v, want no limit", dialect, whole, got)
				}
			}
			if got := judge(text, "400"); strings.Contains(failures[dialect], "STATUS") && got == run.ClassRateLimited {
				t.Errorf("%s: %s with a status of 400: %v, want no limit", dialect, text, got)
			}
		}
	}
	stated := strings.Replace(failing("codex-rollout", "about 'usage limit reached', usage limit reached", ""), "other", "internal_server_error", 1)
	if v := judgeText("codex-rollout", stated, atNoon(), End{}); v.Class == run.ClassRateLimited {
		t.Errorf("a rollout's internal error: %+v, want no limit", v)
	}
}
