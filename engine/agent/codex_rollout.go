package agent

import (
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// dialectCodexRollout is the format in which codex keeps its sessions on disk.
const dialectCodexRollout = "codex-rollout"

// codexRollout reads ~/.codex/sessions/Y/M/D/rollout-*.jsonl (codex-rs/rollout of
// github.com/openai/codex). A session may go on after any of its turns: the last one
// counts, and one under way has no end.
type codexRollout struct {
	against
	session, model string
	dir            place
	usage          run.Usage // of the whole session
	retries        int
	asked          bool         // a prompt or an answer was read
	gauges         [2]run.Gauge // of the account's own limit
	end            rolloutEnd
	classifier
}

// rolloutEnd is how the last turn ended; its line is zero while one is under way.
type rolloutEnd struct {
	line      int
	now       time.Time
	class     run.Class // zero if the message decides
	text, tag string
}

// accountLimit is the limit that binds the account; others bind single models.
const accountLimit = "codex"

const (
	rolloutStamp record.Field = iota + 1
	rolloutType
	rolloutKind
	rolloutID
	rolloutModel
	rolloutDir
	rolloutMessage
	rolloutLast
	rolloutTag
	rolloutError
	rolloutErrorTag
	rolloutReason
	rolloutRole
	rolloutText
	rolloutTool
	rolloutCall
	rolloutPatch
	rolloutCommand
	rolloutInput
	rolloutOutput
	rolloutCached
	rolloutLimit
	rolloutLimitName
	rolloutGauge // the fields of the first gauge, then those of the second
)

// The fields of a gauge, from the first one.
const (
	gaugeUsed record.Field = iota
	gaugeMinutes
	gaugeAt
	gaugeIn
	gaugeFields
)

var codexRolloutWanted = record.WantsOnce(func() map[string]record.Field {
	return map[string]record.Field{
		"timestamp": rolloutStamp, "type": rolloutType,
		"payload.type": rolloutKind, "payload.id": rolloutID, "payload.model": rolloutModel, "payload.cwd": rolloutDir,
		"payload.message": rolloutMessage, "payload.last_agent_message": rolloutLast, "payload.codex_error_info": rolloutTag,
		"payload.error.message": rolloutError, "payload.error.codex_error_info": rolloutErrorTag,
		"payload.reason": rolloutReason, "payload.role": rolloutRole, "payload.content[].text": rolloutText,
		"payload.name": rolloutTool, "payload.arguments": rolloutCall,
		"payload.input": rolloutPatch, "payload.action.command": rolloutCommand,
		"payload.info.total_token_usage.input_tokens":        rolloutInput,
		"payload.info.total_token_usage.output_tokens":       rolloutOutput,
		"payload.info.total_token_usage.cached_input_tokens": rolloutCached,
		"payload.rate_limits.limit_id":                       rolloutLimit,
		"payload.rate_limits.limit_name":                     rolloutLimitName,
		"payload.rate_limits.primary.used_percent":           rolloutGauge + gaugeUsed,
		"payload.rate_limits.primary.window_minutes":         rolloutGauge + gaugeMinutes,
		"payload.rate_limits.primary.resets_at":              rolloutGauge + gaugeAt,
		"payload.rate_limits.primary.resets_in_seconds":      rolloutGauge + gaugeIn,
		"payload.rate_limits.secondary.used_percent":         rolloutGauge + gaugeFields + gaugeUsed,
		"payload.rate_limits.secondary.window_minutes":       rolloutGauge + gaugeFields + gaugeMinutes,
		"payload.rate_limits.secondary.resets_at":            rolloutGauge + gaugeFields + gaugeAt,
		"payload.rate_limits.secondary.resets_in_seconds":    rolloutGauge + gaugeFields + gaugeIn,
	}
})

func newCodexRollout(ref Reference) *codexRollout { return &codexRollout{against: against{ref}} }

var _ dialect = (*codexRollout)(nil)

func (*codexRollout) wanted() *record.Want { return codexRolloutWanted() }

func (*codexRollout) stamp() record.Field { return rolloutStamp }

func (c *codexRollout) read(v *record.Values, line int) (s run.Sight) {
	switch string(v.Fields[rolloutType].Word()) {
	case "session_meta":
		if id := record.PlainName(v.Fields[rolloutID].Text()); id != "" {
			c.session, s.Session = id, id
		}
		s.Dir = c.dir.moved(v.Fields[rolloutDir])
	case "turn_context":
		s.Dir = c.dir.moved(v.Fields[rolloutDir])
		if m := record.ModelName(v.Fields[rolloutModel].Text()); m != "" && m != c.model {
			c.model, s.Model = m, m
		}
	case "response_item":
		s.Served = rolloutItem(v)
	case "event_msg":
		c.event(v, line, &s)
	}
	if s.Served != "" {
		c.asked, c.retries, c.end = true, 0, rolloutEnd{}
	}
	return s
}

func (c *codexRollout) begun() bool { return c.asked || c.end.line > 0 }

// rolloutItem gives the sign in an item that a model made it, and finds what it is about.
func rolloutItem(v *record.Values) string {
	switch string(v.Fields[rolloutKind].Word()) {
	case "message":
		if !v.Is(rolloutRole, "assistant") {
			return ""
		}
		v.Act = record.Said(v.Fields[rolloutText])
		return servedText
	case "reasoning":
		return servedText
	case "function_call":
		v.Act = record.Act{Verb: v.Fields[rolloutTool], Object: v.Fields[rolloutCall], Call: true}
		return servedTool
	case "custom_tool_call":
		v.Act = record.Act{Verb: v.Fields[rolloutTool], Object: v.Fields[rolloutPatch], Call: true}
		return servedTool
	case "local_shell_call":
		v.Act = record.Act{Word: "shell", Object: v.Fields[rolloutCommand], Call: true}
		return servedTool
	}
	return ""
}

func (c *codexRollout) event(v *record.Values, line int, s *run.Sight) {
	end := rolloutEnd{line: line}
	switch string(v.Fields[rolloutKind].Word()) {
	case "task_started", "user_message":
		c.asked, c.end = true, rolloutEnd{}
	case "agent_message":
		s.Served = servedText
		v.Act = record.Said(v.Fields[rolloutMessage])
	case "token_count":
		c.count(v, c.now(v), s)
	case "error":
		end.now = c.now(v)
		end.text, end.tag = record.Whole(v.Fields[rolloutMessage].Text(), record.MaxErrorText), v.Fields[rolloutTag].Text()
		c.end = end
		s.Limit = c.finding().class == run.ClassRateLimited
	case "task_complete":
		s.Terminal, s.Steps = true, 1
		v.Act = record.Said(v.Fields[rolloutLast]) // not every build has told it before
		end.now = c.now(v)
		switch said := v.Fields[rolloutError].Text(); {
		case said != "":
			end.text, end.tag = record.Whole(said, record.MaxErrorText), v.Fields[rolloutErrorTag].Text()
			c.end = end
			s.Limit = c.finding().class == run.ClassRateLimited
		case c.end.line == 0:
			end.class = run.ClassSuccess
			c.end = end
		}
	case "turn_aborted":
		end.class, end.text = run.ClassCancelled, v.Fields[rolloutReason].Text()
		c.end = end
		s.Terminal = true
	}
}

// count takes the tokens so far, and the gauges of a limit.
func (c *codexRollout) count(v *record.Values, now time.Time, s *run.Sight) {
	u := run.Usage{Output: v.Fields[rolloutOutput].Count(), CacheRead: v.Fields[rolloutCached].Count()}
	if u.Input = max(0, v.Fields[rolloutInput].Count()-u.CacheRead); u != (run.Usage{}) {
		u.Unpriced = u.Tokens()
		c.usage, s.Usage = u, u
	}
	limit := record.PlainName(v.Fields[rolloutLimit].Text())
	if limit == "" {
		limit = accountLimit // older builds know but one
	}
	for i := range s.Gauges {
		s.Gauges[i] = rolloutGaugeOf(v, rolloutGauge+record.Field(i)*gaugeFields, limit, now)
	}
	if limit != accountLimit || s.Gauges == [2]run.Gauge{} {
		return
	}
	c.gauges, s.Suspect = s.Gauges, c.ref.fullGauge(s.Gauges)
}

// rolloutGaugeOf reads a gauge whose fields start at one; without a name if there is none.
func rolloutGaugeOf(v *record.Values, at record.Field, limit string, now time.Time) run.Gauge {
	used, ok := v.Fields[at+gaugeUsed].Number()
	if !ok || used < 0 || used > 100*maxShare {
		return run.Gauge{}
	}
	g := run.Gauge{Limit: limit, Used: used / 100, Resets: reset.Instant(v.Fields[at+gaugeAt], now)}
	if minutes := v.Fields[at+gaugeMinutes].Count(); minutes > 0 && minutes < 366*24*60 {
		g.Window = time.Duration(minutes) * time.Minute
	}
	if n, ok := v.Fields[at+gaugeIn].Number(); ok && g.Resets.IsZero() {
		g.Resets = after(now, n)
	}
	return g
}

// now is the line's own time if it has one, else the reference.
func (c *codexRollout) now(v *record.Values) time.Time {
	return c.ref.at(v.Fields[rolloutStamp].Text())
}

func (c *codexRollout) finding() finding {
	p := problem{text: c.end.text + "\n" + c.end.tag, code: c.end.tag, model: c.model}
	return c.classify(p)
}

func (c *codexRollout) terminal(End) (terminal, bool) {
	t := terminal{session: c.session, model: c.model, usage: c.usage}
	switch {
	case c.end.line == 0:
		return t, false
	case c.end.class == run.ClassSuccess:
		t.verdict = plain(run.ClassSuccess, "codex.rollout.task_complete", c.end.line, "")
		return t, true
	case c.end.class != 0:
		t.verdict = plain(c.end.class, "codex.rollout.turn_aborted", c.end.line, c.end.text)
		return t, true
	}
	found := c.finding()
	t.verdict = found.verdict("codex.rollout.", c.end.line, c.end.text)
	if found.class != run.ClassRateLimited {
		return t, true
	}
	v, ref := &t.verdict, c.ref
	ref.Now = c.end.now
	if v.Reset, v.How = reset.Text(c.end.text, ref.clock()); v.Reset.IsZero() {
		for _, g := range c.gauges {
			if reset := reset.Believable(g.Resets, ref.Now); g.Full() && reset.After(v.Reset) {
				v.Reset, v.How = reset, run.HowStated
			}
		}
	}
	return t, true
}
