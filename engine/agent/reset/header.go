package reset

import (
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
)

// Headers finds in the headers of a refusal, an object of strings or numbers, when
// the refused call may be made again. It is the latest of what Retry-After tells and of
// the ends of the usage windows that were hit. Only without any of them does it count
// when a bucket of requests or tokens is full again, which is later than need be.
// Headers in any case are known.
func Headers(headers record.Raw, now time.Time) time.Time {
	all := map[string]record.Raw{}
	record.Members(headers, func(name string, v record.Raw) {
		if name = strings.ToLower(name); strings.Contains(name, "reset") || strings.Contains(name, "retry-after") || gauge(name) {
			all[name] = v
		}
	})
	var window, bucket time.Time
	for name, v := range all {
		window = Later(window, fieldReset(name, v, now))
		h, ok := resetHeader(name)
		if !ok || !h.hit(all[h.gauge]) {
			continue
		}
		if t := wait(v, time.Second, now); h.bucket {
			bucket = Later(bucket, t)
		} else {
			window = Later(window, t)
		}
	}
	if window.IsZero() {
		return bucket
	}
	return window
}

// gauge reports a header that tells how far a window or a bucket is used.
func gauge(name string) bool {
	return strings.HasSuffix(name, "-status") || strings.HasSuffix(name, "-used-percent") || strings.Contains(name, "-remaining")
}

// limitHeader is a header that tells when a window or a bucket is full again.
type limitHeader struct {
	gauge  string                // the header that tells how far it is used
	hit    func(record.Raw) bool // what that says once nothing is left, or if it is not there
	bucket bool
}

// resetHeader knows the headers of the providers that tell a reset; false for any other.
func resetHeader(name string) (limitHeader, bool) {
	if window, ok := strings.CutPrefix(name, "x-codex-"); ok {
		for _, end := range []string{"-reset-at", "-reset-after-seconds"} {
			if window, ok := strings.CutSuffix(window, end); ok {
				return limitHeader{gauge: "x-codex-" + window + "-used-percent", hit: Full}, true
			}
		}
	}
	if window, ok := strings.CutPrefix(name, "x-ratelimit-reset-"); ok {
		return limitHeader{gauge: "x-ratelimit-remaining-" + window, hit: empty, bucket: true}, true
	}
	window, ok := strings.CutSuffix(name, "-reset")
	switch {
	case !ok, window == "anthropic-ratelimit-unified-overage": // accounts without credits are always refused these
		return limitHeader{}, false
	case strings.HasPrefix(window, "anthropic-ratelimit-unified"):
		return limitHeader{gauge: window + "-status", hit: rejected}, true
	case strings.HasPrefix(window, "anthropic-ratelimit-"):
		return limitHeader{gauge: window + "-remaining", hit: empty, bucket: true}, true
	}
	return limitHeader{}, false
}

func rejected(v record.Raw) bool { return !v.Set() || v.Text() == "rejected" }

// Full reports whether a share of a window is all of it.
func Full(v record.Raw) bool {
	n, ok := v.Number()
	return !v.Set() || ok && n >= 100
}

func empty(v record.Raw) bool {
	n, ok := v.Number()
	return !v.Set() || ok && n <= 0
}
