package agent

import (
	"strings"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// refusal is an error that an agent passes on from its provider: its own words, and
// what it kept of the provider's answer.
type refusal struct {
	text    string
	tag     string     // the agent's own word for the error
	status  int        // the HTTP status; zero if it is not told
	headers record.Raw // an object of strings; names in any case
	body    string     // a JSON object; anything else is not looked at
	model   string     // the model that ran
}

// verdict applies the rules to a refusal. A limit lasts until the latest instant that
// header or body state, or else until what the words say. The clock of ref is the one
// that relative times count from.
func (r refusal) verdict(prefix string, line int, ref Reference) run.Verdict {
	p := problem{text: r.text, status: r.status, tag: r.tag, model: r.model}
	if body := record.Raw(strings.TrimSpace(record.Cut(r.body, record.MaxErrorText))); len(body) > 0 && body[0] == '{' {
		f := readCodexFault(string(body), ref)
		if f.text != r.text {
			p.text += "\n" + f.text
		}
		p.text = strings.TrimSpace(p.text + "\n" + f.tag)
		p.code, p.resets = f.tag, !f.reset.IsZero()
		if p.status == 0 {
			p.status = f.status
		}
	}
	found := p.classify()
	shown, _, _ := strings.Cut(p.text, "\n")
	v := found.verdict(prefix, line, shown)
	if found.class != run.ClassRateLimited {
		return v
	}
	stated := reset.Later(reset.Headers(r.headers, ref.Now), reset.Body(record.Raw(r.body), ref.Now))
	if v.Reset, v.How = stated, run.HowStated; stated.IsZero() {
		v.Reset, v.How = reset.Text(r.text+"\n"+r.body, ref.clock())
	}
	h := readHeaders(r.headers)
	if h.usage {
		v.Kind = run.KindUsage
	}
	if h.bound {
		v.Scope, v.Model = run.ScopeModel, modelNamed(h.word, r.model)
	}
	if v.Scope == run.ScopeModel && v.Model == "" {
		v.Model = r.model
	}
	return v
}
