package roster

import (
	"slices"
	"sort"
	"time"

	"example.com/layover/engine/run"
)

// Row is a run and where it stands now.
type Row struct {
	run.Watched
	Standing run.Standing
}

// Roster is the list. It is made by [New] and changed by one goroutine; nothing blocks.
type Roster struct {
	now    time.Time
	byKey  map[string]*entry
	sorted []*entry
	counts map[run.Standing]int
	// turn is when the first run may stand otherwise by itself; zero if none may.
	turn time.Time
}

type entry struct {
	Row
	place place
	// moves is set while the entry is to be put at another place; gone, at none.
	moves, gone bool
}

// New makes an empty list.
func New() *Roster {
	return &Roster{byKey: map[string]*entry{}, counts: map[run.Standing]int{}}
}

// Len is how many runs there are.
func (r *Roster) Len() int { return len(r.sorted) }

// Count is how many runs stand so.
func (r *Roster) Count(s run.Standing) int { return r.counts[s] }

// At is the run in a row, and false if there is no such row.
func (r *Roster) At(row int) (Row, bool) {
	if row < 0 || row >= len(r.sorted) {
		return Row{}, false
	}
	return r.sorted[row].Row, true
}

// Get is the run of a key, and false if there is none.
func (r *Roster) Get(key string) (Row, bool) {
	if e := r.byKey[key]; e != nil {
		return e.Row, true
	}
	return Row{}, false
}

// Find is the row of a key; -1 if there is none.
func (r *Roster) Find(key string) int {
	e := r.byKey[key]
	if e == nil {
		return -1
	}
	return sort.Search(len(r.sorted), func(i int) bool { return r.sorted[i].place.compare(e.place) >= 0 })
}

// NextLimit is the limited run whose limit lifts first, and false if of none it is known
// when.
func (r *Roster) NextLimit() (Row, bool) {
	next, ok := r.At(r.counts[run.StandingWorking])
	return next, ok && next.Standing == run.StandingLimited && !next.Until.IsZero()
}

// Apply takes over what has changed. A run that is both gone and there is there.
func (r *Roster) Apply(runs []run.Watched, gone []string) {
	for _, key := range gone {
		if e := r.byKey[key]; e != nil {
			delete(r.byKey, key)
			r.counts[e.Standing]--
			e.gone, e.moves = true, true
		}
	}
	moved := false
	for _, w := range runs {
		moved = r.set(w) || moved
	}
	if moved || len(gone) > 0 {
		r.merge()
	}
}

// set takes over a run, and reports whether it belongs elsewhere now.
func (r *Roster) set(w run.Watched) bool {
	e := r.byKey[w.Key]
	if e == nil {
		e = &entry{moves: true}
		r.byKey[w.Key] = e
		r.sorted = append(r.sorted, e)
	} else {
		r.counts[e.Standing]--
	}
	e.Watched = w
	return r.stand(e)
}

// stand finds out where a run stands, and reports whether it belongs elsewhere now. It is
// counted anew.
func (r *Roster) stand(e *entry) bool {
	e.Standing = e.Watched.Standing(r.now)
	r.counts[e.Standing]++
	if at := e.Watched.Turns(r.now); !at.IsZero() && (r.turn.IsZero() || at.Before(r.turn)) {
		r.turn = at
	}
	place := placeOf(e.Watched, e.Standing)
	e.moves = e.moves || place != e.place
	e.place = place
	return e.moves
}

// Now sets the instant for which runs stand somewhere.
func (r *Roster) Now(now time.Time) {
	back := now.Before(r.now)
	r.now = now
	if !back && (r.turn.IsZero() || now.Before(r.turn)) {
		return
	}
	r.turn = time.Time{}
	moved := false
	for _, e := range r.sorted {
		r.counts[e.Standing]--
		moved = r.stand(e) || moved
	}
	if moved {
		r.merge()
	}
}

// merge puts what moves at its place.
func (r *Roster) merge() {
	var moving []*entry
	staying := r.sorted[:0]
	for _, e := range r.sorted {
		switch {
		case e.gone:
		case e.moves:
			e.moves = false
			moving = append(moving, e)
		default:
			staying = append(staying, e)
		}
	}
	slices.SortFunc(moving, func(a, b *entry) int { return a.place.compare(b.place) })
	r.sorted = interleave(staying, moving, len(r.sorted))
}

// interleave merges two sorted lists; the first is changed. It has room for most entries.
func interleave(all, more []*entry, most int) []*entry {
	clear(all[len(all):most])
	at, left := len(all)-1, len(more)-1
	all = append(all, more...)
	for to := len(all) - 1; left >= 0; to-- {
		if at >= 0 && all[at].place.compare(more[left].place) > 0 {
			all[to] = all[at]
			at--
		} else {
			all[to] = more[left]
			left--
		}
	}
	return all
}
