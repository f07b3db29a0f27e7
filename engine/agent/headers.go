package agent

import (
	"strings"
	"time"
)

// maxHeaders bounds how many headers of one answer are kept.
const maxHeaders = 128

// headers are the headers of an answer by their names in lower case.
type headers map[string]raw

// told is what the headers of a refusal tell about the limit.
type told struct {
	reset time.Time // zero if they tell none
	usage bool      // it is an allowance that is spent
	bound bool      // it binds one model
	word  string    // which, as far as it is told
}

// readHeaders finds when the limits end that the headers of a refusal call spent. Those
// of windows that have something left are not looked at.
func readHeaders(object raw, now time.Time) told {
	h := headers{}
	members(object, func(name string, v raw) {
		if len(h) < maxHeaders {
			h[strings.ToLower(cut(name, maxName))] = v
		}
	})
	t := told{reset: h.retryAfter(now)}
	for name, v := range h {
		switch {
		case strings.HasPrefix(name, "anthropic-ratelimit-unified"):
			t.unified(h, name, v, now)
		case strings.HasPrefix(name, "anthropic-ratelimit-") && strings.HasSuffix(name, "-remaining"):
			if n, ok := v.number(); ok && n == 0 {
				t.until(instant(h[strings.TrimSuffix(name, "remaining")+"reset"], now))
			}
		case strings.HasPrefix(name, "x-ratelimit-remaining-"):
			if n, ok := v.number(); ok && n == 0 {
				t.until(in(h["x-ratelimit-reset-"+strings.TrimPrefix(name, "x-ratelimit-remaining-")], now))
			}
		case strings.HasPrefix(name, "x-codex-") && strings.HasSuffix(name, "-used-percent"):
			if n, ok := v.number(); ok && n >= 100 {
				window := strings.TrimSuffix(name, "used-percent")
				t.usage = true
				t.until(instant(h[window+"reset-at"], now))
				t.until(in(h[window+"reset-after-seconds"], now))
			}
		}
	}
	return t
}

func (t *told) until(reset time.Time) { t.reset = later(t.reset, reset) }

// unified reads a status of the windows that a subscription has: of all together, or of
// one. The claim names the window that refuses.
func (t *told) unified(h headers, name string, v raw, now time.Time) {
	switch window, isStatus := strings.CutSuffix(name, "status"); {
	case strings.HasSuffix(name, "-overage-status"):
	case isStatus && v.text() == "rejected":
		t.usage = true
		t.until(instant(h[window+"reset"], now))
	case name == "anthropic-ratelimit-unified-representative-claim":
		t.word, t.bound = claudeModelWord(v.text())
	}
}

// retryAfter reads how long the provider wants to be left alone: milliseconds, seconds,
// or a date (RFC 9110).
func (h headers) retryAfter(now time.Time) time.Time {
	if ms, ok := h["retry-after-ms"].number(); ok {
		return after(now, ms/1e3)
	}
	v := h["retry-after"]
	if _, ok := v.number(); ok {
		return in(v, now)
	}
	for _, form := range []string{time.RFC1123, time.RFC850, time.ANSIC} {
		if t, err := time.Parse(form, v.text()); err == nil {
			return believable(roundUp(t).UTC(), now)
		}
	}
	return time.Time{}
}

// in is the instant that a field is away: a number of seconds, or a duration such as
// "6m0s".
func in(v raw, now time.Time) time.Time {
	if n, ok := v.number(); ok {
		return after(now, n)
	}
	d, _ := leadingDuration(v.text())
	return after(now, d.Seconds())
}
