package agent

import (
	"example.com/layover/engine/agent/pack"
	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// dialect reads the records of one kind of stream.
type dialect interface {
	// wanted is what it reads of a record.
	wanted() *record.Want
	// read takes one record, at the line of that number, and tells what it shows.
	read(v *record.Values, line int) run.Sight
	// terminal gives what the records say about the end; false if none of them was
	// a terminal record, in which case the verdict is empty and the rest is set.
	terminal(end End) (terminal, bool)
	// stamp is the value of a record that says when it was written; zero if none does.
	stamp() record.Field
	// reference is what it reads against.
	reference() *Reference
	// visit goes through what it has learned of the stream.
	visit(c *pack.Codec)
}

// against is a part of every dialect.
type against struct{ ref Reference }

func (a *against) reference() *Reference { return &a.ref }

func (*against) stamp() record.Field { return 0 }

// terminal is what a dialect knows at the end of a stream.
type terminal struct {
	verdict        run.Verdict
	session, model string
	usage          run.Usage
}

// Dialects lists the names that [NewReader] takes.
func Dialects() []string {
	return []string{
		DialectClaude, dialectClaudeTranscript, DialectCodex, dialectCodexRollout, DialectGemini, DialectQwen, DialectCursor,
		DialectAmp, DialectOpencode, DialectCopilot, DialectGrok, DialectAider, DialectGeneric,
	}
}

func newDialect(name string, ref Reference) (dialect, bool) {
	switch name {
	case DialectClaude, DialectQwen, DialectAmp:
		return newClaude(claudeKin[name], ref), true
	case DialectCodex:
		return newCodex(ref), true
	case dialectClaudeTranscript:
		return newClaudeTranscript(ref), true
	case dialectCodexRollout:
		return newCodexRollout(ref), true
	case DialectGemini:
		return newGemini(ref), true
	case DialectCursor:
		return newCursor(ref), true
	case DialectOpencode:
		return newOpencode(ref), true
	case DialectCopilot:
		return newCopilot(ref), true
	case DialectGrok:
		return newGrok(ref), true
	case DialectAider:
		return newAider(ref), true
	case DialectGeneric:
		return newGeneric(ref), true
	default:
		return nil, false
	}
}
