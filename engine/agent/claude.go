package agent

import (
	"strings"

	"example.com/layover/engine/run"
)

const dialectClaude = "claude"

// synthetic is the model that claude names on messages it wrote itself.
const synthetic = "<synthetic>"

// claude reads `claude -p --output-format stream-json --verbose`.
type claude struct {
	ref     Reference
	session string
	init    string // the model that init named
	model   string // the model of the last message of the main thread

	usage   run.Usage // of the cycles that a result ended
	cost    float64   // as the results reckon it, for all cycles together
	priced  bool      // a result has stated the cost
	cycle   tally     // of the messages since
	partial string    // the id of the message that streams in now

	limits  claudeLimits
	retries int // 429 notices since a model answered
	complaint
	active bool // a model answered since the last result
	result claudeResult
}

// complaint is the last error message that claude itself put into the stream.
type complaint struct{ text, tag string }

// claudeFields are the members of a record that are read. Their values are those of
// the line, and end with it.
type claudeFields struct {
	kind, subtype, session, tag, parent       raw
	stamp, limit, model                       raw
	attempt, maxRetries, delay, status        raw
	isError, result, errors, turns, cost, use raw
	apiStatus, reason, models                 raw
	message                                   claudeMessage
	event                                     claudeEvent
}

// own reports a record of the main thread, not of an agent below it.
func (f *claudeFields) own() bool { return len(f.parent.word()) == 0 }

func (f *claudeFields) read(w *walk) {
	for w.enter('{'); w.more(); {
		switch string(w.name) {
		case "type":
			f.kind = w.value()
		case "subtype":
			f.subtype = w.value()
		case "session_id":
			f.session = w.value()
		case "error":
			f.tag = w.value()
		case "parent_tool_use_id":
			f.parent = w.value()
		case "timestamp":
			f.stamp = w.value()
		case "message":
			if string(f.kind) != `"user"` { // what a tool gave is skipped
				f.message.read(w)
			}
		case "event":
			f.event.read(w)
		case "rate_limit_info":
			f.limit = w.value()
		case "model":
			f.model = w.value()
		case "attempt":
			f.attempt = w.value()
		case "max_retries":
			f.maxRetries = w.value()
		case "retry_delay_ms":
			f.delay = w.value()
		case "error_status":
			f.status = w.value()
		case "is_error":
			f.isError = w.value()
		case "result":
			f.result = w.value()
		case "errors":
			f.errors = w.value()
		case "num_turns":
			f.turns = w.value()
		case "total_cost_usd":
			f.cost = w.value()
		case "usage":
			f.use = w.value()
		case "api_error_status":
			f.apiStatus = w.value()
		case "modelUsage":
			f.models = w.value()
		case "terminal_reason":
			f.reason = w.value()
		}
	}
}

func newClaude(ref Reference) *claude { return &claude{ref: ref} }

var _ dialect = (*claude)(nil)

func (c *claude) read(w *walk, line int) run.Sight {
	var s run.Sight
	var f claudeFields
	f.read(w)
	if w.bad {
		return s
	}
	switch string(f.kind.word()) {
	case "system":
		c.system(&f, &s)
	case "assistant":
		c.assistant(&f, &s)
	case "stream_event":
		c.streamed(&f, &s)
	case "rate_limit_event":
		c.limits.read(f.limit, line, f.now(c.ref), &s)
	case "result":
		c.ended(&f, line, &s)
	default:
		return s
	}
	c.learn(&f, &s)
	if s.Served != "" {
		c.retries, c.active = 0, c.active || string(f.kind.word()) != "result"
	}
	return s
}

// learn takes the session id of a record. The complaint that a session is gone
// names one that never was.
func (c *claude) learn(f *claudeFields, s *run.Sight) {
	if string(f.session.word()) == c.session {
		return
	}
	id := plainName(f.session.text())
	switch {
	case id == "" || c.result.found.rule == ruleSessionGone:
	case c.session == "" || string(f.subtype.word()) == "init" || string(f.kind.word()) == "result":
		c.session, s.Session = id, id
	}
}

func (c *claude) system(f *claudeFields, s *run.Sight) {
	switch string(f.subtype.word()) {
	case "init":
		c.init, c.model = modelName(f.model.text()), ""
		s.Model = c.init
	case "api_retry":
		s.Retry = retryNotice(f.attempt.count(), f.maxRetries.count(), f.status.count())
		if ms, ok := f.delay.number(); ok {
			s.Retry.Delay = millis(ms)
		}
		if s.Retry.Status == 429 || s.Retry.Status == 0 && string(f.tag.word()) == "rate_limit" {
			c.retries++
			s.Suspect = suspectRetries(c.retries)
		}
	}
}

func (c *claude) assistant(f *claudeFields, s *run.Sight) {
	m := &f.message
	model := c.model
	if string(m.model.word()) != model {
		model = modelName(m.model.text())
	}
	if model == synthetic || model == "" {
		if f.own() {
			c.complaint = complaint{text: m.text.text(), tag: f.tag.text()}
		}
		s.Steps, s.Idle = 1, 1
		return
	}
	s.Served, s.Doing = m.served(), m.last.doing()
	if c.cycle.add(m.id.word(), m.usage) {
		s.Steps = 1
		if m.usage.Tokens() == 0 {
			s.Idle = 1
		}
	}
	c.spent(s)
	if f.own() {
		c.complaint = complaint{}
		c.speaks(model, s)
	}
}

// speaks takes the model of a message of the main thread. Messages lack the
// variant that init names in brackets.
func (c *claude) speaks(model string, s *run.Sight) {
	plain, _, _ := strings.Cut(c.init, "[")
	if plain != "" && (strings.HasPrefix(model, plain) || strings.HasPrefix(plain, model)) {
		model = c.init
	}
	if model != c.model && (c.model != "" || model != c.init) {
		s.Model = model
	}
	c.model = model
}

// spent shows the usage so far.
func (c *claude) spent(s *run.Sight) {
	if u := c.total(); u != (run.Usage{}) {
		s.Usage = u
	}
}

func (c *claude) total() run.Usage {
	u := c.usage.Add(c.cycle.sum)
	u.CostUSD, u.Unpriced = c.cost, c.cycle.sum.Tokens()
	if !c.priced {
		u.Unpriced = u.Tokens()
	}
	return u
}

// running is the model that the stream names; empty if it names none.
func (c *claude) running() string {
	if c.model != "" {
		return c.model
	}
	return c.init
}

// asked is the running model, or the one that was asked for if none is named.
func (c *claude) asked() string {
	if m := c.running(); m != "" {
		return m
	}
	return c.ref.Model
}

func claudeUsage(r raw) run.Usage {
	var w walk
	w.start(r, 0)
	return readClaudeUsage(&w)
}

func readClaudeUsage(w *walk) run.Usage {
	var u run.Usage
	for w.enter('{'); w.more(); {
		switch string(w.name) {
		case "input_tokens":
			u.Input = w.value().count()
		case "output_tokens":
			u.Output = w.value().count()
		case "cache_read_input_tokens":
			u.CacheRead = w.value().count()
		case "cache_creation_input_tokens":
			u.CacheWrite = w.value().count()
		}
	}
	return u
}
