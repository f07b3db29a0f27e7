package agent

import (
	"math"
	"slices"
	"time"

	"example.com/layover/engine/run"
)

const dialectOpencode = "opencode"

// opencode reads `opencode run --format json`. It tells nothing while it tries again,
// however often, and names no model.
type opencode struct {
	ref     Reference
	session string
	usage   run.Usage
	end     opencodeEnd
	erred   bool // an error was told: its exit status is 1 then, even if the work went on
}

func newOpencode(ref Reference) *opencode { return &opencode{ref: ref} }

var _ dialect = (*opencode)(nil)

// What is read of the records of opencode.
const (
	opencodeType field = iota + 1
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

var opencodeWanted = wantsOnce(func() map[string]field {
	paths := map[string]field{
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
		paths["part.state.input."+name] = opencodeArgument + field(i)
	}
	return paths
})

func (*opencode) wanted() *want { return opencodeWanted() }

func (o *opencode) read(v *values, line int) (s run.Sight) {
	kind := string(v.f[opencodeType].word())
	switch kind {
	case "step_start", "text", "reasoning", "tool_use", "step_finish":
		if !v.f[opencodePart].set() {
			return s
		}
		o.end = opencodeEnd{} // the work goes on, whatever went wrong before
		o.part(kind, v, line, &s)
	case "error":
		if !v.f[opencodeName].set() {
			return s
		}
		o.end.fault(v, line, o.now(v))
		o.erred = true
		s.Terminal = true
	case "done":
		if !v.f[opencodeIdle].set() {
			return s
		}
		o.end.done = line
		s.Terminal = true
	default:
		return s
	}
	if o.session == "" {
		o.session = plainName(v.f[opencodeSession].text())
		s.Session = o.session
	}
	return s
}

// part reads a part of the work.
func (o *opencode) part(kind string, v *values, line int, s *run.Sight) {
	switch kind {
	case "text":
		if text := v.f[opencodeText]; len(text) > len(`""`) {
			v.act = said(text)
			s.Served = servedText
		}
	case "reasoning":
		s.Served = servedText
	case "tool_use":
		v.act = act{verb: v.f[opencodeTool], object: firstText(v, opencodeArgument, len(opencodeArguments))}
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
		o.end.finished(v.f[opencodeReason].text(), line)
		s.Terminal = o.end.line > 0
	}
}

// now is the line's own time if it has one, else the reference.
func (o *opencode) now(v *values) time.Time {
	if ms, ok := v.f[opencodeStamp].number(); ok && ms > 0 && ms < 1e14 {
		return time.UnixMilli(int64(math.Floor(ms))).UTC()
	}
	return o.ref.Now
}

// opencodeUsage is the usage of a step. What the model thought is counted beside its
// output, unless the total says that it is a part of it.
func opencodeUsage(v *values) run.Usage {
	u := run.Usage{
		Input: v.f[opencodeInput].count(), Output: v.f[opencodeOutput].count(),
		CacheRead: v.f[opencodeCacheRead].count(), CacheWrite: v.f[opencodeCacheWrite].count(),
	}
	if thought, total := v.f[opencodeReasoning].count(), v.f[opencodeTotal].count(); total == 0 || u.Tokens()+thought <= total {
		u.Output += thought
	}
	if cost, ok := v.f[opencodeCost].number(); ok && cost > 0 && cost <= maxCost {
		u.CostUSD = cost
	} else {
		u.Unpriced = u.Tokens() // no price is known, or a subscription pays
	}
	return u
}

// firstText gives the first of some fields that holds a text.
func firstText(v *values, from field, n int) raw {
	for i := range n {
		if arg := v.f[from+field(i)]; len(arg) > len(`""`) && arg[0] == '"' {
			return arg
		}
	}
	return nil
}
