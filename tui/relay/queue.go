package relay

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

// queue is what is to be sent of one run. The zero value is empty.
type queue struct {
	// anew is set if the screen is to drop what it knows of the run.
	anew    bool
	facts   []run.Fact
	newest  map[slot]entry
	counter int
	ended   *tui.HostEndedMsg
}

// slot is what an observation replaces the one before of.
type slot struct {
	lane run.LaneID
	kind string
}

type entry struct {
	run.Observation
	// n orders observations as they came.
	n int
}

func (q *queue) add(facts []run.Fact) { q.facts = append(q.facts, facts...) }

// observe returns how many observations are lost by it.
func (q *queue) observe(o run.Observation) (lost int) {
	if o.Body == nil {
		return 0
	}
	k := slot{o.Lane, o.Body.Name()}
	if _, replaced := q.newest[k]; replaced {
		lost = 1
	}
	if q.newest == nil {
		q.newest = map[slot]entry{}
	}
	q.counter++
	q.newest[k] = entry{o, q.counter}
	return lost
}

func (q *queue) end(exit int, err error) {
	if q.ended == nil {
		q.ended = &tui.HostEndedMsg{Exit: exit, Err: err}
	}
}

// messages are what is queued, in the order in which it is to be sent.
func (q *queue) messages() []tea.Msg {
	var msgs []tea.Msg
	if q.anew {
		msgs = append(msgs, tui.RestartMsg{})
	}
	if len(q.facts) > 0 {
		msgs = append(msgs, tui.FactsMsg{Facts: q.facts})
	}
	if len(q.newest) > 0 {
		entries := make([]entry, 0, len(q.newest))
		for _, e := range q.newest {
			entries = append(entries, e)
		}
		slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.n, b.n) })
		seen := make([]run.Observation, len(entries))
		for i, e := range entries {
			seen[i] = e.Observation
		}
		msgs = append(msgs, tui.ObservationsMsg{Observations: seen})
	}
	if q.ended != nil {
		msgs = append(msgs, *q.ended)
	}
	return msgs
}
