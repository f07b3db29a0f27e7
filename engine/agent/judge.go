package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// ReadSize is in what chunks a stream that is there is best fed to a [Reader], in bytes. In
// smaller ones more lines stand in two of them, and are copied; larger ones are in no cache
// any more when they are read.
const ReadSize = 256 << 10

const (
	judgeRetries = 3
	judgePause   = 100 * time.Millisecond
)

// RuleUnreadable is the rule of a verdict on a stream that could not be read to
// its end.
const RuleUnreadable = "unreadable"

// Source opens a stream at its start. Each call gives the whole stream anew.
type Source func() (io.ReadCloser, error)

// Pause waits between two readings; it returns early with an error if the context
// ends.
type Pause func(context.Context, time.Duration) error

// Judge reads a whole stream, once and to its end, and gives the verdict. A read
// that fails is done again from the start, three times at most, with a growing
// pause before each; nothing of the broken reading counts. After that, or once ctx
// has ended, the class is incomplete and the rule RuleUnreadable. Judge blocks while
// it reads; a nil pause sleeps in real time.
func Judge(ctx context.Context, open Source, dialect string, ref Reference, end End, pause Pause) run.Verdict {
	if pause == nil {
		pause = sleep
	}
	for try := 0; ; try++ {
		v, err := judgeOnce(ctx, open, dialect, ref, end)
		if err == nil {
			return v
		}
		if try == judgeRetries || errors.Is(err, ErrUnknownDialect) || pause(ctx, judgePause<<(2*try)) != nil {
			return unreadable(ref, err)
		}
	}
}

func judgeOnce(ctx context.Context, open Source, dialect string, ref Reference, end End) (v run.Verdict, err error) {
	r, err := NewReader(dialect, ref)
	if err != nil {
		return v, err
	}
	stream, err := open()
	if err != nil {
		return v, fmt.Errorf("open stream: %w", err)
	}
	defer func() { err = errors.Join(err, stream.Close()) }()
	chunk := make([]byte, ReadSize)
	for ctx.Err() == nil {
		n, err := stream.Read(chunk)
		r.Feed(chunk[:n], nil)
		if errors.Is(err, io.EOF) {
			return r.End(end, nil), nil
		}
		if err != nil {
			return v, fmt.Errorf("read stream: %w", err)
		}
	}
	return v, context.Cause(ctx)
}

func unreadable(ref Reference, err error) run.Verdict {
	return ref.bound(plain(run.ClassIncomplete, RuleUnreadable, 0, record.Whole(err.Error(), record.MaxErrorText)))
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
