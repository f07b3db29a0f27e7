package engine

import "time"

// Real is the machine's own clock. The zero value is ready. Stepped is for one
// goroutine, the rest for any.
type Real struct{ last time.Time }

// Now implements [Clock].
func (*Real) Now() time.Time { return time.Now() }

// After implements [Clock].
func (*Real) After(at time.Time) (<-chan time.Time, func()) {
	t := time.NewTimer(max(time.Until(at), 0))
	return t.C, func() { t.Stop() }
}

// Jump implements [Clock]: real time does not jump.
func (*Real) Jump(time.Time) bool { return false }

// stepFrom is the smallest step that counts.
const stepFrom = 2 * time.Second

// Stepped implements [Stepper]. The monotonic clock stands still while the
// machine sleeps and is never set, so the difference is the step.
func (r *Real) Stepped() time.Duration {
	now := time.Now()
	last := r.last
	r.last = now
	if last.IsZero() {
		return 0
	}
	step := now.Round(0).Sub(last.Round(0)) - now.Sub(last)
	if step.Abs() < stepFrom {
		return 0
	}
	return step
}

var (
	_ Clock   = (*Real)(nil)
	_ Stepper = (*Real)(nil)
)
