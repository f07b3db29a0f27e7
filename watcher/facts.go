package watcher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// Follower follows a file that grows; *tail.Follower is one.
type Follower interface {
	Follow(ctx context.Context, path string, sink interface {
		Bytes(p []byte)
		Restart()
	}) error
}

// ErrReplaced says that the facts of a run were cut or replaced under its reader.
var ErrReplaced = errors.New("the facts of the run were replaced")

// Facts gives the facts of a run, from the first and as they are written, until ctx
// ends; dir is the directory of the run. It calls give from one goroutine, with all
// that came at once. A fact that this version does not know comes without a body. A
// line that is no fact ends it with an error, and so does a file that was replaced.
// It blocks.
func Facts(ctx context.Context, dir string, f Follower, give func([]run.Fact)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l := &lines{give: give, fail: cancel, path: filepath.Join(dir, journal.EventsFile)}
	if err := f.Follow(ctx, l.path, l); err != nil {
		return err
	}
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// lines makes facts of the bytes of a file.
type lines struct {
	give func([]run.Fact)
	fail context.CancelCauseFunc
	path string
	rest []byte
	n    int
	over bool
}

// Restart implements the follower's sink: facts are never taken back.
func (l *lines) Restart() {
	if l.n > 0 || len(l.rest) > 0 {
		l.end(ErrReplaced)
	}
}

// Bytes implements the follower's sink. A line without its end is held.
func (l *lines) Bytes(p []byte) {
	if l.over {
		return
	}
	l.rest = append(l.rest, p...)
	var facts []run.Fact
	for {
		line, rest, whole := bytes.Cut(l.rest, []byte("\n"))
		if !whole {
			break
		}
		l.n++
		var f run.Fact
		if err := f.UnmarshalJSON(line); err != nil && !errors.Is(err, run.ErrUnknownFact) {
			l.tell(facts)
			l.end(&journal.DamagedError{Path: l.path, Line: l.n, Err: err})
			return
		}
		facts = append(facts, f)
		l.rest = rest
	}
	l.rest = append([]byte(nil), l.rest...)
	l.tell(facts)
	if len(l.rest) > journal.MaxLine {
		l.end(fmt.Errorf("line %d is too long", l.n+1))
	}
}

func (l *lines) tell(facts []run.Fact) {
	if len(facts) > 0 {
		l.give(facts)
	}
}

func (l *lines) end(err error) {
	l.over = true
	l.fail(err)
}
