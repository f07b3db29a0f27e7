package agent

import (
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

const DialectGrok = "grok"

// grok reads `grok --output-format streaming-json` of Grok Build, and the steps that
// `grok --format json` of superagent-ai/grok-cli prints: their words are not the same.
// A session is named at the end only.
type grok struct {
	against
	session string
	model   string
	usage   run.Usage
	message record.Speech // that of Grok Build, while its parts come
	end     grokEnd
}

// grokEnd is the terminal record; its line is zero if none came.
type grokEnd struct {
	line   int
	reason string // why a model's work ended
	failed bool   // it is an error
	now    time.Time
	text   string
	step   bool // only the step ended, and an end should follow
}

func newGrok(ref Reference) *grok { return &grok{against: against{ref}} }

var _ dialect = (*grok)(nil)

// What is read of the records of grok.
const (
	grokType record.Field = iota + 1
	grokData
	grokSession
	grokTool
	grokTitle
	grokMessage
	grokReason
	grokInput
	grokOutput
	grokCacheRead
	grokCacheWrite
	grokCost
	grokModels
	grokStep // a record of grok-cli
	grokText
	grokCallName
	grokSuccess
	grokArgument // the first of mainArguments
)

var grokWanted = record.WantsOnce(func() map[string]record.Field {
	paths := map[string]record.Field{
		"type":                              grokType,
		"data":                              grokData,
		"sessionId":                         grokSession,
		"sessionID":                         grokSession,
		"toolName":                          grokTool,
		"title":                             grokTitle,
		"message":                           grokMessage,
		"stopReason":                        grokReason,
		"finishReason":                      grokReason,
		"usage.input_tokens":                grokInput,
		"usage.output_tokens":               grokOutput,
		"usage.cache_read_input_tokens":     grokCacheRead,
		"usage.cache_creation_input_tokens": grokCacheWrite,
		"usage.inputTokens":                 grokInput,
		"usage.outputTokens":                grokOutput,
		"total_cost_usd":                    grokCost,
		"modelUsage":                        grokModels,
		"stepNumber":                        grokStep,
		"text":                              grokText,
		"toolCall.function.name":            grokCallName,
		"success":                           grokSuccess,
	}
	for i, name := range mainArguments {
		paths["rawInput."+name] = grokArgument + record.Field(i)
	}
	return paths
})

func (*grok) wanted() *record.Want { return grokWanted() }

func (g *grok) read(v *record.Values, line int) (s run.Sight) {
	kind := string(v.Fields[grokType].Word())
	if kind != "text" {
		g.message.End()
	}
	switch kind {
	case "thought":
		s.Served = servedText
	case "text":
		g.said(v, &s)
	case "tool_call":
		verb := v.Fields[grokTool]
		if len(verb.Word()) == 0 {
			verb = v.Fields[grokTitle]
		}
		v.Act = record.Act{Verb: verb, Object: firstText(v, grokArgument, len(mainArguments))}
		s.Served = servedTool
	case "tool_use":
		if !v.Fields[grokStep].Set() {
			return s
		}
		v.Act = record.Act{Verb: v.Fields[grokCallName]}
		s.Served = servedTool
	case "usage", "step_finish":
		if kind == "step_finish" && !v.Fields[grokStep].Set() {
			return s
		}
		g.step(v, line, kind == "step_finish", &s)
	case "end":
		g.ended(v, line, &s)
	case "run_finish":
		g.finished(v, line, &s)
	case "error":
		if text := v.Fields[grokMessage].Text(); text != "" {
			g.end = grokEnd{line: line, failed: true, now: g.ref.Now, text: record.Whole(text, record.MaxErrorText)}
			s.Terminal = true
		}
	}
	if s == (run.Sight{}) {
		return s
	}
	if id := record.PlainName(v.Fields[grokSession].Text()); id != "" && id != g.session {
		g.session, s.Session = id, id
	}
	if s.Served != "" && s.Steps == 0 {
		g.end = grokEnd{} // the work goes on, whatever went wrong before
	}
	return s
}

// said reads a text: a part of one of Grok Build's, or a whole one of grok-cli's.
func (g *grok) said(v *record.Values, s *run.Sight) {
	text, whole := v.Fields[grokData], v.Fields[grokStep].Set()
	if whole {
		text = v.Fields[grokText]
	}
	if len(text) <= len(`""`) || text[0] != '"' {
		return
	}
	s.Served = servedText
	if v.Act = g.message.Add(text); whole {
		g.message.End()
	}
}

// step reads what one answer of a model used. The last step of grok-cli may be all that
// tells that the work is done.
func (g *grok) step(v *record.Values, line int, last bool, s *run.Sight) {
	u := grokUsage(v)
	g.usage = g.usage.Add(u)
	if s.Steps = 1; u.Tokens() == 0 {
		s.Idle = 1
	}
	if s.Usage = g.usage; u.Output > 0 {
		s.Served = servedTokens
	}
	if reason := grokWord(v.Fields[grokReason].Text()); last && reason == "stop" && !g.end.failed {
		g.end = grokEnd{line: line, reason: reason, step: true}
		s.Terminal = true
	}
}

// ended reads the end of a turn of Grok Build, which sums up all that it used.
func (g *grok) ended(v *record.Values, line int, s *run.Sight) {
	if !v.Fields[grokReason].Set() {
		return
	}
	g.end = grokEnd{line: line, reason: grokWord(v.Fields[grokReason].Text())}
	s.Terminal = true
	if u := grokUsage(v); u.Tokens() > 0 {
		g.usage = u
		if cost, ok := v.Fields[grokCost].Number(); ok && cost > 0 && cost <= record.MaxCost {
			g.usage.CostUSD, g.usage.Unpriced = cost, 0
		}
		s.Usage = g.usage
	}
	if m := grokModel(v.Fields[grokModels]); m != "" && m != g.model {
		g.model, s.Model = m, m
	}
}

// finished reads the end of a run of grok-cli. The error before it tells more.
func (g *grok) finished(v *record.Values, line int, s *run.Sight) {
	s.Terminal = true
	switch {
	case v.Fields[grokSuccess].Flag():
		g.end = grokEnd{line: line, reason: "stop"}
	case !g.end.failed:
		g.end = grokEnd{line: line, failed: true, now: g.ref.Now}
	}
}

// grokUsage is the usage that a record states; input is what was not cached.
func grokUsage(v *record.Values) run.Usage {
	u := run.Usage{
		Input: v.Fields[grokInput].Count(), Output: v.Fields[grokOutput].Count(),
		CacheRead: v.Fields[grokCacheRead].Count(), CacheWrite: v.Fields[grokCacheWrite].Count(),
	}
	u.Unpriced = u.Tokens()
	return u
}

// grokModel is the model that made most calls: agents below the main one may have
// others.
func grokModel(models record.Raw) string {
	name, most := "", int64(-1)
	record.Members(models, func(n string, v record.Raw) {
		if calls := v.Member("modelCalls").Count(); calls > most {
			name, most = record.ModelName(n), calls
		}
	})
	return name
}

// grokWord gives one form of the words that versions spell as EndTurn or end_turn.
func grokWord(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(record.Cut(s, record.MaxName)))
}
