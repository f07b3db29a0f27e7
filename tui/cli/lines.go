package cli

import (
	"io"
	"sync"
	"time"

	"example.com/layover/engine/run"
)

// Lines prints a run as it goes on. Facts and observations keep their order; who
// hands them over never waits for the output, however slow that is.
type Lines struct {
	mu     sync.Mutex
	more   *sync.Cond
	queue  []any
	closed bool
	done   chan struct{}

	// Only the printing goroutine touches these.
	printers []Printer
	state    run.State
	err      error
}

// NewLines starts to print a request's run, to out or, where a coordinator reads
// that, to both. It must be closed.
func NewLines(r Request, out, diag io.Writer, zone *time.Location) *Lines {
	l := &Lines{done: make(chan struct{})}
	l.more = sync.NewCond(&l.mu)
	switch {
	case r.JSON:
		l.printers = []Printer{NewJSON(out)}
	case r.NoWait:
		l.printers = []Printer{NewPlain(diag, zone), refusals{NewJSON(out)}}
	default:
		l.printers = []Printer{NewPlain(out, zone)}
	}
	go l.print()
	return l
}

// Facts takes facts to be printed. It does not block.
func (l *Lines) Facts(fs []run.Fact) {
	for _, f := range fs {
		l.add(f)
	}
}

// Observe takes an observation to be printed. It does not block.
func (l *Lines) Observe(o run.Observation) { l.add(o) }

func (l *Lines) add(x any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, x)
	l.more.Signal()
}

// Close prints what is left and returns the first error of printing.
func (l *Lines) Close() error {
	l.mu.Lock()
	l.closed = true
	l.more.Signal()
	l.mu.Unlock()
	<-l.done
	return l.err
}

func (l *Lines) print() {
	defer close(l.done)
	for {
		l.mu.Lock()
		for len(l.queue) == 0 && !l.closed {
			l.more.Wait()
		}
		batch := l.queue
		l.queue = nil
		l.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		for _, x := range batch {
			l.one(x)
		}
	}
}

// one prints one thing; after an error nothing more is printed.
func (l *Lines) one(x any) {
	f, fact := x.(run.Fact)
	if fact {
		if err := l.state.Apply(f); err != nil && l.err == nil {
			l.err = err
		}
	}
	for _, p := range l.printers {
		if l.err != nil {
			return
		}
		if fact {
			l.err = p.Fact(&l.state, f)
		} else {
			l.err = p.Observation(&l.state, x.(run.Observation))
		}
	}
}

// refusals prints nothing but the spawns that were refused.
type refusals struct{ *JSON }

// Fact implements [Printer].
func (r refusals) Fact(s *run.State, f run.Fact) error {
	if _, refused := f.Body.(run.SpawnRefused); !refused {
		return nil
	}
	return r.JSON.Fact(s, f)
}

// Observation implements [Printer].
func (refusals) Observation(*run.State, run.Observation) error { return nil }
