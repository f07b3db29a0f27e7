package agent

import (
	"strings"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

const DialectClaude = "claude"

// Synthetic is the model that claude names on messages it wrote itself.
const Synthetic = "<synthetic>"

// claude reads `claude -p --output-format stream-json --verbose`, and the streams of its
// kin.
type claude struct {
	kin
	against
	session string
	init    string // the model that init named
	model   string // the model of the last message of the main thread

	usage   run.Usage // of the cycles that a result ended
	cost    float64   // as the results reckon it, for all cycles together
	priced  bool      // a result has stated the cost
	cycle   tally     // of the messages since
	streams string    // the id of the message that streams in now
	dir     place

	limits  claudeLimits
	retries int // 429 notices since a model answered
	complaint
	prose  []byte // the beginning of what the model of the main thread said last, as it stands in the record
	active bool   // a model answered since the last result
	result claudeResult
}

// maxProse is how much of the model's words is enough to know them by, in bytes.
const maxProse = 256

// complaint is the last error message that claude itself put into the stream.
type complaint struct{ text, tag string }

func newClaude(k kin, ref Reference) *claude { return &claude{kin: k, against: against{ref}} }

var _ dialect = (*claude)(nil)

var claudeWanted = record.WantsOnce(claudePaths)

func (*claude) wanted() *record.Want { return claudeWanted() }

func (*claude) stamp() record.Field { return claudeStamp }

func (c *claude) read(v *record.Values, line int) (s run.Sight) {
	switch string(v.Fields[claudeType].Word()) {
	case "system":
		c.system(v, &s)
	case "assistant":
		c.assistant(v, line, &s)
	case "stream_event":
		if c.partial {
			c.streamed(v, &s)
		}
	case "rate_limit_event":
		c.limits.read(v.Fields[claudeLimit], line, claudeNow(v, c.ref), c.ref, &s)
	case "result":
		c.ended(v, line, &s)
	default:
		return s
	}
	c.learn(v, &s)
	if s.Served != "" {
		c.retries, c.active = 0, c.active || !v.Is(claudeType, "result")
	}
	return s
}

// ofMain reports a record of the main thread, not of an agent below it.
func ofMain(v *record.Values) bool { return len(v.Fields[claudeParent].Word()) == 0 }

// learn takes the session id of a record. The complaint that a session is gone
// names one that never was.
func (c *claude) learn(v *record.Values, s *run.Sight) {
	if v.Is(claudeSession, c.session) {
		return
	}
	id := record.PlainName(v.Fields[claudeSession].Text())
	switch {
	case id == "" || c.result.found.rule == ruleSessionGone:
	case c.session == "" || v.Is(claudeSubtype, "init") || v.Is(claudeType, "result"):
		c.session, s.Session = id, id
	}
}

func (c *claude) system(v *record.Values, s *run.Sight) {
	switch string(v.Fields[claudeSubtype].Word()) {
	case "init":
		c.init, c.model = record.ModelName(v.Fields[claudeInitModel].Text()), ""
		s.Model, s.Dir = c.init, c.dir.moved(v.Fields[claudeDir])
	case "retry": // of qwen; without a number it says that the try begins
		if !v.Fields[claudeAttempt].Set() {
			return
		}
		fallthrough
	case "api_retry":
		s.Retry = retryNotice(v.Fields[claudeAttempt].Count(), v.Fields[claudeMaxRetries].Count(), v.Fields[claudeStatus].Count())
		if ms, ok := v.Fields[claudeDelay].Number(); ok {
			s.Retry.Delay = millis(ms)
		}
		if s.Limit = s.Retry.Status == 429 || s.Retry.Status == 0 && v.Is(claudeTag, "rate_limit"); s.Limit {
			c.retries++
			s.Suspect = suspectRetries(c.retries)
		}
	}
}

func (c *claude) assistant(v *record.Values, line int, s *run.Sight) {
	model := c.model
	if !v.Is(claudeModel, model) {
		model = record.ModelName(v.Fields[claudeModel].Text())
	}
	used := c.stated(claudeUsage(v))
	if model == Synthetic || model == "" && !c.bare || c.wrote(v.Fields[claudeBlockText], used) {
		if ofMain(v) {
			c.complaint = complaint{text: v.Fields[claudeBlockText].Text(), tag: v.Fields[claudeTag].Text()}
		}
		s.Steps, s.Idle = 1, 1
		return
	}
	s.Served = claudeBlock(v)
	if s.Served == "" && used.Output > 0 {
		s.Served = servedTokens
	}
	fresh, moved := c.cycle.add(c.messageID(v, line, c.ref.File), used, c.ref.Counted)
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
		if text := v.Fields[claudeBlockText]; len(text) > 0 {
			c.prose = append(c.prose[:0], text[:min(len(text), maxProse)]...)
		}
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
func claudeUsage(v *record.Values) run.Usage {
	return run.Usage{
		Input: v.Fields[claudeInput].Count(), Output: v.Fields[claudeOutput].Count(),
		CacheRead: v.Fields[claudeCacheRead].Count(), CacheWrite: v.Fields[claudeCacheWrite].Count(),
	}
}

// ClaudeTotal is the usage that a result states.
func ClaudeTotal(r record.Raw) run.Usage {
	var u run.Usage
	record.Members(r, func(name string, v record.Raw) {
		switch name {
		case "input_tokens":
			u.Input = v.Count()
		case "output_tokens":
			u.Output = v.Count()
		case "cache_read_input_tokens":
			u.CacheRead = v.Count()
		case "cache_creation_input_tokens":
			u.CacheWrite = v.Count()
		}
	})
	return u
}
