package agent

import "example.com/layover/engine/run"

// dialect reads the records of one kind of stream.
type dialect interface {
	// read takes one record, the JSON object at the line of that number, and tells
	// what it shows. Of a partial record some members are left out.
	read(record raw, line int, partial bool) run.Sight
	// terminal gives what the records say about the end; false if none of them was
	// a terminal record, in which case the verdict is empty and the rest is set.
	terminal(end End) (terminal, bool)
}

// terminal is what a dialect knows at the end of a stream.
type terminal struct {
	verdict        run.Verdict
	session, model string
	usage          run.Usage
}

// Dialects lists the names that [NewReader] takes.
func Dialects() []string { return []string{dialectClaude, dialectCodex} }

func newDialect(name string, ref Reference) (dialect, bool) {
	switch name {
	case dialectClaude:
		return newClaude(ref), true
	case dialectCodex:
		return newCodex(ref), true
	default:
		return nil, false
	}
}
