package agent

import (
	"strings"

	"example.com/layover/engine/run"
)

const dialectGrok = "grok"

// grok reads `grok --output-format streaming-json` of Grok Build, and the steps that
// `grok --format json` of superagent-ai/grok-cli prints: their words are not the same.
// A session is named at the end only.
type grok struct {
	ref     Reference
	session string
	model   string
	usage   run.Usage
	message speech // that of Grok Build, while its parts come
	end     grokEnd
}

// grokEnd is the terminal record; its line is zero if none came.
type grokEnd struct {
	line   int
	reason string // why a model's work ended
	failed bool   // it is an error
	text   string
	step   bool // only the step ended, and an end should follow
}

func newGrok(ref Reference) *grok { return &grok{ref: ref} }

var _ dialect = (*grok)(nil)

// What is read of the records of grok.
const (
	grokType field = iota + 1
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

var grokWanted = wantsOnce(func() map[string]field {
	paths := map[string]field{
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
		paths["rawInput."+name] = grokArgument + field(i)
	}
	return paths
})

func (*grok) wanted() *want { return grokWanted() }

func (g *grok) read(v *values, line int) (s run.Sight) {
	kind := string(v.f[grokType].word())
	if kind != "text" {
		g.message.end()
	}
	switch kind {
	case "thought":
		s.Served = servedText
	case "text":
		g.said(v, &s)
	case "tool_call":
		verb := v.f[grokTool]
		if len(verb.word()) == 0 {
			verb = v.f[grokTitle]
		}
		v.act = act{verb: verb, object: firstText(v, grokArgument, len(mainArguments))}
		s.Served = servedTool
	case "tool_use":
		if !v.f[grokStep].set() {
			return s
		}
		v.act = act{verb: v.f[grokCallName]}
		s.Served = servedTool
	case "usage", "step_finish":
		if kind == "step_finish" && !v.f[grokStep].set() {
			return s
		}
		g.step(v, line, kind == "step_finish", &s)
	case "end":
		g.ended(v, line, &s)
	case "run_finish":
		g.finished(v, line, &s)
	case "error":
		if text := v.f[grokMessage].text(); text != "" {
			g.end = grokEnd{line: line, failed: true, text: cut(text, maxErrorText)}
			s.Terminal = true
		}
	}
	if s == (run.Sight{}) {
		return s
	}
	if id := plainName(v.f[grokSession].text()); id != "" && id != g.session {
		g.session, s.Session = id, id
	}
	if s.Served != "" && s.Steps == 0 {
		g.end = grokEnd{} // the work goes on, whatever went wrong before
	}
	return s
}

// said reads a text: a part of one of Grok Build's, or a whole one of grok-cli's.
func (g *grok) said(v *values, s *run.Sight) {
	text, whole := v.f[grokData], v.f[grokStep].set()
	if whole {
		text = v.f[grokText]
	}
	if len(text) <= len(`""`) || text[0] != '"' {
		return
	}
	s.Served = servedText
	if v.act = g.message.add(text); whole {
		g.message.end()
	}
}

// step reads what one answer of a model used. The last step of grok-cli may be all that
// tells that the work is done.
func (g *grok) step(v *values, line int, last bool, s *run.Sight) {
	u := grokUsage(v)
	g.usage = g.usage.Add(u)
	if s.Steps = 1; u.Tokens() == 0 {
		s.Idle = 1
	}
	if s.Usage = g.usage; u.Output > 0 {
		s.Served = servedTokens
	}
	if reason := grokWord(v.f[grokReason].text()); last && reason == "stop" && !g.end.failed {
		g.end = grokEnd{line: line, reason: reason, step: true}
		s.Terminal = true
	}
}

// ended reads the end of a turn of Grok Build, which sums up all that it used.
func (g *grok) ended(v *values, line int, s *run.Sight) {
	if !v.f[grokReason].set() {
		return
	}
	g.end = grokEnd{line: line, reason: grokWord(v.f[grokReason].text())}
	s.Terminal = true
	if u := grokUsage(v); u.Tokens() > 0 {
		g.usage = u
		if cost, ok := v.f[grokCost].number(); ok && cost > 0 && cost <= maxCost {
			g.usage.CostUSD, g.usage.Unpriced = cost, 0
		}
		s.Usage = g.usage
	}
	if m := grokModel(v.f[grokModels]); m != "" && m != g.model {
		g.model, s.Model = m, m
	}
}

// finished reads the end of a run of grok-cli. The error before it tells more.
func (g *grok) finished(v *values, line int, s *run.Sight) {
	s.Terminal = true
	switch {
	case v.f[grokSuccess].flag():
		g.end = grokEnd{line: line, reason: "stop"}
	case !g.end.failed:
		g.end = grokEnd{line: line, failed: true}
	}
}

// grokUsage is the usage that a record states; input is what was not cached.
func grokUsage(v *values) run.Usage {
	u := run.Usage{
		Input: v.f[grokInput].count(), Output: v.f[grokOutput].count(),
		CacheRead: v.f[grokCacheRead].count(), CacheWrite: v.f[grokCacheWrite].count(),
	}
	u.Unpriced = u.Tokens()
	return u
}

// grokModel is the model that made most calls: agents below the main one may have
// others.
func grokModel(models raw) string {
	name, most := "", int64(-1)
	members(models, func(n string, v raw) {
		if calls := v.member("modelCalls").count(); calls > most {
			name, most = modelName(n), calls
		}
	})
	return name
}

// grokWord gives one form of the words that versions spell as EndTurn or end_turn.
func grokWord(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(cut(s, maxName)))
}
