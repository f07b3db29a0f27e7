package record

import (
	"strings"
	"sync"
)

// Field numbers a value of a record that a dialect reads. Zero is none.
type Field uint8

// maxFields bounds how many values one dialect reads.
const maxFields = 64

// Want is a place in records, and what is read there and below. Readers share it: it is
// not changed once it is made.
type Want struct {
	field   Field
	members map[string]*Want
	each    *Want   // the elements of an array
	below   []Field // those at this place and under it
}

// Wants makes the places that paths name: "message.usage" is a member of a member,
// "content[].type" one of each element. Of several elements the last one counts, and
// of several paths to one field that which comes last in a record.
func Wants(paths map[string]Field) *Want {
	root := &Want{}
	for path, f := range paths {
		w := root
		for name := range strings.SplitSeq(path, ".") {
			name, list := strings.CutSuffix(name, "[]")
			w = w.member(name)
			if list {
				if w.each == nil {
					w.each = &Want{}
				}
				w = w.each
			}
		}
		w.field = f
	}
	root.list()
	return root
}

// WantsOnce makes the places that paths name when they are first asked for, for all readers.
func WantsOnce(paths func() map[string]Field) func() *Want {
	return sync.OnceValue(func() *Want { return Wants(paths()) })
}

func (w *Want) member(name string) *Want {
	next := w.members[name]
	if next == nil {
		next = &Want{}
		if w.members == nil {
			w.members = map[string]*Want{}
		}
		w.members[name] = next
	}
	return next
}

// list lists the fields below each place.
func (w *Want) list() {
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

// Values are what a record holds of what is wanted. They are parts of the line, and
// valid only as long as that.
type Values struct {
	record Raw
	// Fields are the values, nil where the record has none.
	Fields [maxFields]Raw
	// Partial is set if the record is too long to be kept whole, so that some may be
	// missing.
	Partial bool
	// Act is what a dialect found that the agent works at.
	Act Act
}

// Is reports whether a value is a word of the format.
func (v *Values) Is(f Field, word string) bool { return string(v.Fields[f].Word()) == word }
