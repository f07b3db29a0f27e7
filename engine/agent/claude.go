package agent

import (
	"strings"

	"example.com/layover/engine/run"
)

const dialectClaude = "claude"

// synthetic is the model that claude names on messages it wrote itself.
const synthetic = "<synthetic>"

// claude reads `claude -p --output-format stream-json --verbose`, and the streams of its
// kin.
type claude struct {
	kin
	ref     Reference
	session string
	init    string // the model that init named
	model   string // the model of the last message of the main thread

	usage   run.Usage // of the cycles that a result ended
	cost    float64   // as the results reckon it, for all cycles together
	priced  bool      // a result has stated the cost
	cycle   tally     // of the messages since
	streams string    // the id of the message that streams in now

	limits  claudeLimits
	retries int // 429 notices since a model answered
	complaint
	active bool // a model answered since the last result
	result claudeResult
}

// complaint is the last error message that claude itself put into the stream.
type complaint struct{ text, tag string }

func newClaude(k kin, ref Reference) *claude { return &claude{kin: k, ref: ref} }

var _ dialect = (*claude)(nil)

var claudeWanted = wantsOnce(claudePaths)

func (*claude) wanted() *want { return claudeWanted() }

func (c *claude) read(v *values, line int) (s run.Sight) {
	switch string(v.f[claudeType].word()) {
	case "system":
		c.system(v, &s)
	case "assistant":
		c.assistant(v, line, &s)
	case "stream_event":
		if c.partial {
			c.streamed(v, &s)
		}
	case "rate_limit_event":
		c.limits.read(v.f[claudeLimit], line, claudeNow(v, c.ref), &s)
	case "result":
		c.ended(v, line, &s)
	default:
		return s
	}
	c.learn(v, &s)
	if s.Served != "" {
		c.retries, c.active = 0, c.active || !v.is(claudeType, "result")
	}
	return s
}

// ofMain reports a record of the main thread, not of an agent below it.
func ofMain(v *values) bool { return len(v.f[claudeParent].word()) == 0 }

// learn takes the session id of a record. The complaint that a session is gone
// names one that never was.
func (c *claude) learn(v *values, s *run.Sight) {
	if v.is(claudeSession, c.session) {
		return
	}
	id := plainName(v.f[claudeSession].text())
	switch {
	case id == "" || c.result.found.rule == ruleSessionGone:
	case c.session == "" || v.is(claudeSubtype, "init") || v.is(claudeType, "result"):
		c.session, s.Session = id, id
	}
}

func (c *claude) system(v *values, s *run.Sight) {
	switch string(v.f[claudeSubtype].word()) {
	case "init":
		c.init, c.model = modelName(v.f[claudeInitModel].text()), ""
		s.Model = c.init
	case "retry": // of qwen; without a number it says that the try begins
		if !v.f[claudeAttempt].set() {
			return
		}
		fallthrough
	case "api_retry":
		s.Retry = retryNotice(v.f[claudeAttempt].count(), v.f[claudeMaxRetries].count(), v.f[claudeStatus].count())
		if ms, ok := v.f[claudeDelay].number(); ok {
			s.Retry.Delay = millis(ms)
		}
		if s.Limit = s.Retry.Status == 429 || s.Retry.Status == 0 && v.is(claudeTag, "rate_limit"); s.Limit {
			c.retries++
			s.Suspect = suspectRetries(c.retries)
		}
	}
}

func (c *claude) assistant(v *values, line int, s *run.Sight) {
	model := c.model
	if !v.is(claudeModel, model) {
		model = modelName(v.f[claudeModel].text())
	}
	used := c.stated(claudeUsage(v))
	if model == synthetic || model == "" && !c.bare || c.wrote(v.f[claudeBlockText], used) {
		if ofMain(v) {
			c.complaint = complaint{text: v.f[claudeBlockText].text(), tag: v.f[claudeTag].text()}
		}
		s.Steps, s.Idle = 1, 1
		return
	}
	s.Served = claudeBlock(v)
	if s.Served == "" && used.Output > 0 {
		s.Served = servedTokens
	}
	fresh, moved := c.cycle.add(c.messageID(v, line), used)
	if fresh {
		s.Steps = 1
		if used.Tokens() == 0 {
			s.Idle = 1
		}
	}
	if moved {
		c.spent(s)
	}
	if ofMain(v) {
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

// claudeUsage is the usage of a message.
func claudeUsage(v *values) run.Usage {
	return run.Usage{
		Input: v.f[claudeInput].count(), Output: v.f[claudeOutput].count(),
		CacheRead: v.f[claudeCacheRead].count(), CacheWrite: v.f[claudeCacheWrite].count(),
	}
}

// claudeTotal is the usage that a result states.
func claudeTotal(r raw) run.Usage {
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
