package agent

import (
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

const DialectCopilot = "copilot"

// copilot reads `copilot --output-format json`. Some versions name the session at the
// beginning, all of them at the end.
type copilot struct {
	against
	session string
	model   string
	spoken  run.Usage // output that messages state
	counted run.Usage // of the calls that are accounted for
	refused int       // the status of the last call that failed
	tries   int       // retries since a model answered
	limited int       // of these, those after status 429
	fault   copilotFault
	end     copilotEnd
}

func newCopilot(ref Reference) *copilot { return &copilot{against: against{ref}} }

var _ dialect = (*copilot)(nil)

// What is read of the records of copilot.
const (
	copilotType record.Field = iota + 1
	copilotStamp
	copilotSession
	copilotExit
	copilotModel
	copilotText
	copilotParent // set in what an agent below the main one does
	copilotInput
	copilotOutput
	copilotCacheRead
	copilotCacheWrite
	copilotTool
	copilotErrorType
	copilotErrorCode
	copilotMessage
	copilotStatus
	copilotReason
	copilotArgument // the first of mainArguments
)

var copilotWanted = record.WantsOnce(func() map[string]record.Field {
	paths := map[string]record.Field{
		"type":                  copilotType,
		"timestamp":             copilotStamp,
		"sessionId":             copilotSession,
		"exitCode":              copilotExit,
		"data.sessionId":        copilotSession,
		"data.selectedModel":    copilotModel,
		"data.newModel":         copilotModel,
		"data.model":            copilotModel,
		"data.content":          copilotText,
		"data.parentToolCallId": copilotParent,
		"data.inputTokens":      copilotInput,
		"data.outputTokens":     copilotOutput,
		"data.cacheReadTokens":  copilotCacheRead,
		"data.cacheWriteTokens": copilotCacheWrite,
		"data.toolName":         copilotTool,
		"data.errorType":        copilotErrorType,
		"data.errorCode":        copilotErrorCode,
		"data.message":          copilotMessage,
		"data.statusCode":       copilotStatus,
		"data.reason":           copilotReason,
	}
	for i, name := range mainArguments {
		paths["data.arguments."+name] = copilotArgument + record.Field(i)
	}
	return paths
})

func (*copilot) wanted() *record.Want { return copilotWanted() }

func (*copilot) stamp() record.Field { return copilotStamp }

func (c *copilot) read(v *record.Values, line int) (s run.Sight) {
	switch string(v.Fields[copilotType].Word()) {
	case "session.start", "session.resume":
		c.learn(v, &s)
		c.speaks(v, &s)
	case "session.model_change", "session.tools_updated":
		c.speaks(v, &s)
	case "assistant.message_delta", "assistant.message_start", "assistant.reasoning_delta", "assistant.reasoning":
		s.Served = servedText
	case "assistant.tool_call_delta":
		s.Served = servedTool
	case "assistant.message":
		c.message(v, &s)
	case "assistant.usage":
		c.account(v, &s)
	case "tool.execution_start":
		v.Act = record.Act{Verb: v.Fields[copilotTool], Object: firstText(v, copilotArgument, len(mainArguments))}
		s.Served = servedTool
	case "model.call_failure":
		c.refused = int(min(v.Fields[copilotStatus].Count(), 999))
	case "assistant.turn_retry":
		c.retries(v, &s)
	case "abort":
		c.end.aborted = true
	case "session.error":
		c.fault = newCopilotFault(v, line, c.now(v))
	case "result":
		if !v.Fields[copilotExit].Set() {
			return s
		}
		code, _ := v.Fields[copilotExit].Number()
		c.end = copilotEnd{line: line, code: int(max(-1, min(code, 999))), aborted: c.end.aborted}
		s.Terminal = true
		c.learn(v, &s)
	}
	if s.Served != "" {
		c.tries, c.limited, c.fault, c.end = 0, 0, copilotFault{}, copilotEnd{}
	}
	return s
}

func (c *copilot) learn(v *record.Values, s *run.Sight) {
	if id := record.PlainName(v.Fields[copilotSession].Text()); id != "" && id != c.session {
		c.session, s.Session = id, id
	}
}

// speaks takes the model that the main agent works with.
func (c *copilot) speaks(v *record.Values, s *run.Sight) {
	if m := record.ModelName(v.Fields[copilotModel].Text()); m != "" && m != c.model {
		c.model, s.Model = m, m
	}
}

// message reads a whole message. Not all of them say what they used, so that none
// counts as an idle step.
func (c *copilot) message(v *record.Values, s *run.Sight) {
	s.Served, s.Steps = servedTool, 1 // it has no text if it only calls tools
	if text := v.Fields[copilotText]; len(text) > len(`""`) {
		v.Act = record.Said(text)
		s.Served = servedText
	}
	if !v.Fields[copilotParent].Set() {
		c.speaks(v, s)
	}
	if n := v.Fields[copilotOutput].Count(); n > 0 {
		c.spoken = c.spoken.Add(run.Usage{Output: n, Unpriced: n})
		s.Usage = c.usage()
	}
}

// account reads what one call used. Cached input is a part of the input there. The cost
// is one of premium requests, not of dollars.
func (c *copilot) account(v *record.Values, s *run.Sight) {
	u := run.Usage{
		Input: v.Fields[copilotInput].Count(), Output: v.Fields[copilotOutput].Count(),
		CacheRead: v.Fields[copilotCacheRead].Count(), CacheWrite: v.Fields[copilotCacheWrite].Count(),
	}
	u.Input = max(0, u.Input-u.CacheRead-u.CacheWrite)
	u.Unpriced = u.Tokens()
	c.counted = c.counted.Add(u)
	if u.Output > 0 {
		s.Served = servedTokens
	}
	s.Usage = c.usage()
}

// usage is what the attempt used as far as it is told: by the accounts of its calls, or
// else by its messages.
func (c *copilot) usage() run.Usage {
	if c.counted.Output >= c.spoken.Output {
		return c.counted
	}
	return c.spoken
}

// retries reads the notice that a call is made again.
func (c *copilot) retries(v *record.Values, s *run.Sight) {
	c.tries++
	s.Retry = retryNotice(int64(c.tries), 0, int64(c.refused))
	if c.refused == 429 || v.Is(copilotReason, "rate_limit") {
		c.limited++
		s.Suspect = suspectRetries(c.limited)
	}
	c.refused = 0
}

// now is the record's own time if it has one, else the reference.
func (c *copilot) now(v *record.Values) time.Time {
	return c.ref.at(v.Fields[copilotStamp].Text())
}
