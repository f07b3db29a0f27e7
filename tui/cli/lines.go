package cli

import (
	linked "container/list"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/layover/engine/run"
)

const (
	// roomy is how many things may wait for a slow reader before what agents do is
	// no longer queued as it comes.
	roomy = 4096
	// patience is how long Close waits for a reader that takes nothing.
	patience = 2 * time.Second
)

// ErrStuck is the error of output that nobody takes.
var ErrStuck = errors.New("the reader of the output takes nothing")

// Lines prints a run as it goes on. Facts keep their order; who hands them over never
// waits for the output, however slow that is.
//
// Facts, ticks and troubles are never lost. Activities and gauges are merged: of each lane
// and kind one a second is printed in plain lines, and ten in JSON, of real time; the
// newest wins, and the last comes before the end of its attempt. For a reader that does not
// keep up they are lost: beyond 4,096 things in the queue one takes the place of the last
// one of its lane and kind there, and is left out if there is none; [Lines.Lost] counts
// them.
type Lines struct {
	mu   sync.Mutex
	more *sync.Cond
	// queue holds facts and observations, and passing the last in it of each topic.
	queue   *linked.List
	passing map[topic]*linked.Element
	pace    pace
	lost    int
	closed  bool
	// given is set once nobody waits for the output any more.
	given bool
	done  chan struct{}

	// Only the printing goroutine touches these, until done is closed.
	printers []Printer
	state    run.State
	err      error
}

// NewLines starts to print a request's run, to out or, where a coordinator reads
// that, to both. It must be closed.
func NewLines(r Request, out, diag io.Writer, zone *time.Location) *Lines {
	return newLines(r, out, diag, Words{Zone: zone})
}

// NewTold is [NewLines] for a run of another process, whose lines may be of other days: now
// is the run's clock.
func NewTold(asJSON bool, out io.Writer, zone *time.Location, now func() time.Time) *Lines {
	return newLines(Request{JSON: asJSON}, out, nil, Words{Zone: zone, Now: now})
}

func newLines(r Request, out, diag io.Writer, words Words) *Lines {
	l := &Lines{done: make(chan struct{}), queue: linked.New(), passing: map[topic]*linked.Element{}}
	l.pace = pace{every: plainPace, topics: map[topic]*paced{}}
	l.more = sync.NewCond(&l.mu)
	switch {
	case r.JSON:
		l.printers = []Printer{NewJSON(out)}
		l.pace.every = jsonPace
	case r.NoWait:
		l.printers = []Printer{newPlain(diag, words), refusals{NewJSON(out)}}
	default:
		l.printers = []Printer{newPlain(out, words)}
	}
	go l.print()
	return l
}

// Facts takes facts to be printed. It does not block.
func (l *Lines) Facts(fs []run.Fact) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range fs {
		switch f.Body.(type) {
		case run.AttemptEnded, run.LaneEnded:
			l.flush(func(about topic) bool { return about.lane == f.Lane })
		}
		l.queue.PushBack(f)
	}
	l.more.Signal()
}

// Recall takes facts that were printed before, so that later ones are understood. It
// does not block.
func (l *Lines) Recall(fs []run.Fact) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range fs {
		l.queue.PushBack(recalled(f))
	}
	l.more.Signal()
}

// recalled is a fact that is not printed.
type recalled run.Fact

// topic is what an observation that passes is about: a newer one makes it needless.
type topic struct {
	lane run.LaneID
	kind string
}

// passes gives the topic of an observation; false if it does not pass.
func passes(o run.Observation) (topic, bool) {
	switch o.Body.(type) {
	case run.Activity, run.Gauges:
		return topic{o.Lane, o.Body.Name()}, true
	}
	return topic{}, false
}

// Observe takes an observation to be printed. It does not block.
func (l *Lines) Observe(o run.Observation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.more.Signal()
	if l.closed {
		return
	}
	about, passing := passes(o)
	switch {
	case !passing:
		l.queue.PushBack(o)
	case l.pace.take(about, o, l.due):
		l.push(about, o)
	}
}

// due prints what is held of a topic whose pace has passed.
func (l *Lines) due(about topic) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.more.Signal()
	if o, held := l.pace.next(about); held && !l.closed {
		l.push(about, o)
	}
}

// flush prints what is held of topics that are over. The lock is held.
func (l *Lines) flush(over func(topic) bool) {
	for _, o := range l.pace.over(over) {
		about, _ := passes(o)
		l.push(about, o)
	}
}

// push queues an observation that passes. The lock is held.
func (l *Lines) push(about topic, o run.Observation) {
	if l.queue.Len() >= roomy {
		l.lost++
		last := l.passing[about]
		if last == nil {
			return
		}
		l.queue.Remove(last)
	}
	l.passing[about] = l.queue.PushBack(o)
}

// Lost is how many activities and gauges were not printed because the reader was too slow.
func (l *Lines) Lost() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// Close prints what is left and returns the first error of printing. If the reader
// does not take it within two seconds of real time, it gives up and returns
// [ErrStuck] with what is missing; one write may be under way for ever then, so the
// caller should exit.
func (l *Lines) Close() error {
	l.mu.Lock()
	l.flush(func(topic) bool { return true })
	l.closed = true
	l.more.Signal()
	l.mu.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-l.done:
		return l.err
	case <-timer.C:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.done: // at the last moment
		return l.err
	default:
	}
	l.given = true
	return fmt.Errorf("%w: %s not printed", ErrStuck, many(l.queue.Len()+1, "line"))
}

func (l *Lines) print() {
	defer close(l.done)
	for {
		x, ok := l.next()
		if !ok {
			return
		}
		l.one(x)
	}
}

// next waits for a thing to print; false if there is none any more.
func (l *Lines) next() (any, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.queue.Len() == 0 && !l.closed {
		l.more.Wait()
	}
	if l.given || l.queue.Len() == 0 {
		return nil, false
	}
	first := l.queue.Front()
	if o, seen := first.Value.(run.Observation); seen {
		if about, _ := passes(o); l.passing[about] == first {
			delete(l.passing, about)
		}
	}
	return l.queue.Remove(first), true
}

// one prints one thing; after an error, or a panic, nothing more is printed: the run
// goes on all the same.
func (l *Lines) one(x any) {
	defer func() {
		if r := recover(); r != nil && l.err == nil {
			l.err = fmt.Errorf("the printing of lines panicked: %v", r)
		}
	}()
	f, fact := x.(run.Fact)
	old, past := x.(recalled)
	if past {
		f = run.Fact(old)
	}
	if fact || past {
		if err := l.apply(f); err != nil && l.err == nil {
			l.err = err
		}
	}
	if past {
		return
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

// apply takes a fact over; one of a newer version only counts.
func (l *Lines) apply(f run.Fact) error {
	if f.Body == nil {
		l.state.Skip(f)
		return nil
	}
	return l.state.Apply(f)
}

// refusals prints nothing but the spawns that were refused.
type refusals struct{ *JSON }

// Fact implements [Printer].
func (r refusals) Fact(s *run.State, f run.Fact) error {
	if _, refused := f.Body.(run.SpawnRefused); !refused {
		return nil
	}
	f.More = false // where a decision ends in the file is nothing to a coordinator
	return r.JSON.Fact(s, f)
}

// Observation implements [Printer].
func (refusals) Observation(*run.State, run.Observation) error { return nil }
