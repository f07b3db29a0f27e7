package agent

import "example.com/layover/engine/run"

// dialect reads the records of one kind of stream.
type dialect interface {
	// wanted is what it reads of a record.
	wanted() *want
	// read takes one record, at the line of that number, and tells what it shows.
	read(v *values, line int) run.Sight
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
func Dialects() []string {
	return []string{
		dialectClaude, dialectClaudeTranscript, dialectCodex, dialectCodexRollout, dialectGemini, dialectQwen, dialectCursor,
		dialectAmp, dialectOpencode, dialectCopilot, dialectGrok, dialectAider, dialectGeneric,
	}
}

func newDialect(name string, ref Reference) (dialect, bool) {
	switch name {
	case dialectClaude, dialectQwen, dialectAmp:
		return newClaude(claudeKin[name], ref), true
	case dialectCodex:
		return newCodex(ref), true
	case dialectClaudeTranscript:
		return newClaudeTranscript(ref), true
	case dialectCodexRollout:
		return newCodexRollout(ref), true
	case dialectGemini:
		return newGemini(ref), true
	case dialectCursor:
		return newCursor(ref), true
	case dialectOpencode:
		return newOpencode(ref), true
	case dialectCopilot:
		return newCopilot(ref), true
	case dialectGrok:
		return newGrok(ref), true
	case dialectAider:
		return newAider(ref), true
	case dialectGeneric:
		return newGeneric(ref), true
	default:
		return nil, false
	}
}
