package engine

import (
	"slices"
	"strings"
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
	dirty             bool // seen is to be told
	gauges            []run.Reading
	moved             bool // gauges are to be told

	// told is how much of the stream is still to come that an earlier owner has heard
	// already; what it adds up to is said, in one, at its end.
	told int64
	past run.Sight
	// first is the first sign in it that a model answered, if no fact tells of any.
	first string
}

// maxDoing bounds what is told of what an agent does and says, in bytes each.
const maxDoing = 200

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
	t.told, t.past, t.first = t.a.told, run.Sight{}, ""
	t.a.told = 0 // what comes after another restart is new
	r, err := agent.NewReader(t.a.preset.Dialect, t.host.reference(t.a))
	if err != nil {
		t.host.ports.Log.Error("follow", "error", err)
	}
	t.reader = r
}

// Bytes takes what the agent has printed since.
func (t *tracker) Bytes(p []byte) {
	if t.a.reading.Err() != nil {
		return
	}
	now := t.host.ports.Clock.Now()
	t.a.heard.Store(now.UnixNano())
	t.a.bytes.Add(int64(len(p)))
	if t.reader == nil {
		return
	}
	if t.told > 0 {
		old := p[:min(int64(len(p)), t.told)]
		p = p[len(old):]
		t.reader.Feed(old, t.recall)
		if t.told -= int64(len(old)); t.told == 0 {
			if t.first != "" && t.past.Served == "" { // what it did counts, whatever came then
				t.sight(run.Sight{Served: t.first})
			}
			t.sight(t.past)
		}
	}
	t.reader.Feed(p, t.sight)
	if t.dirty {
		t.dirty = false
		t.observe(now, t.seen)
	}
	if t.moved {
		t.moved = false
		t.observe(now, run.Gauges{Family: t.a.family, Readings: t.gauges})
	}
}

func (t *tracker) observe(now time.Time, what run.Seeing) {
	t.host.ports.Observe(run.Observation{At: now.UTC().Round(0), Lane: t.a.lane, Attempt: t.a.id, Body: what})
}

// recall adds up what an earlier owner has heard: the last word counts.
func (t *tracker) recall(s run.Sight) {
	if s.Session != "" {
		t.past.Session, t.past.Model = s.Session, s.Model
	}
	if s.Suspect != "" {
		t.past.Suspect, t.past.Served = s.Suspect, ""
	}
	if s.Served != "" {
		t.past.Suspect, t.past.Served = "", s.Served
		if t.first == "" && !t.a.served {
			t.first = s.Served
		}
		t.tried()
	}
	t.steps(s)
	t.show(s)
	t.gauge(s, t.a.began) // no earlier
}

func (t *tracker) sight(s run.Sight) {
	if s.Session != "" && s.Session != t.session && t.learned < maxLearned {
		t.learned++
		t.session = s.Session
		t.host.send(run.Learned{Lane: t.a.lane, Attempt: t.a.id, Session: s.Session, Model: string(t.host.kept(s.Model))})
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
		t.tried()
	}
	t.steps(s)
	t.show(s)
	if s.Gauges[0].Limit != "" || s.Gauges[1].Limit != "" {
		t.gauge(s, t.host.ports.Clock.Now())
	}
}

// tried takes back the notice of a retry, as a model has answered.
func (t *tracker) tried() {
	if t.seen.Retry.Attempt > 0 {
		t.seen.Retry, t.dirty = run.Retry{}, true
	}
}

// gauge takes over what is told of usage windows, and remembers whether that is new.
func (t *tracker) gauge(s run.Sight, at time.Time) {
	for _, g := range s.Gauges {
		if g.Limit == "" {
			continue
		}
		g.Limit = string(t.host.kept(g.Limit))
		if !slices.ContainsFunc(t.gauges, func(r run.Reading) bool { return r.Gauge == g }) {
			t.gauges, t.moved = run.WithReadings(t.gauges, run.Reading{Gauge: g, At: at.UTC().Round(0)}), true
		}
	}
}

// show takes over what people like to see.
func (t *tracker) show(s run.Sight) {
	if s.Model != "" {
		t.seen.Model = string(t.host.kept(s.Model))
	}
	if s.Message != "" {
		t.seen.Message, t.seen.Doing, t.dirty = t.short(s.Message), "", true
	}
	if s.Doing != "" {
		t.seen.Doing, t.dirty = t.short(s.Doing), true
	}
	if s.Retry.Attempt > 0 {
		t.seen.Retry, t.dirty = s.Retry, true
	}
	if s.Usage != (run.Usage{}) {
		used := s.Usage.Less(t.a.before)
		t.seen.Usage, t.dirty = used, true
		t.a.used.Store(&used)
	}
	if !s.Passing() { // that is told once more for lines that were
		t.seen.Lines++
	}
}

// short is foreign text as it is shown.
func (t *tracker) short(text run.Untrusted) run.Untrusted {
	whole := t.host.kept(string(text)) // before it is cut
	if len(whole) <= maxDoing {
		return whole
	}
	return run.Untrusted(strings.ToValidUTF8(string(whole[:maxDoing]), ""))
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
