package cli

import (
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
