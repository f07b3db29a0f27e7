package cli

import (
	"cmp"
	"slices"
	"time"

	"example.com/layover/engine/run"
)

const (
	// plainPace and jsonPace are how far apart two activities of a lane are at least, or
	// two of its gauges, in plain lines and in JSON.
	plainPace = time.Second
	jsonPace  = time.Second / 10
)

// pace merges what passes: of each topic one is let through in so much real time, and
// then the newest that has come since. It is not safe for concurrent use.
type pace struct {
	every  time.Duration
	topics map[topic]*paced
}

// paced is a topic of which one was let through less than a pace ago.
type paced struct {
	// held is the newest since; it is none if its body is nil.
	held  run.Observation
	timer *time.Timer
}

// take takes an observation of a topic and reports whether it is let through. One that is
// held takes the place of the one before. Once the pace has passed, due is called for a
// topic from a goroutine of its own.
func (p *pace) take(about topic, o run.Observation, due func(topic)) bool {
	if now := p.topics[about]; now != nil {
		now.held = o
		return false
	}
	p.topics[about] = &paced{timer: time.AfterFunc(p.every, func() { due(about) })}
	return true
}

// next gives what is held of a topic whose pace has passed; false if nothing is.
func (p *pace) next(about topic) (run.Observation, bool) {
	now := p.topics[about]
	if now == nil { // it was over before the timer was stopped
		return run.Observation{}, false
	}
	o := now.held
	if now.held = (run.Observation{}); o.Body == nil {
		delete(p.topics, about)
		return o, false
	}
	now.timer.Reset(p.every)
	return o, true
}

// over gives what is held of the topics that are over, in a fixed order, and forgets them.
func (p *pace) over(is func(topic) bool) []run.Observation {
	var ended []topic
	for about := range p.topics {
		if is(about) {
			ended = append(ended, about)
		}
	}
	slices.SortFunc(ended, func(a, b topic) int { return cmp.Or(cmp.Compare(a.lane, b.lane), cmp.Compare(a.kind, b.kind)) })
	var held []run.Observation
	for _, about := range ended {
		now := p.topics[about]
		now.timer.Stop()
		if delete(p.topics, about); now.held.Body != nil {
			held = append(held, now.held)
		}
	}
	return held
}
