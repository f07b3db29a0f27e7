package agent

import (
	"slices"
	"strings"
	"sync"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// GuessSize is how much of an output is enough for [Guess], in bytes.
const GuessSize = 256 << 10

// Guess tells in which of [Dialects] an output is written that begins with head; empty
// if that cannot be told. Only the names of the outermost members of records count, and
// words of the format: nothing that a tool or a model has said. A last record that is
// cut counts as far as it goes. Of output that bears the marks of a dialect which is not
// there, nothing else is guessed.
func Guess(head []byte) string {
	dialect, _ := GuessSurely(head)
	return dialect
}

// GuessSurely is [Guess], and reports whether more of the output would hardly make it another
// one: a mark was there that no other dialect has.
func GuessSurely(head []byte) (dialect string, sure bool) {
	head = head[:min(len(head), GuessSize)]
	if name, weight := marked(head); name != "" {
		return dialectOf(name), weight >= ownMark
	}
	return seen(head), false
}

// FamilyOf is the family whose agents write a dialect: that of the preset which reads it,
// or, of the sessions that one keeps on disk, that of the preset they are named after.
// It is empty if there is none.
func FamilyOf(dialect string) string {
	if family, ok := families()[dialect]; ok {
		return family
	}
	return familyOf(dialect)
}

// families are those of the dialects that there are.
var families = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, dialect := range Dialects() {
		all[dialect] = familyOf(dialect)
	}
	return all
})

func familyOf(dialect string) string {
	for _, p := range builtin() {
		if p.Dialect == dialect {
			return p.Family
		}
	}
	agent, _, _ := strings.Cut(dialect, "-")
	p, _ := Lookup(agent)
	return p.Family
}

// dialectOf finds the dialect of that name, or of the preset of that name.
func dialectOf(name string) string {
	if slices.Contains(Dialects(), name) {
		return name
	}
	p, _ := Lookup(name)
	return p.Dialect
}

// marked weighs the marks in the records of head, and names the dialect that has most, with
// their weight; of several the one whose mark came first.
func marked(head []byte) (string, int) {
	weights := map[string]int{}
	var order []string
	eachOutline(head, func(o outline) {
		for _, m := range traits {
			if !m.on(o) {
				continue
			}
			if weights[m.dialect] == 0 {
				order = append(order, m.dialect)
			}
			weights[m.dialect] += m.weight
			break // the marks are ordered: the first tells most
		}
	})
	best := ""
	for _, name := range order {
		if best == "" || weights[name] > weights[best] {
			best = name
		}
	}
	return best, weights[best]
}

// seen names the dialect that sees most in head, among those that have no marks.
func seen(head []byte) string {
	best, most := "", 0
	for _, name := range Dialects() {
		if slices.ContainsFunc(traits, func(m trait) bool { return dialectOf(m.dialect) == name }) {
			continue
		}
		r, err := NewReader(name, Reference{})
		if err != nil {
			continue
		}
		n, ended := 0, 0
		count := func(s run.Sight) {
			if s.Passing() {
				return // any text is that much
			}
			if n++; s.Terminal {
				ended = 1
			}
		}
		r.Feed(head, count)
		r.End(End{}, count)
		if n += ended; n > most {
			best, most = name, n
		}
	}
	return best
}

// outline is what is known of a record without a look into it.
type outline struct {
	kind, subtype string // the words of type and subtype
	session       string // the start of session_id
	members       map[string]record.Raw
}

func (o outline) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { _, ok := o.members[name]; return !ok })
}

// is reports whether the record is of one of these types.
func (o outline) is(kinds ...string) bool { return slices.Contains(kinds, o.kind) }

// maxMembers bounds how many members of a record are looked at.
const maxMembers = 128

// eachOutline calls take with the outline of each record.
func eachOutline(text []byte, take func(outline)) {
	var s record.Splitter
	line := func(l record.Line) {
		record.EachRecord(l.Text, func(at int) (int, bool) {
			o := outline{members: map[string]record.Raw{}}
			end, whole := record.Outermost(l.Text, at, func(name string, v record.Raw) {
				if len(o.members) < maxMembers {
					o.members[name] = v
				}
			})
			o.kind, o.subtype = string(o.members["type"].Word()), string(o.members["subtype"].Word())
			o.session = record.Cut(string(o.members["session_id"].Word()), record.MaxName)
			take(o)
			return end, whole
		})
	}
	s.Feed(text, line)
	s.End(line)
}
