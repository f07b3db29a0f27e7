package agent

import (
	"math"
	"slices"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

const DialectOpencode = "opencode"

// opencode reads `opencode run --format json`. It tells nothing while it tries again,
// however often, and names no model.
type opencode struct {
	against
	session string
	usage   run.Usage
	end     opencodeEnd
	erred   bool // an error was told: its exit status is 1 then, even if the work went on
}

func newOpencode(ref Reference) *opencode { return &opencode{against: against{ref}} }

var _ dialect = (*opencode)(nil)

// What is read of the records of opencode.
const (
	opencodeType record.Field = iota + 1
	opencodeStamp
	opencodeSession
	opencodePart // the kind of the part; a record of steps without one is not opencode's
	opencodeText
	opencodeTool
	opencodeReason
	opencodeCost
	opencodeTotal
	opencodeInput
	opencodeOutput
	opencodeReasoning
	opencodeCacheRead
	opencodeCacheWrite
	opencodeName
	opencodeData
	opencodeIdle
	opencodeArgument // the first of opencodeArguments
)

// opencodeArguments are the arguments that tell most about a tool call, best first.
var opencodeArguments = slices.Concat(mainArguments, []string{"filePath", "name"})

var opencodeWanted = record.WantsOnce(func() map[string]record.Field {
	paths := map[string]record.Field{
		"type":                    opencodeType,
		"timestamp":               opencodeStamp,
		"sessionID":               opencodeSession,
		"part.type":               opencodePart,
		"part.text":               opencodeText,
		"part.tool":               opencodeTool,
		"part.reason":             opencodeReason,
		"part.cost":               opencodeCost,
		"part.tokens.total":       opencodeTotal,
		"part.tokens.input":       opencodeInput,
		"part.tokens.output":      opencodeOutput,
		"part.tokens.reasoning":   opencodeReasoning,
		"part.tokens.cache.read":  opencodeCacheRead,
		"part.tokens.cache.write": opencodeCacheWrite,
		"error.name":              opencodeName,
		"error.data":              opencodeData,
		"reason":                  opencodeIdle,
	}
	for i, name := range opencodeArguments {
		paths["part.state.input."+name] = opencodeArgument + record.Field(i)
	}
	return paths
})

func (*opencode) wanted() *record.Want { return opencodeWanted() }

func (*opencode) stamp() record.Field { return opencodeStamp }

func (o *opencode) read(v *record.Values, line int) (s run.Sight) {
	kind := string(v.Fields[opencodeType].Word())
	switch kind {
	case "step_start", "text", "reasoning", "tool_use", "step_finish":
		if !v.Fields[opencodePart].Set() {
			return s
		}
		o.end = opencodeEnd{} // the work goes on, whatever went wrong before
		o.part(kind, v, line, &s)
	case "error":
		if !v.Fields[opencodeName].Set() {
			return s
		}
		o.end.fault(v, line, o.now(v))
		o.erred = true
		s.Terminal = true
	case "done":
		if !v.Fields[opencodeIdle].Set() {
			return s
		}
		o.end.done = line
		s.Terminal = true
	default:
		return s
	}
	if o.session == "" {
		o.session = record.PlainName(v.Fields[opencodeSession].Text())
		s.Session = o.session
	}
	return s
}

// part reads a part of the work.
func (o *opencode) part(kind string, v *record.Values, line int, s *run.Sight) {
	switch kind {
	case "text":
		if text := v.Fields[opencodeText]; len(text) > len(`""`) {
			v.Act = record.Said(text)
			s.Served = servedText
		}
	case "reasoning":
		s.Served = servedText
	case "tool_use":
		v.Act = record.Act{Verb: v.Fields[opencodeTool], Object: firstText(v, opencodeArgument, len(opencodeArguments))}
		s.Served = servedTool
	case "step_finish":
		used := opencodeUsage(v)
		if s.Steps = 1; used.Tokens() == 0 {
			s.Idle = 1
		}
		if used.Output > 0 {
			s.Served = servedTokens
		}
		o.usage = o.usage.Add(used)
		s.Usage = o.usage
		o.end.finished(v.Fields[opencodeReason].Text(), line)
		s.Terminal = o.end.line > 0
	}
}

// now is the line's own time if it has one, else the reference.
func (o *opencode) now(v *record.Values) time.Time {
	if ms, ok := v.Fields[opencodeStamp].Number(); ok && ms > 0 && ms < 1e14 {
		return o.ref.known(time.UnixMilli(int64(math.Floor(ms))).UTC())
	}
	return o.ref.Now
}

// opencodeUsage is the usage of a step. What the model thought is counted beside its
// output, unless the total says that it is a part of it.
func opencodeUsage(v *record.Values) run.Usage {
	u := run.Usage{
		Input: v.Fields[opencodeInput].Count(), Output: v.Fields[opencodeOutput].Count(),
		CacheRead: v.Fields[opencodeCacheRead].Count(), CacheWrite: v.Fields[opencodeCacheWrite].Count(),
	}
	if thought, total := v.Fields[opencodeReasoning].Count(), v.Fields[opencodeTotal].Count(); total == 0 || u.Tokens()+thought <= total {
		u.Output += thought
	}
	if cost, ok := v.Fields[opencodeCost].Number(); ok && cost > 0 && cost <= record.MaxCost {
		u.CostUSD = cost
	} else {
		u.Unpriced = u.Tokens() // no price is known, or a subscription pays
	}
	return u
}

// firstText gives the first of some fields that holds a text.
func firstText(v *record.Values, from record.Field, n int) record.Raw {
	for i := range n {
		if arg := v.Fields[from+record.Field(i)]; len(arg) > len(`""`) && arg[0] == '"' {
			return arg
		}
	}
	return nil
}
