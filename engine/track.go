package engine

import (
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
)

// tracker reads the stream of a running agent: what the core must know goes to
// the owner, what people like to see is observed.
type tracker struct {
	host   *Host
	a      *attempt
	reader *agent.Reader

	served, suspected bool
	lastServed        time.Time
	session           string
	learned           int
	seen              run.Activity
	dirty             bool
}

// maxLearned bounds the sessions that one attempt may tell of; the verdict has the
// last.
const maxLearned = 8

func newTracker(h *Host, a *attempt) *tracker {
	t := &tracker{host: h, a: a}
	t.Restart()
	return t
}

// Restart begins anew, because the file did.
func (t *tracker) Restart() {
	r, err := agent.NewReader(t.a.preset.Dialect, t.host.reference(t.a))
	if err != nil {
		t.host.ports.Log.Error("follow", "error", err)
	}
	t.reader = r
}

// Bytes takes what the agent has printed since.
func (t *tracker) Bytes(p []byte) {
	now := t.host.ports.Clock.Now()
	t.a.heard.Store(now.UnixNano())
	t.a.bytes.Add(int64(len(p)))
	if t.reader == nil {
		return
	}
	t.reader.Feed(p, t.sight)
	if t.dirty {
		t.dirty = false
		t.host.ports.Observe(run.Observation{At: now.UTC().Round(0), Lane: t.a.lane, Attempt: t.a.id, Body: t.seen})
	}
}

func (t *tracker) sight(s run.Sight) {
	if s.Session != "" && s.Session != t.session && t.learned < maxLearned {
		t.learned++
		t.session = s.Session
		t.host.send(run.Learned{Lane: t.a.lane, Attempt: t.a.id, Session: s.Session, Model: s.Model})
	}
	if s.Suspect != "" && !t.suspected {
		t.suspected, t.served = true, false
		t.host.send(run.Suspected{Lane: t.a.lane, Attempt: t.a.id, Why: s.Suspect, LastServed: t.lastServed})
	}
	if s.Served != "" {
		t.lastServed = t.host.ports.Clock.Now().UTC().Round(0)
		if !t.served {
			t.host.send(run.Served{Lane: t.a.lane, Attempt: t.a.id, Sign: s.Served})
		}
		t.served, t.suspected = true, false
		t.seen.Retry = run.Retry{}
	}
	t.steps(s)
	if s.Model != "" {
		t.seen.Model = s.Model
	}
	if s.Doing != "" {
		t.seen.Doing, t.dirty = s.Doing, true
	}
	if s.Retry.Attempt > 0 {
		t.seen.Retry, t.dirty = s.Retry, true
	}
	if s.Usage != (run.Usage{}) {
		t.seen.Usage, t.dirty = s.Usage, true
	}
	t.seen.Lines++
}

// steps counts the steps in a row that used no tokens.
func (t *tracker) steps(s run.Sight) {
	switch {
	case s.Steps > s.Idle:
		t.a.idle.Store(0)
	case s.Idle > 0:
		t.a.idle.Add(int64(s.Idle))
	}
}
