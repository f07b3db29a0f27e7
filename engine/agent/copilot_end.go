package agent

import (
	"strconv"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// copilotFault is the last error of a session that no answer followed; its line is zero
// if there is none.
type copilotFault struct {
	line             int
	now              time.Time
	kind, code, text string
	status           int
}

// copilotEnd is the result; its line is zero if none came.
type copilotEnd struct {
	line    int
	code    int
	aborted bool // the work was broken off
}

func newCopilotFault(v *record.Values, line int, now time.Time) copilotFault {
	return copilotFault{
		line: line, now: now,
		kind: record.Cut(v.Fields[copilotErrorType].Text(), record.MaxName), code: record.Cut(v.Fields[copilotErrorCode].Text(), record.MaxName),
		text: record.Whole(v.Fields[copilotMessage].Text(), record.MaxErrorText), status: int(min(v.Fields[copilotStatus].Count(), 999)),
	}
}

// copilotLimits are the limits that copilot names by a word. A quota is a month's
// allowance, although its status is 402 and not 429.
var copilotLimits = map[string]finding{
	"quota_exceeded":           {class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeFamily},
	"session_quota_exceeded":   {class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeFamily},
	"user_weekly_rate_limited": {class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeFamily},
	"user_global_rate_limited": {class: run.ClassRateLimited, kind: run.KindThrottle, scope: run.ScopeFamily},
	"user_model_rate_limited":  {class: run.ClassRateLimited, kind: run.KindThrottle, scope: run.ScopeModel},
	"integration_rate_limited": {class: run.ClassRateLimited, kind: run.KindThrottle, scope: run.ScopeFamily},
	"billing_not_configured":   {class: run.ClassBilling},
	"quota":                    {class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeFamily},
	"context_limit":            {class: run.ClassContextOverflow},
	"authentication":           {class: run.ClassAuth},
	"authorization":            {class: run.ClassAuth},
}

// verdict judges an error by copilot's own words for it, or else by the common rules.
func (f copilotFault) verdict(model string, ref Reference) run.Verdict {
	ref.Now = f.now
	for _, word := range []string{f.code, f.kind} {
		found, known := copilotLimits[word]
		if !known {
			continue
		}
		if found.scope == run.ScopeModel {
			found.model = model
		}
		found.rule = word
		v := found.verdict("copilot.error.", f.line, f.text)
		if found.class == run.ClassRateLimited {
			v.Reset, v.How = reset.Text(f.text, ref.clock())
		}
		return v
	}
	r := refusal{text: f.text, status: f.status, model: model}
	if f.kind == "rate_limit" {
		r.tag = f.kind
	}
	return r.verdict("copilot.error.", f.line, ref)
}

func (c *copilot) terminal(end End) (terminal, bool) {
	t := terminal{session: c.session, model: c.model, usage: c.usage()}
	model := c.model
	if model == "" {
		model = c.ref.Model
	}
	switch e := c.end; {
	case e.line > 0 && e.code == 0:
		t.verdict = plain(run.ClassSuccess, "copilot.result.success", e.line, "")
	case c.fault.line > 0 && (e.line > 0 || end.failed()):
		t.verdict = c.fault.verdict(model, c.ref)
	case e.line > 0 && e.aborted:
		t.verdict = plain(run.ClassCancelled, "copilot.result.aborted", e.line, "")
	case e.line > 0:
		t.verdict = plain(run.ClassFailed, "copilot.result.exit."+strconv.Itoa(e.code), e.line, "")
	default:
		return t, false
	}
	return t, true
}
