package agent

import (
	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// grokStops are the reasons for which work ends, other than that it is done.
var grokStops = map[string]finding{
	"maxtokens":       {rule: "max_tokens", class: run.ClassFailed},
	"maxturnrequests": {rule: "max_turns", class: run.ClassFailed},
	"refusal":         {rule: "refusal", class: run.ClassFailed},
	"cancelled":       {rule: "cancelled", class: run.ClassCancelled},
}

func (g *grok) terminal(end End) (terminal, bool) {
	t := terminal{session: g.session, model: g.model, usage: g.usage}
	e := g.end
	stopped, known := grokStops[e.reason]
	switch {
	case e.line == 0, e.step && end.Cause == "" && end.failed():
		return t, false
	case e.failed:
		model := g.model
		if model == "" {
			model = g.ref.Model
		}
		ref := g.ref
		ref.Now = e.now
		t.verdict = refusal{text: e.text, model: model}.verdict("grok.error.", e.line, ref)
	case known:
		t.verdict = stopped.verdict("grok.end.", e.line, "")
	default:
		t.verdict = plain(run.ClassSuccess, "grok.end."+record.PlainName(e.reason), e.line, "")
	}
	return t, true
}
