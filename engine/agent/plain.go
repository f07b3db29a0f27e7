package agent

import (
	"strings"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// plainText is a dialect whose lines are words for people.
type plainText interface {
	// words takes a line without control characters, of maxWords bytes at most.
	words(text string, line int) run.Sight
}

// maxWords bounds how much of a line of words is looked at, in bytes.
const maxWords = 4 << 10

// words reads a line that is no record. Nothing of it is damaged: any text will do.
func (r *Reader) words(l record.Line, see func(run.Sight)) {
	text := shownLine(l.Text)
	if text == "" {
		return
	}
	sight := r.plain.words(text, l.Number)
	r.records++
	r.served = r.served || sight.Served != ""
	if sight.Doing != "" {
		*r.slot(false) = shown{text: sight.Doing}
	}
	if sight.Message != "" {
		*r.slot(true) = shown{text: sight.Message}
	}
	sight.Doing, sight.Message = "", ""
	if sight != (run.Sight{}) && see != nil {
		see(sight)
	}
}

// shownLine is a line as a terminal shows it in the end. Of a long one it is the
// beginning.
func shownLine(line []byte) string {
	return strings.TrimSpace(record.Whole(record.PrintedLast(record.Whole(string(line[:min(len(line), 4*maxWords+1)]), 4*maxWords)), maxWords))
}

// shownLines are the lines of a text that show something.
func shownLines(text []byte) []string {
	var all []string
	for line := range strings.Lines(string(text)) {
		if shown := shownLine([]byte(line)); shown != "" {
			all = append(all, shown)
		}
	}
	return all
}
