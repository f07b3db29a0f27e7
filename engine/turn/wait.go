package turn

import (
	"time"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/policy"
	"example.com/layover/engine/run"
)

// reach is what stands between a lane and its target, and whether the lane may
// wait for it.
type reach struct {
	gate *run.Window
	// at is when the permit may be had; zero means never by itself.
	at time.Time
	// stated is set if the provider said how long wait is.
	stated bool
	wait   time.Duration
	bounds policy.Bounds
	fits   bool
}

// measure finds out how a job reaches a target; waited is the time it has waited
// since its last progress.
func measure(s *run.State, j run.Job, t run.Target, waited time.Duration, now time.Time) reach {
	gate, at := breaker.Gate(s, t)
	r := reach{gate: gate, at: at}
	if gate == nil {
		r.fits = true
		return r
	}
	r.wait, r.stated = lasts(gate, at, now)
	r.bounds = policy.Bounds{
		Now: now, Deadline: deadline(s, j, now), Stated: r.stated, Waited: waited, MaxPark: s.Program.MaxPark.D(),
	}
	allowance, bounded := r.bounds.Allowance()
	switch {
	case at.IsZero(), bounded && allowance == 0, r.stated && bounded && r.wait > allowance:
	default:
		r.fits = mayWait(s, j, r.stated, r.wait)
	}
	return r
}

// lasts is how long a target is held back by its gate, whose permit may be had at an
// instant, and whether the provider said so.
func lasts(gate *run.Window, at, now time.Time) (wait time.Duration, stated bool) {
	wait = at.Sub(now)
	if gate.How.Said() && gate.Permit == nil && gate.Sort == run.SortLimit && gate.Until.After(now) {
		// It may be probed before, or only later if it was wrong again and again.
		return max(gate.Until.Sub(now), wait), true
	}
	return wait, false
}

// MayWait reports whether a job that has not started may wait for a target, and
// when that is to be had.
func MayWait(s *run.State, j run.Job, t run.Target, now time.Time) (time.Time, bool) {
	r := measure(s, j, t, 0, now)
	return r.at, r.gate != nil && r.fits
}

// await makes a lane wait for the window on its target, unless its patience or
// its allowance is better spent on another one.
func await(d *run.Decision, l *run.Lane) {
	s := d.State
	r := measure(s, l.Job, l.Target, waited(l, d.Now), d.Now)
	if r.gate == nil { // it closed in the meantime
		launch(d, l, l.Target, nil, run.WokenDue)
		return
	}
	if !r.fits || impatient(s, l, d.Now, r.stated, r.wait) {
		if elsewhere(d, l, "patience") {
			return
		}
	}
	if !r.fits {
		giveUp(d, l, r)
		return
	}
	plan := waitPlan{at: r.at, how: r.gate.How, window: r.gate.WindowKey, reason: reasonOf(r.gate, l)}
	if !plan.at.After(d.Now) { // another lane is about to probe
		plan.at = d.Now.Add(policy.ProbeTimeout)
	}
	plan.inline = short(r.wait, r.stated)
	if a, bounded := r.bounds.Allowance(); bounded {
		plan.ceiling, plan.allowance = d.Now.Add(a), &a
		if plan.at.After(plan.ceiling) {
			plan.at = plan.ceiling
		}
	}
	plan.look = patienceEnds(s, l, d.Now)
	enter(d, l, plan)
}

// short reports whether a wait is no park.
func short(wait time.Duration, stated bool) bool { return stated && wait <= policy.InlineMax }

// patienceEnds is when a waiting lane is to be asked whether it would rather go
// elsewhere; zero if it has been, or cannot.
func patienceEnds(s *run.State, l *run.Lane, now time.Time) time.Time {
	p := s.Program.Patience
	if left := p.D() - waited(l, now); p != run.Off && left > 0 && canSwap(s, l) {
		return now.Add(left)
	}
	return time.Time{}
}

// modeOf is how a job may wait: not at all where the whole run must not.
func modeOf(s *run.State, j run.Job) run.WaitMode {
	if s.Program.NoWait {
		return run.WaitNever
	}
	return s.Program.Tasks[j.Task].Wait
}

// mayWait reports whether the task's way of waiting allows a wait.
func mayWait(s *run.State, j run.Job, stated bool, wait time.Duration) bool {
	switch modeOf(s, j) {
	case run.WaitNever:
		return false
	case run.WaitInline:
		return short(wait, stated)
	}
	return true
}

// impatient reports whether a lane would rather go elsewhere than wait on.
func impatient(s *run.State, l *run.Lane, now time.Time, stated bool, wait time.Duration) bool {
	p := s.Program.Patience
	if p == run.Off {
		return false
	}
	return waited(l, now) >= p.D() || (stated && wait > p.D())
}

// waited is the time a lane has waited since its last progress, by the clock.
func waited(l *run.Lane, now time.Time) time.Duration {
	w := l.Waited
	if l.Wait != nil && now.After(l.Wait.Since) {
		w += now.Sub(l.Wait.Since)
	}
	return w
}

func bounds(d *run.Decision, l *run.Lane, stated bool) policy.Bounds {
	return policy.Bounds{
		Now: d.Now, Deadline: deadline(d.State, l.Job, d.Now), Stated: stated,
		Waited: waited(l, d.Now), MaxPark: d.State.Program.MaxPark.D(),
	}
}

type waitPlan struct {
	inline    bool
	retry     int
	at        time.Time
	how       run.How
	window    run.WindowKey
	look      time.Time
	ceiling   time.Time
	allowance *time.Duration
	reason    run.Class
}

// enter puts a lane into a wait, or changes the one it is in: a lane stays in its
// one park until it is woken.
func enter(d *run.Decision, l *run.Lane, p waitPlan) {
	if w := l.Wait; w != nil && (!w.Inline || p.inline) {
		// One that waits for a window is woken by it, whatever it was told itself.
		same := w.Window == p.window && (w.WakeAt.Equal(p.at) || !p.window.IsZero()) && w.How == p.how && !w.Released &&
			(p.look.IsZero() || w.LookAt.Equal(p.look)) && w.Ceiling.Equal(p.ceiling)
		if !same {
			d.Record(l.ID, run.ParkMoved{WakeAt: p.at, Window: p.window, How: p.how, LookAt: p.look, Ceiling: p.ceiling})
		}
	} else if p.inline {
		d.Record(l.ID, run.RetryScheduled{
			Retry: p.retry, Reason: p.reason, DelayMs: run.MillisOf(p.at.Sub(d.Now)), WakeAt: p.at, How: p.how,
			Window: p.window, LookAt: p.look, Ceiling: p.ceiling,
		})
	} else {
		forgo(d, l)
		f := run.TurnParked{
			Reason: p.reason, PlannedMs: run.MillisOf(max(p.at.Sub(d.Now), 0)), WakeAt: p.at, How: p.how,
			Streak: l.Streak + 1, Window: p.window, LookAt: p.look, Ceiling: p.ceiling,
		}
		if p.allowance != nil {
			ms := run.MillisOf(*p.allowance)
			f.AllowanceMs = &ms
		}
		d.Record(l.ID, f)
	}
	if stopping(d.State, l) {
		Stop(d, l, false)
	}
}

// hold makes a lane wait without an end of its own while new spawns are paused.
func hold(d *run.Decision, l *run.Lane) {
	var ceiling time.Time
	if end := deadline(d.State, l.Job, d.Now); !end.IsZero() {
		ceiling = end.Add(-policy.WakeReserve)
	}
	if l.Wait == nil || l.Wait.Inline {
		d.Record(l.ID, run.TurnParked{Reason: l.Last.Class, Streak: l.Streak + 1, Ceiling: ceiling})
		return
	}
	d.Record(l.ID, run.ParkMoved{Released: true, Ceiling: ceiling})
}

// Stepped moves a wait along with a clock that jumped: what nobody stated keeps
// its length, and the time jumped over is no waiting.
func Stepped(d *run.Decision, l *run.Lane, by time.Duration) {
	w := l.Wait
	if w == nil {
		return
	}
	f := run.ParkMoved{
		WakeAt: w.WakeAt, Window: w.Window, How: w.How, Released: w.Released,
		LookAt: shift(w.LookAt, by), Ceiling: w.Ceiling, Since: w.Since.Add(by),
	}
	if !w.How.Said() {
		f.WakeAt = shift(w.WakeAt, by)
	}
	if !w.Ceiling.IsZero() && !held(d.State, l) {
		b := bounds(d, l, w.How.Said())
		b.Waited = max(b.Waited-by, 0)
		if a, bounded := b.Allowance(); bounded {
			f.Ceiling = d.Now.Add(a)
		}
	}
	d.Record(l.ID, f)
	Reconsider(d, l)
}

// shift moves an instant, unless it is none.
func shift(at time.Time, by time.Duration) time.Time {
	if at.IsZero() {
		return at
	}
	return at.Add(by)
}

func reasonOf(w *run.Window, l *run.Lane) run.Class {
	switch {
	case w.Sort == run.SortHealth:
		return run.ClassTransport
	case w.Kind == run.KindAuth:
		return run.ClassAuth
	case w.Kind == run.KindBilling:
		return run.ClassBilling
	case !w.Trip && w.Model == "" && l.Last.Class == run.ClassOverloaded:
		return run.ClassOverloaded
	}
	return run.ClassRateLimited
}
