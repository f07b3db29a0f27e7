package scripted

import (
	"os"
	"time"
)

// voice speaks the lines of one program. Each method gives the records of lines to
// be written, in order; none of them writes, waits or asks.
type voice interface {
	// hello is written before the first call.
	hello() []any
	// retrying is written before the n-th inner retry, after a refused call.
	retrying(n, of int, wait time.Duration, ans Answer) []any
	// stirring is written at the first sign of an answer, before the answer is
	// there; it may be nothing.
	stirring(s step) []any
	// doing is written when the model has answered, did when its tool has run.
	doing(s step, ans Answer, at time.Time) []any
	did(s step, at time.Time) []any
	// done ends good work, refused ends an attempt that a provider ended.
	done(s step, at time.Time) []any
	refused(ans Answer, at time.Time) []any
	// terminated is the exit code after a SIGTERM.
	terminated() int
}

// talk is what the voices have in common: whom they speak for.
type talk struct {
	world    World
	provider Provider
	session  Session
	model    string
	partial  bool
	cwd      string
	zone     *time.Location
	began    time.Time

	// calls and tokens count what this process was served.
	calls  int
	tokens Tokens
	lines  int
}

// served counts one call that a model answered.
func (t *talk) served(s step) {
	t.calls++
	t.tokens = t.tokens.plus(s.tokens)
}

// id draws the identifier of the next line.
func (t *talk) id() string {
	t.lines++
	return t.world.uuid(4, "line", t.provider.Family, t.session.ID, t.session.Runs, t.lines)
}

// dialects lists the programs that can be played.
func dialects() []string { return []string{"claude", "codex"} }

// newVoice makes the voice of a dialect that [Read] has let through.
func newVoice(dialect string, t *talk) voice {
	if dialect == "codex" {
		return &codex{talk: t}
	}
	return &claude{talk: t}
}

// workDir is the directory that an agent says it works in.
func workDir() string {
	if dir, err := os.Getwd(); err == nil {
		return dir
	}
	return "/"
}

// ceil rounds an instant up, so that what is stated is never too early.
func ceil(t time.Time, unit time.Duration) time.Time {
	down := t.Truncate(unit)
	if down.Before(t) {
		return down.Add(unit)
	}
	return down
}
