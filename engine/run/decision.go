package run

import (
	"fmt"
	"slices"
	"time"
)

// Decision is one step of the core under way: the state it changes, the instant
// it is made at, and the facts and effects it has come to so far.
type Decision struct {
	State   *State
	Now     time.Time
	Facts   []Fact
	Effects []Effect
	// Freed is set once a target may have become usable for lanes that wait for
	// another.
	Freed bool
	// Changed are the windows that were opened, or changed such that lanes which wait
	// may do better elsewhere, or must give up.
	Changed []Change

	asked map[WindowKey]bool
}

// Change is a change of an open window.
type Change struct {
	Key WindowKey
	// Evidence is set if its end is known in another way than before.
	Evidence bool
}

// maxFacts bounds one decision: releasing every lane of the largest run is far
// below, a decision that goes in circles is soon above.
const maxFacts = 1 << 20

// Record makes a fact and applies it. A fact that does not fit is a fault of the
// core, never of its input, and panics.
func (d *Decision) Record(lane LaneID, b Body) {
	f := Fact{Seq: d.State.Seq + 1, At: d.Now, Lane: lane, Body: b}
	if err := d.State.Apply(f); err != nil {
		panic(fmt.Sprintf("decide: %v", err))
	}
	d.Facts = append(d.Facts, f)
	if len(d.Facts) > maxFacts {
		panic("decide: a decision does not end")
	}
}

// Do asks for an effect.
func (d *Decision) Do(e Effect) { d.Effects = append(d.Effects, e) }

// Asked reports whether this decision asks for one of these permits already.
func (d *Decision) Asked(keys []WindowKey) bool {
	for _, k := range keys {
		if d.asked[k] {
			return true
		}
	}
	return false
}

// Asks reports whether this decision asks for any permit.
func (d *Decision) Asks() bool { return len(d.asked) > 0 }

// Waits reports whether a lane waits for the answer to what this decision asks.
func (d *Decision) Waits(lane LaneID) bool {
	return slices.ContainsFunc(d.Effects, func(e Effect) bool {
		ask, ok := e.(AskPermit)
		return ok && ask.Lane == lane
	})
}

// Ask asks for permits, unless this decision asks for one of them already; it
// reports whether it did. The answer comes before anything else happens.
func (d *Decision) Ask(e AskPermit) bool {
	if d.Asked(e.Keys) {
		return false
	}
	if d.asked == nil {
		d.asked = map[WindowKey]bool{}
	}
	for _, k := range e.Keys {
		d.asked[k] = true
	}
	d.Do(e)
	return true
}
