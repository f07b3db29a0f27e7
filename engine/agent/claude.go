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

// claudeFields are the members of a record that are read.
type claudeFields struct {
	kind, subtype, session, tag, parent       string
	stamp, message, event, limit, model       raw
	attempt, maxRetries, delay, status        raw
	isError, result, errors, turns, cost, use raw
	apiStatus, reason, models                 raw
	partial                                   bool // some may be missing
}

func (f *claudeFields) take(name string, v raw) {
	switch name {
	case "type":
		f.kind = v.text()
	case "subtype":
		f.subtype = v.text()
	case "session_id":
		f.session = plainName(v.text())
	case "error":
		f.tag = v.text()
	case "parent_tool_use_id":
		f.parent = v.text()
	case "timestamp":
		f.stamp = v
	case "message":
		f.message = v
	case "event":
		f.event = v
	case "rate_limit_info":
		f.limit = v
	case "model":
		f.model = v
	case "attempt":
		f.attempt = v
	case "max_retries":
		f.maxRetries = v
	case "retry_delay_ms":
		f.delay = v
	case "error_status":
		f.status = v
	case "is_error":
		f.isError = v
	case "result":
		f.result = v
	case "errors":
		f.errors = v
	case "num_turns":
		f.turns = v
	case "total_cost_usd":
		f.cost = v
	case "usage":
		f.use = v
	case "api_error_status":
		f.apiStatus = v
	case "modelUsage":
		f.models = v
	case "terminal_reason":
		f.reason = v
	}
}

func newClaude(ref Reference) *claude { return &claude{ref: ref} }

var _ dialect = (*claude)(nil)

func (c *claude) read(record raw, line int, partial bool) run.Sight {
	f := claudeFields{partial: partial}
	members(record, f.take)
	var s run.Sight
	switch f.kind {
	case "system":
		c.system(f, &s)
	case "assistant":
		c.assistant(f, &s)
	case "stream_event":
		c.streamed(f, &s)
	case "rate_limit_event":
		c.limits.read(f.limit, line, f.now(c.ref), &s)
	case "result":
		c.ended(f, line, &s)
	default:
		return s
	}
	c.learn(f, &s)
	if s.Served != "" {
		c.retries, c.active = 0, c.active || f.kind != "result"
	}
	return s
}

// learn takes the session id of a record. The complaint that a session is gone
// names one that never was.
func (c *claude) learn(f claudeFields, s *run.Sight) {
	switch {
	case f.session == "" || f.session == c.session || c.result.found.rule == ruleSessionGone:
	case c.session == "" || f.subtype == "init" || f.kind == "result":
		c.session, s.Session = f.session, f.session
	}
}

func (c *claude) system(f claudeFields, s *run.Sight) {
	switch f.subtype {
	case "init":
		c.init, c.model = modelName(f.model.text()), ""
		s.Model = c.init
	case "api_retry":
		s.Retry = retryNotice(f.attempt.count(), f.maxRetries.count(), f.status.count())
		if ms, ok := f.delay.number(); ok {
			s.Retry.Delay = millis(ms)
		}
		if s.Retry.Status == 429 || s.Retry.Status == 0 && f.tag == "rate_limit" {
			c.retries++
			s.Suspect = suspectRetries(c.retries)
		}
	}
}

func (c *claude) assistant(f claudeFields, s *run.Sight) {
	m := readClaudeMessage(f.message)
	if m.model == synthetic || m.model == "" {
		if f.parent == "" {
			c.complaint = complaint{text: m.text, tag: f.tag}
		}
		s.Steps, s.Idle = 1, 1
		return
	}
	s.Served, s.Doing = m.served, m.doing
	if c.cycle.add(m.id, m.usage) {
		s.Steps = 1
		if m.usage.Tokens() == 0 {
			s.Idle = 1
		}
	}
	c.spent(s)
	if f.parent == "" {
		c.complaint = complaint{}
		c.speaks(m.model, s)
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
	var u run.Usage
	members(r, func(name string, v raw) {
		switch name {
		case "input_tokens":
			u.Input = v.count()
		case "output_tokens":
			u.Output = v.count()
		case "cache_read_input_tokens":
			u.CacheRead = v.count()
		case "cache_creation_input_tokens":
			u.CacheWrite = v.count()
		}
	})
	return u
}
