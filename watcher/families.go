package watcher

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

// families is what is known of the families of this machine.
type families struct {
	windows []run.Window
	// stale is set once the windows are to be read anew.
	stale    bool
	readings map[string][]run.Reading
	// doubts are what files of others say of limits, by their path; only of those that
	// suspect something. Served is when each family and model was last seen to answer.
	doubts map[string][]foreign.Word
	served map[[2]string]foreign.Word
	atWork map[string]int
	moved  bool
	told   []run.FamilySeen
	// turns is when the first window or suspicion of those is over; zero if none will be.
	turns time.Time
}

func newFamilies() families {
	return families{stale: true, readings: map[string][]run.Reading{}, doubts: map[string][]foreign.Word{}, served: map[[2]string]foreign.Word{}, atWork: map[string]int{}}
}

// account takes what a stream tells of its family.
func (f *families) account(path string, a stream.Account, modified time.Time) {
	if a.Family == "" {
		return
	}
	if len(a.Readings) > 0 {
		f.readings[a.Family] = run.WithReadings(f.readings[a.Family], a.Readings...)
		f.moved = true
	}
	f.say(path, foreign.WordOf(a, modified))
}

// say takes what a file says of limits, in the place of what it said before.
func (f *families) say(path string, words ...foreign.Word) {
	var doubts []foreign.Word
	for _, w := range words {
		if key := [2]string{w.Family, w.Model}; w.Served.After(f.served[key].Served) {
			f.served[key] = foreign.Word{Family: w.Family, Model: w.Model, Served: w.Served}
			f.moved = f.moved || len(f.doubts) > 0
		}
		if !w.Suspicion.Until.IsZero() {
			doubts = append(doubts, w)
		}
	}
	if slices.Equal(f.doubts[path], doubts) {
		return
	}
	f.moved = true
	if f.doubts[path] = doubts; doubts == nil {
		delete(f.doubts, path)
	}
}

// forget takes back what a file suspected.
func (f *families) forget(path string) { f.say(path) }

// working counts the agents at work.
func (f *families) working(was, is foreign.Crew) {
	for family, n := range was {
		f.atWork[family] -= n
	}
	for family, n := range is {
		f.atWork[family] += n
	}
	delete(f.atWork, "") // of nobody knows which
	f.moved = true
}

// fresh gives all families if something has changed of them since it was last asked, else
// nil.
func (f *families) fresh(now time.Time, read func() ([]run.Window, error)) []run.FamilySeen {
	if f.stale && read != nil {
		if ws, err := read(); err == nil { // what cannot be read now stays as it was
			f.windows, f.moved = ws, true
		}
	}
	f.stale = false
	if !f.moved {
		return nil
	}
	f.moved = false
	all := f.all(now)
	if reflect.DeepEqual(all, f.told) {
		return nil
	}
	f.told, f.turns = all, time.Time{}
	for _, x := range all {
		for _, w := range x.Windows {
			f.over(w.Until, now)
		}
		for _, s := range x.Suspicions {
			f.over(s.Until, now)
		}
	}
	return all
}

// over takes note of when something is over.
func (f *families) over(at, now time.Time) {
	if at.After(now) && (f.turns.IsZero() || at.Before(f.turns)) {
		f.turns = at
	}
}

// turn has all families told once something that was told of them is over: it may be told
// in other words then.
func (f *families) turn(now time.Time) {
	if !f.turns.IsZero() && !now.Before(f.turns) {
		f.moved, f.told, f.turns = true, nil, time.Time{}
	}
}

func (f *families) all(now time.Time) []run.FamilySeen {
	byName := map[string]*run.FamilySeen{}
	family := func(name string) *run.FamilySeen {
		if byName[name] == nil {
			byName[name] = &run.FamilySeen{Name: name}
		}
		return byName[name]
	}
	for _, w := range f.windows {
		x := family(w.Family)
		x.Windows = append(x.Windows, w)
	}
	for name, rs := range f.readings {
		for _, r := range rs {
			if r.Current(now) {
				family(name).Readings = append(family(name).Readings, r)
			}
		}
	}
	var words []foreign.Word
	for _, ws := range f.doubts {
		words = append(words, ws...)
	}
	for _, w := range f.served {
		words = append(words, w)
	}
	for _, s := range foreign.Suspicions(now, words) {
		family(s.Family).Suspicions = append(family(s.Family).Suspicions, s)
	}
	for name, n := range f.atWork {
		if n > 0 {
			family(name).Working = n
		}
	}
	all := make([]run.FamilySeen, 0, len(byName)) // not nil: none is something, too
	for _, x := range byName {
		all = append(all, *x)
	}
	slices.SortFunc(all, func(a, b run.FamilySeen) int { return strings.Compare(a.Name, b.Name) })
	return all
}
