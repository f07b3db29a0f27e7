package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Nothing that explain tells of an output has a secret that run would have taken out:
// the message, the excerpts, the model and the names of usage windows.
func TestExplainTellsNoSecret(t *testing.T) {
	stream := strings.Join([]string{
		`{"type":"system","subtype":"init","session_id":"s-1","model":"opus-hunter2"}`,
		`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","rateLimitType":"hunter2_hour","utilization":1,"resetsAt":1790866800}}`,
		`{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"num_turns":1,"result":"limit of hunter2 reached"}`,
	}, "\n")
	for _, args := range [][]string{{"-"}, {"--json", "-"}, {"--text", "limit of hunter2 reached"}, {"--json", "--text", "limit of hunter2 reached"}} {
		var w world
		if code := w.do(stream, nil, append([]string{"explain", "--family", "claude"}, args...)...); code != ExitDone {
			t.Fatalf("exit code %d, %s", code, w.err.String())
		}
		if got := w.out.String(); strings.Contains(got, "hunter2") || !strings.Contains(got, "limit of ***") {
			t.Errorf("%v: %s", args, got)
		}
	}
}

// No JSON that explain prints has a character that a terminal obeys, or that reorders or
// hides text, wherever it came from.
func TestExplainPrintsNothingHiddenAsJSON(t *testing.T) {
	const hidden = "\u009b31m\u0090\u202e\u2066\u200b\u007f\U000e0041"
	path := filepath.Join(t.TempDir(), "a"+hidden+".jsonl")
	stream := `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","rateLimitType":"five_hour"}}` + "\n" +
		`{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"num_turns":1,"result":"limit` + hidden + `"}`
	if err := os.WriteFile(path, []byte(stream), 0o600); err != nil {
		t.Fatal(err)
	}
	var w world
	if code := w.do("", nil, "explain", "--family", "claude", "--json", path); code != ExitDone {
		t.Fatalf("exit code %d, %s", code, w.err.String())
	}
	if got := w.out.String(); strings.ContainsAny(got, hidden[len("\u009b31m"):]+"\u009b") || strings.Count(got, `\u009b31m`) != 2 {
		t.Errorf("%q", got)
	}
}
