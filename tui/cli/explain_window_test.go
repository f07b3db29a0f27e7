package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A reset that has passed is told as such, whatever form it has; one that is unknown or
// to come is not.
func TestAResetThatHasPassed(t *testing.T) { // it is 12:00 on Thursday, 1 October 2026
	for message, want := range map[string]string{
		"Claude AI usage limit reached|1790852400":                            "2026-10-01T11:00:00Z",
		"Claude AI usage limit reached|1760000400":                            "2025-10-09T09:00:00Z",
		"You've hit your session limit · resets 11am":                         "2026-10-01T11:00:00Z",
		"You've hit your usage limit. Try again at Sep 30th, 2026 7:00 AM.":   "2026-09-30T07:00:00Z",
		"You've hit your usage limit. Try again at Feb 3rd, 2025 7:00 AM.":    "2025-02-03T07:00:00Z",
		"You've hit your weekly limit · resets Sep 28 at 7pm (Europe/Madrid)": "2026-09-28T17:00:00Z",
		"You've hit your weekly limit · resets today at 7am":                  "2026-10-01T07:00:00Z",
		"You've hit your usage limit. Try again later.":                       "",
		"You've hit your usage limit. Try again in 90 days.":                  "",
		"You've hit your limit · resets 3pm":                                  "",
		"You've hit your limit · resets 3pm (Mars/Olympus)":                   "",
		"You've hit your usage limit. Try again at Feb 31st, 2025 7:00 AM.":   "",
		"Prompt is too long, and resets Sep 28 at 7pm":                        "",
	} {
		e := &explainer{ports: Ports{Now: now}, zone: time.UTC}
		x := e.message(message)
		got := ""
		if !x.Passed.IsZero() {
			got = x.Passed.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q: passed %q, want %q", message, got, want)
		}
		if want == "" {
			continue
		}
		var out strings.Builder
		if err := x.plain(&out, now(), time.UTC); err != nil || !strings.Contains(out.String(), "resets    unknown: the reset that it names, ") {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
}

// A file that was written anew long after its words, as a copy is, has no time that tells
// when they were said: the reset that it states does.
func TestAStatedResetThatHasPassed(t *testing.T) {
	for path, want := range map[string]string{
		"../../testdata/streams/claude/oauth-429unified.jsonl":                   "2026-11-30T07:48:43Z",
		"../../testdata/catalogue/claude/early_success_then_429.jsonl":           "2026-10-01T15:00:00Z",
		"../../testdata/catalogue/claude-transcript/rate_limit_synthetic.jsonl":  "",
		"../../testdata/catalogue/codex-rollout/usage_limit_task_complete.jsonl": "",
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		stated, err := time.Parse(time.RFC3339, orNoon(want))
		if err != nil {
			t.Fatal(err)
		}
		for _, after := range []time.Duration{time.Minute, 5 * time.Hour, 25 * time.Hour, 40 * 24 * time.Hour} {
			copied := filepath.Join(t.TempDir(), "copy.jsonl")
			if err := os.WriteFile(copied, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(copied, time.Time{}, stated.Add(after)); err != nil {
				t.Fatal(err)
			}
			e := &explainer{ports: Ports{Now: now}, zone: time.UTC}
			x, err := e.file(copied)
			if err != nil {
				t.Fatal(err)
			}
			if want == "" {
				if x.Verdict.Reset.IsZero() {
					t.Errorf("%s, written %v later: no reset, and its lines have a time", path, after)
				}
				continue
			}
			if !x.Verdict.Reset.IsZero() || !x.Passed.Equal(stated) {
				t.Errorf("%s, written %v after its reset: reset %v, passed %v, want passed %v", path, after, x.Verdict.Reset, x.Passed, stated)
			}
		}
	}
}

func orNoon(stamp string) string {
	if stamp == "" {
		return "2026-10-01T12:00:00Z"
	}
	return stamp
}

// Each message that is given is explained.
func TestExplainOfSeveralTexts(t *testing.T) {
	var w world
	code := w.do("", nil, "explain", "--text", "You've hit your usage limit", "--text", "Not logged in, please run /login", "--text", "boom")
	for _, want := range []string{"outcome   rate_limited", "outcome   auth", "outcome   failed"} {
		if code != ExitDone || !strings.Contains(w.out.String(), want) {
			t.Errorf("exit code %d, want %q in\n%s%s", code, want, w.out.String(), w.err.String())
		}
	}
}
