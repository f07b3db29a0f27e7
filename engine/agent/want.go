package agent

import (
	"strings"
	"sync"
)

// field numbers a value of a record that a dialect reads. Zero is none.
type field uint8

// maxFields bounds how many values one dialect reads.
const maxFields = 64

// want is a place in records, and what is read there and below. Readers share it: it is
// not changed once it is made.
type want struct {
	field   field
	members map[string]*want
	each    *want   // the elements of an array
	below   []field // those at this place and under it
}

// wants makes the places that paths name: "message.usage" is a member of a member,
// "content[].type" one of each element. Of several elements the last one counts, and
// of several paths to one field that which comes last in a record.
func wants(paths map[string]field) *want {
	root := &want{}
	for path, f := range paths {
		w := root
		for name := range strings.SplitSeq(path, ".") {
			name, list := strings.CutSuffix(name, "[]")
			w = w.member(name)
			if list {
				if w.each == nil {
					w.each = &want{}
				}
				w = w.each
			}
		}
		w.field = f
	}
	root.list()
	return root
}

// wantsOnce makes the places that paths name when they are first asked for, for all readers.
func wantsOnce(paths func() map[string]field) func() *want {
	return sync.OnceValue(func() *want { return wants(paths()) })
}

func (w *want) member(name string) *want {
	next := w.members[name]
	if next == nil {
		next = &want{}
		if w.members == nil {
			w.members = map[string]*want{}
		}
		w.members[name] = next
	}
	return next
}

// list lists the fields below each place.
func (w *want) list() {
	if w.field != 0 {
		w.below = append(w.below, w.field)
	}
	for _, m := range w.members {
		m.list()
		w.below = append(w.below, m.below...)
	}
	if w.each != nil {
		w.each.list()
		w.below = append(w.below, w.each.below...)
	}
}

// values are what a record holds of what is wanted. They are parts of the line, and
// valid only as long as that.
type values struct {
	record raw
	f      [maxFields]raw
	// partial is set if the record is too long to be kept whole, so that some may be
	// missing.
	partial bool
	// act is what a dialect found that the agent works at.
	act act
}

// is reports whether a value is a word of the format.
func (v *values) is(f field, word string) bool { return string(v.f[f].word()) == word }
