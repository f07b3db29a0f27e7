package policy

import "time"

// The numbers of windows and probes, from design.md §6.
const (
	// ProbeTimeout is how long a probe may go without a sign.
	ProbeTimeout = 90 * time.Second
	// Stagger is the time between two lanes that a window lets go.
	Stagger = 250 * time.Millisecond
	// SuspectFor is how long a suspicion lasts by itself.
	SuspectFor = 10 * time.Minute

	usageBase = 60 * time.Second
	usageCap  = 900 * time.Second
	// throttleShare of the time since the window opened passes between probes.
	throttleShare = 0.15
	throttleMin   = 5 * time.Second
	throttleMax   = 15 * time.Second
	// throttleIsUsage is when a throttle that does not end is treated as usage.
	throttleIsUsage = 15 * time.Minute
	// farReset and farRecheck: a reset read from a text that is very far away is
	// tried before, because a misread date must not block for days.
	farReset   = 6 * time.Hour
	farRecheck = 2 * time.Hour

	healthBase = 30 * time.Second
	healthCap  = 5 * time.Minute
	// HealthThreshold is how many exhausted turns in a row open a family's health.
	HealthThreshold = 3
)

// ProbeAfter is how long to wait before the next probe of a window whose end
// nobody stated. Usage tells whether it is an allowance; tries counts the probes
// of it that went wrong.
func ProbeAfter(usage bool, open time.Duration, tries int) time.Duration {
	if usage || open > throttleIsUsage {
		return grow(usageBase, usageCap, tries)
	}
	return min(throttleMax, max(throttleMin, time.Duration(throttleShare*float64(open))))
}

// CountsTry reports whether a bad probe makes the next one later.
func CountsTry(usage bool, open time.Duration) bool { return usage || open > throttleIsUsage }

// TryStated is when to probe a window whose end was said. A text that names a
// minute may mean any second of it: the commands round down.
func TryStated(now, until time.Time, fromText bool) time.Time {
	switch {
	case fromText && until.Sub(now) > farReset:
		return now.Add(farRecheck)
	case fromText && until.Equal(until.Truncate(time.Minute)):
		return until.Add(time.Minute - time.Second)
	}
	return until
}

// HealthCooldown is how long a family that failed too often is left alone;
// opened counts the openings in a row, from zero. Draw is in [0, 1).
func HealthCooldown(opened int, draw float64) time.Duration {
	d := grow(healthBase, healthCap, opened)
	return d + time.Duration(draw*JitterShare*float64(d))
}
