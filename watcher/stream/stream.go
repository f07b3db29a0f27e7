package stream

import (
	"slices"
	"strings"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
)

// Options say how a stream is read.
type Options struct {
	// Path is named in the evidence of a verdict.
	Path string
	// Dialect is one of [agent.Dialects]. If it is empty it is guessed.
	Dialect string
	// Zone is that of clock times which name none; nil means UTC.
	Zone *time.Location
	// Keep makes of a text of the stream what may be kept of it, such as without secrets;
	// nil keeps all as it is.
	Keep func(text string) string
	// Counted is told of messages as [agent.Reference] has it. It may be told of one more
	// than once.
	Counted func(id uint64, u run.Usage)
	// Now is when the file was changed last: a line without a time of its own, and without
	// one before it that has one, counts from it. See [Stream.SetNow].
	Now time.Time
}

// maxShown bounds what is kept of what an agent does and says, in bytes each.
const maxShown = 200

// Stream keeps the account of a stream. It is a sink of package tail. It is not safe for
// concurrent use.
type Stream struct {
	o      Options
	reader *agent.Reader // nil while no dialect is known
	look   func(run.Sight)
	head   head

	account Account
	// doing and message are the newest, as they came.
	doing, message words
	session        string // as it came
	gauges         []gauge
	served         agent.Stamp // of the last answer of a model
	answered       bool        // it is not in the account yet
	stale          bool        // the account is to be brought up to date
	live           bool        // what comes is written now
}

// words are some that are not in the account yet, if they are new.
type words struct {
	text run.Untrusted
	new  bool
}

// New returns a stream of which nothing has been read.
func New(o Options) *Stream {
	s := blank(o)
	s.Restart()
	return s
}

func blank(o Options) *Stream {
	s := &Stream{o: o}
	s.look = s.see
	return s
}

// Restart begins anew, because the file did.
func (s *Stream) Restart() {
	s.head = head{}
	s.begin(s.o.Dialect)
	if s.o.Dialect != "" {
		s.head.over = true
	}
}

// begin forgets what was read, and reads on in a dialect; in none if there is no such one.
func (s *Stream) begin(dialect string) {
	s.account, s.doing, s.message, s.session, s.stale = Account{}, words{}, words{}, "", false
	s.gauges, s.answered = nil, false
	r, err := agent.NewReader(dialect, s.reference())
	if s.reader = r; err != nil {
		return
	}
	s.account.Dialect, s.account.Family = dialect, agent.FamilyOf(dialect)
}

func (s *Stream) reference() agent.Reference {
	return agent.Reference{Now: s.o.Now, Late: !s.live, Zone: s.o.Zone, File: s.o.Path, Keep: s.o.Keep, Counted: s.o.Counted}
}

// SetNow sets when what comes is written. Lines that state no time of their own count from
// it, and not from those before them any more. Zero is not known.
func (s *Stream) SetNow(now time.Time) {
	if s.o.Now, s.live = now, true; s.reader != nil {
		s.reader.SetNow(now)
	}
}

// Bytes takes the next bytes. They are valid during the call only.
func (s *Stream) Bytes(p []byte) {
	if !s.head.over {
		p = s.guess(p)
	}
	if s.reader != nil && len(p) > 0 {
		s.reader.Feed(p, s.look)
		s.stale = true
	}
}

// Held is how many bytes at the end of what was read are not in what is saved: they belong
// to a line that has not ended, or the dialect is not certain yet. Whoever goes on reads
// them again.
func (s *Stream) Held() int64 {
	switch {
	case !s.head.over:
		return int64(len(s.head.text))
	case s.reader != nil:
		return s.reader.Held()
	}
	return 0
}

// see takes over what a line shows.
func (s *Stream) see(n run.Sight) {
	a := &s.account
	if n.Model != "" {
		a.Model = s.keep(n.Model)
	}
	if n.Dir != "" {
		a.Dir = run.Untrusted(s.keep(string(n.Dir)))
	}
	if n.Served != "" {
		s.served, s.answered = s.reader.Stamp(), true
		a.Suspect, a.SuspectedAt, a.Limit, a.Activity.Retry = "", time.Time{}, run.Verdict{}, run.Retry{}
	}
	if why := suspicion(n); why != "" {
		if a.Suspect == "" {
			a.SuspectedAt = s.at()
		}
		a.Suspect = why
	}
	if n.Limit && n.Terminal {
		if v, over := s.reader.Verdict(); over {
			a.Limit = run.Verdict{Class: v.Class, Scope: v.Scope, Model: s.keep(v.Model), Reset: v.Reset, How: v.How, Message: v.Message}
		}
	}
	switch {
	case n.Retry.Attempt > 0:
		a.Activity.Retry = n.Retry
	case n.Terminal: // it tries no more
		a.Activity.Retry = run.Retry{}
	}
	if n.Message != "" {
		s.message, s.doing = words{n.Message, true}, words{"", true}
	}
	if n.Doing != "" {
		s.doing = words{n.Doing, true}
	}
	for _, g := range n.Gauges {
		if g.Limit != "" {
			s.read(g)
		}
	}
}

// suspicion is why a line makes the family suspected; empty if it does not.
func suspicion(n run.Sight) string {
	if n.Suspect == "" && n.Limit && n.Terminal {
		return "its turn ended at a limit"
	}
	return n.Suspect
}

// gauge is one that was told last at a stamp; new until it is in the account.
type gauge struct {
	run.Gauge
	at  agent.Stamp
	new bool
}

// read takes a gauge, in the place of the one before of the same limit and length.
func (s *Stream) read(g run.Gauge) {
	same := func(x gauge) bool { return x.Limit == g.Limit && x.Window == g.Window }
	at := slices.IndexFunc(s.gauges, same)
	if at < 0 && len(s.gauges) == run.MaxReadings {
		s.refresh() // what is there is in the account
		s.gauges = s.gauges[:0]
	}
	if at < 0 {
		s.gauges, at = append(s.gauges, gauge{}), len(s.gauges)
	}
	s.gauges[at] = gauge{g, s.reader.Stamp(), true}
}

// readings brings the gauges of the account up to date. A name that is there already is one
// that may be kept.
func (s *Stream) readings() {
	a := &s.account
	for i := range s.gauges {
		g := &s.gauges[i]
		if !g.new {
			continue
		}
		g.new = false
		known := g.Gauge
		if !slices.ContainsFunc(a.Readings, func(r run.Reading) bool { return r.Limit == known.Limit }) {
			known.Limit = s.keep(known.Limit)
		}
		a.Readings = run.WithReadings(a.Readings, run.Reading{Gauge: known, At: s.instant(g.at)})
	}
}

// at is when the line that is shown was written, as far as is known.
func (s *Stream) at() time.Time { return s.instant(s.reader.Stamp()) }

func (s *Stream) instant(stamp agent.Stamp) time.Time {
	if at := s.reader.Instant(stamp); !at.IsZero() {
		return at
	}
	return s.o.Now
}

func (s *Stream) keep(text string) string {
	if s.o.Keep == nil || text == "" {
		return text
	}
	return s.o.Keep(text)
}

// short is what is kept of what an agent does or says. It is made so before it is cut.
func (s *Stream) short(text run.Untrusted) run.Untrusted {
	whole := s.keep(string(text))
	if len(whole) <= maxShown {
		return run.Untrusted(whole)
	}
	return run.Untrusted(strings.Clone(strings.ToValidUTF8(whole[:maxShown], "")))
}

// Account is what all that was read tells.
func (s *Stream) Account() Account {
	if s.stale {
		s.stale = false
		s.refresh()
	}
	return s.account
}

// refresh brings up to date what the reader knows, and what was not worth to be made ready
// for each chunk.
func (s *Stream) refresh() {
	a, r := &s.account, s.reader
	v, over := r.Verdict()
	if v.Session != s.session {
		s.session, a.Session = v.Session, s.keep(v.Session)
	}
	v.Session = a.Session
	a.Verdict, a.Turn = run.Verdict{}, 0
	switch {
	case over:
		a.Verdict, a.Turn = v, TurnOver
	case r.Begun():
		a.Turn = TurnOpen
	}
	a.Began, a.At, a.Damaged = r.Began(), r.At(), r.Damaged()
	a.Activity.Usage, a.Activity.Lines, a.Activity.Model = v.Usage, r.Lines(), a.Model
	s.readings()
	if s.answered {
		a.ServedAt, s.answered = s.instant(s.served), false
	}
	if s.doing.new {
		a.Activity.Doing, s.doing = s.short(s.doing.text), words{}
	}
	if s.message.new {
		a.Activity.Message, s.message = s.short(s.message.text), words{}
	}
}
