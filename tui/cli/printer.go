package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"example.com/layover/engine/run"
)

// quietTicks is how long the plain printer says nothing about a park that goes on
// as it was.
const quietTicks = 5 * time.Minute

// Printer shows a run on a stream, line by line. It is used by one goroutine. Once
// a write has failed, as when the reader has gone, it writes no more and gives the
// same error each time.
type Printer interface {
	// Fact prints a fact; s is the state after it.
	Fact(s *run.State, f run.Fact) error
	// Observation prints an observation, or leaves it out; s is the newest state.
	Observation(s *run.State, o run.Observation) error
}

var (
	_ Printer = (*Plain)(nil)
	_ Printer = (*JSON)(nil)
)

// stream is a writer that gives up at its first error.
type stream struct {
	w   io.Writer
	err error
}

func (s *stream) line(b []byte) error {
	if s.err == nil {
		_, s.err = s.w.Write(append(b, '\n'))
	}
	return s.err
}

// Plain prints one line per fact for people and logs. Observations are printed as
// far as they are news: what an agent does when that changes, a park every five
// minutes, and usage windows when ten percent more of one are used up.
type Plain struct {
	out   stream
	words Words
	// doing is the last activity printed, ticked the last tick, by lane.
	doing  map[run.LaneID]string
	ticked map[run.LaneID]time.Time
	// gauges are the newest of all lanes, by family, and gauged what was printed of them,
	// in steps of ten percent.
	gauges map[string][]run.Reading
	gauged map[string]string
}

// NewPlain makes a printer of plain lines with instants in zone; nil means UTC.
func NewPlain(w io.Writer, zone *time.Location) *Plain { return newPlain(w, Words{Zone: zone}) }

func newPlain(w io.Writer, words Words) *Plain {
	return &Plain{
		out: stream{w: w}, words: words,
		doing: map[run.LaneID]string{}, ticked: map[run.LaneID]time.Time{},
		gauges: map[string][]run.Reading{}, gauged: map[string]string{},
	}
}

// Fact implements [Printer].
func (p *Plain) Fact(s *run.State, f run.Fact) error {
	if f.Body == nil { // of a newer version
		return nil
	}
	switch f.Body.(type) {
	case run.LaneEnded, run.AttemptEnded:
		delete(p.doing, f.Lane)
		delete(p.ticked, f.Lane)
	case run.TurnParked, run.ParkMoved:
		p.ticked[f.Lane] = f.At
	}
	return p.out.line([]byte(p.words.Line(s, f)))
}

// Observation implements [Printer].
func (p *Plain) Observation(s *run.State, o run.Observation) error {
	if b, ok := o.Body.(run.Gauges); ok {
		b.Readings = run.WithReadings(p.gauges[b.Family], b.Readings...)
		p.gauges[b.Family], o.Body = b.Readings, b
	}
	if !p.news(o) {
		return p.out.err
	}
	return p.out.line([]byte(p.words.Seen(s, o)))
}

// news reports whether an observation says something new of its lane.
func (p *Plain) news(o run.Observation) bool {
	switch b := o.Body.(type) {
	case run.ParkTick:
		if o.At.Sub(p.ticked[o.Lane]) < quietTicks {
			return false
		}
		p.ticked[o.Lane] = o.At
	case run.Activity:
		doing := fmt.Sprint(b.Now(), b.Retry.Attempt)
		if (b.Now() == "" && b.Retry.Attempt == 0) || p.doing[o.Lane] == doing {
			return false
		}
		p.doing[o.Lane] = doing
	case run.Gauges:
		steps := ""
		for _, r := range b.Readings {
			steps += fmt.Sprint(r.Limit, r.Window, math.Floor(r.Used*10))
		}
		if p.gauged[b.Family] == steps {
			return false
		}
		p.gauged[b.Family] = steps
	}
	return true
}

// JSON prints facts and observations as one JSON object each. How often an observation
// comes is the business of [Lines].
type JSON struct{ out stream }

// NewJSON makes a printer of JSON lines.
func NewJSON(w io.Writer) *JSON { return &JSON{stream{w: w}} }

// Fact implements [Printer].
func (j *JSON) Fact(_ *run.State, f run.Fact) error { return j.value(f) }

// Observation implements [Printer].
func (j *JSON) Observation(_ *run.State, o run.Observation) error { return j.value(o) }

func (j *JSON) value(v json.Marshaler) error {
	b, err := v.MarshalJSON()
	if err != nil {
		return fmt.Errorf("print json: %w", err)
	}
	return j.out.line(b)
}
