package agent

import (
	"math"
	"time"

	"example.com/layover/engine/run"
)

// retryNotice makes a notice of what a stream tells; a notice without a number
// counts as the first.
func retryNotice(attempt, most, status int64) run.Retry {
	return run.Retry{Attempt: int(max(1, min(attempt, math.MaxInt32))), Max: int(min(most, math.MaxInt32)), Status: int(min(status, 999))}
}

// suspectRetries tells why so many 429 notices in a row make a family suspected;
// one alone does not.
func suspectRetries(n int) string {
	if n < 2 {
		return ""
	}
	return "it retries after status 429"
}

// millis is a duration of so many milliseconds, rounded up; zero if it is negative
// or longer than a year.
func millis(ms float64) time.Duration {
	if ms < 0 || ms > 366*24*3600*1000 {
		return 0
	}
	return time.Duration(math.Ceil(ms)) * time.Millisecond
}
