package cli

import (
	"errors"
	"io"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

func TestExplain(t *testing.T) {
	tests := map[string]struct {
		args  []string
		stdin string
	}{
		"plain":  {[]string{"testdata/claude_limited.jsonl", "testdata/codex_success.jsonl", "testdata/claude_opus.jsonl", "testdata/claude_credit.jsonl", "../../testdata/catalogue/claude-transcript/rate_limit_synthetic.jsonl", "../../testdata/catalogue/codex-rollout/usage_limit_task_complete.jsonl"}, ""},
		"json":   {[]string{"--json", "testdata/claude_limited.jsonl", "testdata/codex_success.jsonl", "testdata/claude_opus.jsonl", "testdata/claude_credit.jsonl"}, ""},
		"family": {[]string{"--json", "--family", "codex", "-"}, "\n{\n"},
		"text":   {[]string{"--text", "You've hit your limit · resets 3pm"}, ""},
		"nobody": {[]string{"--text", "You've hit your usage limit"}, ""},
		"past":   {[]string{"--text", "You've hit your usage limit. Try again at Sep 30th, 2026 7:00 AM."}, ""},
		"blank":  {[]string{"--text", " "}, ""},
		"line":   {[]string{"--text", `{"type":"result","is_error":true,"result":"You've hit your session limit · resets 3pm"}`}, ""},
		"body":   {[]string{"--text", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}`}, ""},
		"login":  {[]string{"--text", "Not logged in · Please run /login"}, ""},
		"busy":   {[]string{"--text", "Selected model is at capacity. Please try a different model.", "--family", "codex"}, ""},
		"empty":  {[]string{"-"}, ""},
		"silent": {[]string{"--json", "-"}, ""},
		"zone":   {[]string{"--json", "--tz", "America/New_York", "--text", "You've hit your limit · resets 3pm"}, ""},
		"gauges": {[]string{"../../testdata/streams/claude/oauth-warn.jsonl", "../../testdata/catalogue/codex-rollout/two_limit_ids.jsonl", "../../testdata/catalogue/codex-rollout/old_resets_in_seconds.jsonl"}, ""},
		"meters": {[]string{"--json", "../../testdata/streams/claude/oauth-warn.jsonl", "../../testdata/catalogue/codex-rollout/two_limit_ids.jsonl"}, ""},
		"stdin":  {[]string{"-"}, `{"type":"thread.started","thread_id":"t"}` + "\n" + `{"type":"turn.failed","error":{"message":"stream error: \u001b[2Jboom"}}` + "\n{\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var w world
			args := append([]string{"explain", "--now", "1790856000"}, tt.args...)
			if code := w.do(tt.stdin, nil, args...); code != ExitDone || w.err.Len() > 0 {
				t.Errorf("exit code %d, %s", code, w.err.String())
			}
			golden.RequireEqual(t, w.out.Bytes())
		})
	}
}

func TestExplainGoesOnAfterAFileThatIsNotThere(t *testing.T) {
	var w world
	code := w.do("", nil, "explain", "none", "testdata/codex_success.jsonl", "gone")
	want := `layover: explain none: no such file or directory
hint: check the path and who may read it
layover: explain gone: no such file or directory
hint: check the path and who may read it
`
	if code != ExitUsage || w.err.String() != want || w.out.Len() == 0 {
		t.Errorf("exit code %d, printed %q, said\n%s", code, w.out.String(), w.err.String())
	}
}

// torn fails after what it holds.
type torn struct{ left string }

func (r *torn) Read(p []byte) (int, error) {
	n := copy(p, r.left)
	if r.left = r.left[n:]; n == 0 {
		return 0, errors.New("input/output error")
	}
	return n, nil
}

func TestExplainOfAnUnreadableInput(t *testing.T) {
	var w world
	code := w.do("", func(p *Ports) { p.Stdin = &torn{`{"type":"thread.started"}`} }, "explain", "-")
	want := "layover: explain -: input/output error\nhint: check the path and who may read it\n"
	if code != ExitUsage || w.err.String() != want || w.out.Len() > 0 {
		t.Errorf("exit code %d, printed %q, said %q", code, w.out.String(), w.err.String())
	}
}

func TestExplainToAReaderThatIsGone(t *testing.T) {
	var w world
	code := w.do("", func(p *Ports) { p.Stdout = gone{} }, "explain", "testdata/codex_success.jsonl")
	if code != ExitFailed {
		t.Errorf("exit code %d, said %q", code, w.err.String())
	}
}

// gone is a pipe that nobody reads.
type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
