package sim

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"example.com/layover/engine/run"
)

// Rules holds what must be so in every run, at every fact and between them. It looks
// at the facts and at a state of its own that they made, never at how they were
// decided. The zero value is not usable.
type Rules struct {
	start time.Time
	// state is what the facts before the one under way have made.
	state *run.State
	h     run.Happening
	// stepped is set while a jump of the clock is decided; jumped is when one last was,
	// back when a new owner came, unpaused when a pause last ended.
	stepped                bool
	jumped, back, unpaused time.Time
	// tryAt is when the next of the windows that lanes wait for is to be tried.
	tryAt     time.Time
	counts    map[string]int
	accounted map[run.AttemptID]bool
	probes    map[run.AttemptID][]run.WindowKey
	released  map[run.WindowKey]time.Time
	used      map[Job]run.Usage
	// signs are when each open lane was last served, or opened; lane zero is the run.
	// idle counts the decisions since any was.
	signs  map[run.LaneID]time.Time
	idle   int
	faults []string
}

// NewRules holds the rules over a run that begins at start.
func NewRules(start time.Time) *Rules {
	return &Rules{
		start: start, state: &run.State{}, counts: map[string]int{}, accounted: map[run.AttemptID]bool{},
		probes:   map[run.AttemptID][]run.WindowKey{},
		released: map[run.WindowKey]time.Time{},
		used:     map[Job]run.Usage{},
		signs:    map[run.LaneID]time.Time{0: start},
	}
}

// Err lists what was broken; nil if nothing was.
func (r *Rules) Err() error {
	if len(r.faults) == 0 {
		return nil
	}
	var all []error
	for _, f := range r.faults {
		all = append(all, errors.New(f))
	}
	return errors.Join(all...)
}

// The numbers of the rules, from design.md §4 to §6. They are not those of package
// policy, which could be wrong.
const (
	wakeReserve     = 30 * time.Second
	inlineMax       = 120 * time.Second
	stagger         = 250 * time.Millisecond
	healthThreshold = 3
	rungs           = 2
)

// maxFaults bounds what is remembered: the first tells most.
const maxFaults = 20

// broken says that a rule does not hold, and how. A test reads the names of the rules
// out of the calls: each is written out, once.
func (r *Rules) broken(rule, format string, args ...any) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, "["+rule+"] "+fmt.Sprintf(format, args...))
	}
}

// Begin says what is decided next.
func (r *Rules) Begin(h run.Happening) {
	r.h = h
	_, r.stepped = h.(run.Stepped)
	if r.idle++; r.idle > maxIdle {
		r.broken("the run goes in circles", "%d decisions without a sign", r.idle)
	}
}

// Back says that a new owner has taken up the run.
func (r *Rules) Back(now time.Time) { r.back = now }

// Fact holds the rules over the next fact.
func (r *Rules) Fact(f run.Fact) {
	faults := len(r.faults)
	if f.Seq != r.state.Seq+1 {
		r.broken("a fact is out of order", "%d does not follow %d", f.Seq, r.state.Seq)
		return
	}
	if !r.tryAt.IsZero() && f.At.Sub(r.tryAt) > time.Second && !r.stepped && !f.At.Equal(r.jumped) && !f.At.Equal(r.back) {
		r.broken("a due window is not tried", "it was due at %s", r.tryAt)
	}
	r.spawns(f)
	r.budgets(f)
	r.windows(f)
	r.waits(f)
	r.hangs(f)
	r.ends(f)
	r.summaries(f)
	r.counts[f.Body.Name()]++
	if err := r.state.Apply(f); err != nil {
		r.doesNotFit(err)
	}
	for i := faults; i < len(r.faults); i++ {
		r.faults[i] = fmt.Sprintf("%s: fact %d, lane %d, %s: %s", f.At.Sub(r.start), f.Seq, f.Lane, f.Body.Name(), r.faults[i])
	}
}

// stopping reports whether a lane has been asked to end.
func (r *Rules) stopping(l *run.Lane) bool { return l != nil && (r.state.Stop != 0 || l.Stop != 0) }

// spawns holds when an agent may be started.
func (r *Rules) spawns(f run.Fact) {
	s, l := r.state, r.state.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.AttemptStarted:
		for _, w := range s.WindowsOn(b.Target) {
			if w.Permit == nil || w.Permit.Attempt != b.Attempt {
				r.broken("a spawn without its permit", "%s", w)
			}
		}
		switch {
		case r.stopping(l):
			r.broken("a spawn after a stop", "%s", b.Target)
		case s.Paused:
			r.broken("a spawn while paused", "%s", b.Target)
		case s.Phase == run.PhaseEnded:
			r.broken("a spawn after the end", "%s", b.Target)
		}
		if end := r.deadline(l); !end.IsZero() && !f.At.Before(end) {
			r.broken("a spawn after the deadline", "it was at %s", end)
		}
		if slices.Contains(s.Missing, b.Target.Agent) {
			r.broken("a spawn of what is not installed", "%s", b.Target)
		}
		if l.State == run.LaneParked {
			r.broken("a spawn out of a park", "without turn_woken")
		}
		if b.Resume != "" && l.Sessions[b.Target] != b.Resume {
			r.broken("a session of another target", "%s is not of %s", b.Resume, b.Target)
		}
	case run.LaneStarted:
		if r.over(f, b) {
			break
		}
		if len(s.Open) >= s.Program.Parallel {
			r.broken("too many lanes", "%d of %d at once", len(s.Open)+1, s.Program.Parallel)
		}
		if s.Stop != 0 {
			r.broken("a lane after a stop", "of %s", b.Task)
		}
		if s.Paused {
			r.broken("a lane while paused", "of %s", b.Task)
		}
	case run.ProviderFallback:
		switch {
		case s.Program.Tasks[l.Job.Task].Pinned:
			r.broken("a pinned task swaps", "to %s", b.To)
		case r.stopping(l):
			r.broken("a swap after a stop", "to %s", b.To)
		case b.Counted && l.Swaps >= s.Program.MaxSwaps:
			r.broken("too many swaps", "%d of %d", l.Swaps+1, s.Program.MaxSwaps)
		case b.From == b.To:
			r.broken("a swap to the same target", "%s", b.To)
		}
		if left, was := l.HasLeft(b.To); was && !r.asked() && l.NextWhy != "operator" && len(s.WindowsOn(b.To)) == 0 && !r.proved(b.To, left.At) {
			r.broken("a return without proof", "to %s", b.To)
		}
	case run.OverflowRung:
		if b.Rung != l.Rung+1 || b.Rung > rungs || b.Keep >= 1 {
			r.broken("an overflow rung out of order", "%d after %d, keeps %v", b.Rung, l.Rung, b.Keep)
		}
	}
}

// asked reports whether what is decided is what the operator asked for.
func (r *Rules) asked() bool {
	switch h := r.h.(type) {
	case run.Command:
		return true
	case run.PermitAnswered:
		return h.Why == run.WokenOperator
	}
	return false
}

// proved reports whether a window of a target has settled good since an instant.
func (r *Rules) proved(t run.Target, since time.Time) bool {
	fam := r.state.Family(r.state.Program.FamilyOf(t))
	for k, at := range fam.Good {
		if k.Binds(fam.Name, t.Model) && at.After(since) {
			return true
		}
	}
	return false
}

// windows holds how windows, their permits and the health of families change.
func (r *Rules) windows(f run.Fact) {
	s, l := r.state, r.state.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.PermitGranted:
		w := s.Window(b.Key)
		a, answered := r.h.(run.PermitAnswered)
		switch {
		case w == nil:
			r.broken("a permit of no window", "%s", b.Key)
			return
		case w.Permit != nil:
			r.broken("a second permit", "of %s", b.Key)
		case !answered || !a.Granted || !slices.Contains(a.Keys, b.Key):
			r.broken("a permit that was not granted", "of %s", b.Key)
		case a.Why == run.WokenOperator:
		case w.NextTry.IsZero() || f.At.Before(w.NextTry):
			r.broken("a probe before its time", "of %s, to be tried at %s", w, w.NextTry)
		case w.How == run.HowStated && f.At.Before(w.Until):
			r.broken("a probe undercuts what was stated", "%s", w)
		}
		r.probes[b.Attempt] = append(r.probes[b.Attempt], b.Key)
	case run.ProbeSettled:
		r.settles(b.Key, b.Attempt)
	case run.PermitReleased:
		r.settles(b.Key, b.Attempt)
	case run.WindowOpened:
		if s.Window(b.WindowKey) != nil {
			r.broken("a window opens twice", "%s", b.WindowKey)
		}
		family := b.Sort == run.SortLimit && b.Model == ""
		if l == nil {
			break
		}
		switch c := classOf(l, b.Attempt); {
		case b.Trip && (!family || c == run.ClassOverloaded):
			r.broken("a trip that is none", "of %s after %s", b.WindowKey, c)
		case !b.Trip && family && c == run.ClassRateLimited:
			r.broken("a limit that does not trip", "%s", b.WindowKey)
		}
	case run.WindowExtended:
		r.keeps(f.At, b.Window)
	case run.WindowSeen:
		r.keeps(f.At, b.Window)
	case run.HealthOpened:
		r.keeps(f.At, b.Window)
		if fam := s.Family(b.Family); fam.Failures < healthThreshold && s.Window(b.WindowKey) == nil {
			r.broken("health opens too soon", "after %d failures", fam.Failures)
		}
	case run.HealthFailed:
		switch b.Class {
		case run.ClassTransport, run.ClassStalled, run.ClassIncomplete:
		default:
			r.broken("what is no ill health counts", "%s", b.Class)
		}
		if r.stopping(l) {
			r.broken("ill health after a stop", "%s", b.Class)
		}
	case run.FamilyTripped:
		if w := s.Window(run.WindowKey{Family: b.Family, Sort: run.SortLimit}); w == nil || !w.Trip {
			r.broken("a trip without a window", "of %s", b.Family)
		}
	case run.SpawnRefused:
		if w := s.Window(b.Key); w == nil {
			r.broken("refused by no window", "%s", b.Key)
		} else if l != nil && slices.Contains(l.Refused, run.Refused{Key: b.Key, OpenedAt: w.OpenedAt}) {
			r.broken("refused twice", "by %s", w)
		}
	}
}

// classOf is the class of the end of an attempt; zero if the lane has no such attempt.
func classOf(l *run.Lane, id run.AttemptID) run.Class {
	if a := l.AttemptOf(id); a != nil {
		return a.Class
	}
	return 0
}

// settles holds that a permit ends once.
func (r *Rules) settles(k run.WindowKey, id run.AttemptID) {
	i := slices.Index(r.probes[id], k)
	if i < 0 {
		r.broken("a permit ends that is not held", "by attempt %d of %s", id, k)
		return
	}
	if r.probes[id] = slices.Delete(r.probes[id], i, i+1); len(r.probes[id]) == 0 {
		delete(r.probes, id)
	}
}

// keeps holds that a window never shrinks by weaker or equal evidence.
func (r *Rules) keeps(at time.Time, v run.Window) {
	w := r.state.Window(v.WindowKey)
	switch {
	case w == nil || !w.Until.After(at) || r.stepped:
	case v.How < w.How:
		r.broken("weaker evidence", "%s is replaced by what is %s", w, v.How)
	case v.How == w.How && v.Until.Before(w.Until):
		r.broken("a window is shortened", "%s to %s", w, v.Until)
	}
}

// Replayed holds that a state equals what the facts alone have made.
func (r *Rules) Replayed(s *run.State) {
	if reflect.DeepEqual(s, r.state) {
		return
	}
	what := "order of what is due"
	a, b := reflect.ValueOf(s).Elem(), reflect.ValueOf(r.state).Elem()
	for i := range a.NumField() {
		if n := a.Type().Field(i); n.IsExported() && !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			what = n.Name
			break
		}
	}
	r.broken("replay gives another state", "another %s", what)
}

// doesNotFit says that the facts before it leave no room for a fact.
func (r *Rules) doesNotFit(err error) { r.broken("a fact does not fit", "%v", err) }
