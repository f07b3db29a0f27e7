package agent

import (
	"bytes"
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// claudeResult is the result record that decides.
type claudeResult struct {
	line  int
	now   time.Time
	class run.Class // zero if there is no result
	found finding
	text  string
}

// claudeNow is the line's own time if it has one, else the reference.
func claudeNow(v *record.Values, ref Reference) time.Time {
	return ref.at(v.Fields[claudeStamp].Text())
}

// ended takes a result record. A process may print several; the last one counts,
// but for the empty failure that some versions print after a success.
func (c *claude) ended(v *record.Values, line int, s *run.Sight) {
	if !v.Fields[claudeIsError].Set() && len(v.Fields[claudeSubtype].Word()) == 0 {
		return
	}
	s.Terminal = true
	use := c.stated(ClaudeTotal(v.Fields[claudeUse]))
	r := claudeResult{line: line, now: claudeNow(v, c.ref)}
	switch {
	case v.Fields[claudeIsError].Flag(), bytes.HasPrefix(v.Fields[claudeSubtype].Word(), []byte("error")), c.hides(v):
		r.text = c.errorText(v)
		r.found = c.classify(v, r.text)
		s.Limit = r.found.class == run.ClassRateLimited
		turns, _ := v.Fields[claudeTurns].Number()
		if c.result.class == run.ClassSuccess && r.found.class == run.ClassFailed && turns <= 0 && use.Tokens() == 0 {
			return
		}
	case v.Partial && !v.Fields[claudeIsError].Set():
		r.found = finding{rule: ruleCut, class: run.ClassIncomplete}
	default:
		r.found = finding{rule: "success", class: run.ClassSuccess}
		c.limits = claudeLimits{}
		if use.Output > 0 {
			s.Served = servedTokens
		}
	}
	r.class = r.found.class
	c.result, c.active, c.complaint = r, false, complaint{}
	if use.Tokens() == 0 {
		use = c.cycle.sum
	}
	all := claudeModelSum(v.Fields[claudeModels])
	if c.whole {
		all = use
	}
	if all.Tokens() > 0 && all.Tokens() >= c.usage.Tokens() {
		c.usage = all
	} else {
		c.usage = c.usage.Add(use)
	}
	c.cycle = tally{}
	if cost, ok := v.Fields[claudeCost].Number(); ok && cost <= record.MaxCost && (cost > 0 || use.Tokens() == 0) {
		c.cost, c.priced = max(cost, c.cost), true
	}
	c.spent(s)
}

// hides reports a result that claims success with a failed call's message for an answer,
// as those of qwen before 0.24 do. The message before it is known to be qwen's own.
func (c *claude) hides(v *record.Values) bool {
	return c.wrote(v.Fields[claudeSaid], run.Usage{}) && v.Is(claudeSaid, c.complaint.text)
}

// said reports a result that repeats the last words of the model, or their beginning.
func (c *claude) said(v *record.Values) bool {
	text := bytes.TrimSuffix(v.Fields[claudeSaid], []byte(`"`))
	if !bytes.HasSuffix(c.prose, []byte(`"`)) { // it was cut
		text = text[:min(len(text), len(c.prose))]
	}
	return len(text) > 1 && bytes.HasPrefix(c.prose, text)
}

// claudeModelSum sums up what a result says of each model: of the whole process, calls
// that are in no message included.
func claudeModelSum(r record.Raw) run.Usage {
	var all run.Usage
	record.Members(r, func(_ string, v record.Raw) {
		var u run.Usage
		record.Members(v, func(name string, v record.Raw) {
			switch name {
			case "inputTokens":
				u.Input = v.Count()
			case "outputTokens":
				u.Output = v.Count()
			case "cacheReadInputTokens":
				u.CacheRead = v.Count()
			case "cacheCreationInputTokens":
				u.CacheWrite = v.Count()
			}
		})
		all = all.Add(u)
	})
	return all
}

// errorText is the text of a failed result; some have none, or a list.
func (c *claude) errorText(v *record.Values) string {
	if text := v.Fields[claudeSaid].Text(); text != "" {
		return record.Whole(text, record.MaxErrorText)
	}
	var all []string
	cut := false
	record.Elements(v.Fields[claudeErrors], func(e record.Raw) {
		if text := e.Text(); len(all) < 16 && !cut {
			all, cut = append(all, record.Whole(text, record.MaxErrorText)), len(text) > record.MaxErrorText
		}
	})
	if text := strings.Join(all, "; "); text != "" {
		return record.Whole(text, record.MaxErrorText)
	}
	// Amp puts it into the member error, qwen into an object there.
	for _, at := range []record.Raw{v.Fields[claudeTag], v.Fields[claudeTag].Member("message")} {
		if text := at.Text(); text != "" {
			return record.Whole(text, record.MaxErrorText)
		}
	}
	return record.Whole(c.text, record.MaxErrorText)
}

func (c *claude) classify(v *record.Values, text string) finding {
	reason, subtype := v.Fields[claudeReason].Text(), v.Fields[claudeSubtype].Text()
	switch {
	case subtype == "error_max_turns", subtype == "error_max_budget_usd", subtype == "error_max_structured_output_retries":
		return finding{rule: strings.TrimPrefix(subtype, "error_"), class: run.ClassFailed}
	case strings.HasPrefix(reason, "aborted_"):
		return finding{rule: "aborted", class: run.ClassCancelled}
	}
	p := problem{text: text, status: int(v.Fields[claudeAPIStatus].Count()), tag: c.tag, model: c.asked()}
	if p.status == 0 && c.said(v) {
		p.text = "" // it is the model's prose, and no error
	}
	if reason == "prompt_too_long" || reason == "blocking_limit" {
		p.tag = reason
	}
	found := p.classify()
	if found.rule == ruleNone && p.status == 0 && c.limits.any && (c.tag == "" || c.tag == "unknown") {
		return finding{rule: "rejected", class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeFamily}
	}
	if found.rule == ruleNone && v.Partial && !v.Fields[claudeSaid].Set() {
		return finding{rule: ruleCut, class: run.ClassIncomplete}
	}
	return found
}

func (c *claude) terminal(end End) (terminal, bool) {
	t := terminal{session: c.session, model: c.running(), usage: c.total()}
	r := c.result
	switch {
	case r.class == 0:
		return t, false
	case r.class == run.ClassSuccess && c.active && !end.clean() && !end.open:
		// A further cycle had begun and was cut.
		return t, false
	}
	t.verdict = r.found.verdict(c.name+".result.", r.line, r.text)
	if r.class != run.ClassRateLimited {
		return t, true
	}
	v := &t.verdict
	ref := c.ref
	ref.Now = c.limits.dating(r.now)
	v.Reset, v.How = reset.Text(r.text, ref.clock())
	if v.Reset = reset.Believable(v.Reset, r.now); v.Reset.IsZero() {
		v.How = 0
	}
	c.limits.apply(v, r.text, r.now, c.asked())
	if v.Scope == run.ScopeModel && v.Model == "" {
		v.Model = c.asked()
	}
	return t, true
}
