package plan_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// lastDeed carries an effect out of which nobody hears any more.
func (d *drive) lastDeed(e run.Effect) {
	switch e := e.(type) {
	case run.Spawn:
		d.start(e)
	case run.End:
		if !d.gone[e.Attempt] {
			d.at(d.now.Sub(start), run.Ended{Lane: e.Lane, Attempt: e.Attempt, Exit: run.Exit{Code: -1, Signal: "terminated"}, Verdict: run.Verdict{Class: run.ClassIncomplete}})
		}
	}
}

// reborn lets a new owner come: what has happened since, it hears then.
func (d *drive) reborn() {
	d.dead = false
	d.now = d.now.Add(d.away)
	d.rules.Back(d.now)
	for i := range d.queue {
		if d.queue[i].at.Before(d.now) {
			d.queue[i].at = d.now
		}
	}
	if d.state.Phase != 0 {
		d.decide(run.Resume{})
	}
}

// halve lets the owner die while it saves what it decided on a happening. The next one
// hears again of what agents and other processes did, never of what the operator asked.
func (d *drive) halve(h run.Happening, saved []run.Fact, effects []run.Effect) {
	d.t.Helper()
	effects = append(slices.Clone(d.pending), effects...)
	d.dead, d.halts, d.pending = true, 0, nil
	d.state = d.read(lines(d.t, append(slices.Clone(d.facts), saved...)))
	d.rules.Replayed(d.state)
	d.held()
	switch h := h.(type) {
	case run.Begin, run.Served, run.Suspected, run.Seen:
		d.queue = append(d.queue, event{at: d.now, h: h}) // the first of all that is due
	case run.Ended:
		d.gone[h.Attempt] = false
		d.queue = append(d.queue, event{at: d.now, h: h})
	}
	for _, e := range effects {
		if end, ok := e.(run.End); ok && d.torn {
			d.lastDeed(end)
		}
	}
}

// lines are facts as they lie on the disk.
func lines(t tester, facts []run.Fact) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, f := range facts {
		line, err := f.MarshalJSON()
		if err != nil {
			t.Fatalf("write: %v", err)
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// read gives the state that a new owner reads back.
func (d *drive) read(data []byte) *run.State {
	d.t.Helper()
	dir, err := os.MkdirTemp("", "layover")
	if err != nil {
		d.t.Fatalf("%v", err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, journal.EventsFile), data, 0o600); err != nil {
		d.t.Fatalf("%v", err)
	}
	s, _, err := journal.Replay(dir)
	if err != nil {
		d.t.Fatalf("read back: %v", err)
	}
	return s
}
