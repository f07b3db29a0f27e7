package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
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
	draw      *rand.Rand // of what is compared
	accounted map[run.AttemptID]bool
	probes    map[run.AttemptID][]run.WindowKey
	released  map[run.WindowKey]time.Time
	used      map[Job]run.Usage
	// asked are the lanes that the operator sends on, swapped counts the swaps for failure.
	asked   map[run.LaneID]bool
	swapped map[run.LaneID]int
	// heard is when it was last said when a window ends, limited when that first was of a
	// usage limit; good is the probe that has settled good.
	heard, limited map[run.WindowKey]time.Time
	good           map[run.WindowKey]run.AttemptID
	// signs are when each open lane was last served, or opened; lane zero is the run.
	// idle counts the decisions since any was.
	signs map[run.LaneID]time.Time
	// stops are when lanes were asked to stop.
	stops  map[run.LaneID]time.Time
	idle   int
	faults []string
}

// NewRules holds the rules over a run that begins at start.
func NewRules(start time.Time) *Rules {
	return &Rules{
		start: start, state: &run.State{}, counts: map[string]int{}, draw: rand.New(rand.NewPCG(1, 3)), accounted: map[run.AttemptID]bool{},
		probes:   map[run.AttemptID][]run.WindowKey{},
		released: map[run.WindowKey]time.Time{},
		used:     map[Job]run.Usage{},
		asked:    map[run.LaneID]bool{},
		swapped:  map[run.LaneID]int{},
		heard:    map[run.WindowKey]time.Time{},
		limited:  map[run.WindowKey]time.Time{},
		good:     map[run.WindowKey]run.AttemptID{},
		signs:    map[run.LaneID]time.Time{0: start},
		stops:    map[run.LaneID]time.Time{},
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
	// compared is how many lanes, attempts and jobs are compared at a decision, on average.
	compared = 4
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
	r.asks(h)
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
	if !r.tryAt.IsZero() && f.At.Sub(r.tryAt) > time.Second && !r.late(f.At) {
		r.broken("a due window is not tried", "it was due at %s", r.tryAt)
	}
	if _, resumed := f.Body.(run.RunResumed); r.state.Phase == run.PhaseEnded && !resumed {
		r.broken("a fact after the end", "%s", r.state.ExitWhy)
	}
	r.spawns(f)
	r.budgets(f)
	r.windows(f)
	r.waits(f)
	r.bounds(f)
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

// Decided holds the same as [Rules.Replayed] of a drawn share of the decisions: the larger
// the state, the smaller, so that a decision costs about the same in every run.
func (r *Rules) Decided(s *run.State) {
	if size := 1 + len(s.Queue) + len(s.Lanes) + int(s.Attempts); r.draw.IntN(size) < compared {
		r.Replayed(s)
	}
}

// Replayed holds that a state equals what the facts alone have made.
func (r *Rules) Replayed(s *run.State) {
	s.Unsettle() // what was asked before, in no fact
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
