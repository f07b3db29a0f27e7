package handoff

import "slices"

const (
	// shortResult is how much is left of a long result, in bytes, where there is too
	// little room for all of it.
	shortResult = 2 << 10
	// maxShare is the part of the room that one item may take: one in so many.
	maxShare = 4
)

// entry is an item and its place.
type entry struct {
	Item
	size int
	// result is the number of the result of a call; zero if it has none yet, as no
	// result is the first item.
	result int
	gone   bool
}

// add puts an item behind the others, and makes room for it.
func (t *Transcript) add(it Item) {
	e := entry{Item: it}
	t.added += it.size()
	e.Text = shorten(e.Text, max(t.limit/maxShare, shortResult))
	e.size = e.Item.size()
	t.items = append(t.items, e)
	t.size += e.size
	t.fit(t.limit)
}

// fit makes the items fit: long results are shortened, the oldest first, and then the
// oldest items are dropped.
func (t *Transcript) fit(limit int) {
	t.short = max(t.short, t.first)
	for t.size > limit && len(t.items) > 0 {
		if t.short == t.first+len(t.items) {
			t.drop()
			t.short = max(t.short, t.first)
			continue
		}
		e := &t.items[t.short-t.first]
		if e.Kind == ItemResult && !e.gone {
			e.Text = shorten(e.Text, shortResult)
			t.size -= e.size
			e.size = e.Item.size()
			t.size += e.size
		}
		t.short++
	}
}

// drop takes out the oldest item, and with a call its result, wherever that is. The
// oldest item is never the result of a call that stays.
func (t *Transcript) drop() {
	e := t.items[0]
	if t.older != nil {
		t.older.take(e.Item, t.resultOf(e))
	}
	t.remove(t.first)
	t.leftOut++
	if e.Kind == ItemCall && e.result > 0 {
		t.remove(e.result)
	} else if e.Kind == ItemCall {
		t.answered(e.ID, slices.Index(t.open[e.ID], t.first))
	}
	for len(t.items) > 0 && t.items[0].gone {
		t.items = t.items[1:]
		t.first++
	}
}

// remove takes out one item.
func (t *Transcript) remove(n int) {
	e := &t.items[n-t.first]
	t.size -= e.size
	t.leftOutSize += e.size
	*e = entry{gone: true}
}
