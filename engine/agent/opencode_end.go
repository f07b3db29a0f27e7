package agent

import (
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// opencodeEnd is what ended the work, as far as is known. The zero value means that it
// goes on.
type opencodeEnd struct {
	line   int    // of the error or the last step; zero if there is neither
	reason string // of the last step; empty for an error
	name   string // of the error
	answer refusal
	now    time.Time // of the error
	done   int       // the line that says that there is nothing left to do
}

// finished takes the reason of a step's end. Older builds print nothing behind the last
// one. A step that calls tools has others behind it, and one whose reason is not known
// is that of an answer that was cut: another follows.
func (e *opencodeEnd) finished(reason string, line int) {
	switch reason {
	case "stop", "end_turn", "length", "content-filter":
		e.line, e.reason = line, reason
	}
}

// fault takes an error. The last one counts: some builds print it twice.
func (e *opencodeEnd) fault(v *record.Values, line int, now time.Time) {
	*e = opencodeEnd{line: line, name: record.Whole(v.Fields[opencodeName].Text(), record.MaxName), now: now}
	record.Members(v.Fields[opencodeData], func(name string, v record.Raw) {
		switch name {
		case "message":
			e.answer.text = record.Whole(v.Text(), record.MaxErrorText)
		case "statusCode":
			e.answer.status = int(min(v.Count(), 999))
		case "responseHeaders":
			if len(v) <= record.MaxErrorText {
				e.answer.headers = append(record.Raw(nil), v...)
			}
		case "responseBody":
			e.answer.body = record.Whole(v.Text(), record.MaxErrorText)
		}
	})
	if e.answer.tag = opencodeTags[e.name]; e.name == "ProviderAuthError" {
		// It is also what a limit or a fault is taken for (anomalyco/opencode#50352).
		if found := (problem{text: e.answer.text}).classify(); found.rule != ruleNone {
			e.answer.tag = ""
		}
	}
	if e.answer.text == "" {
		e.answer.text = e.name
	}
}

// opencodeTags are the words of the common rules for the errors that opencode names.
var opencodeTags = map[string]string{
	"ProviderAuthError":    "authentication_failed",
	"ContextOverflowError": "prompt_too_long",
}

func (o *opencode) terminal(end End) (terminal, bool) {
	t := terminal{session: o.session, usage: o.usage}
	e := o.end
	switch {
	case e.line == 0:
		return t, false
	case e.name == "MessageAbortedError":
		t.verdict = plain(run.ClassCancelled, "opencode.error.aborted", e.line, e.answer.text)
	case e.name != "":
		e.answer.model = o.ref.Model
		ref := o.ref
		ref.Now = e.now
		t.verdict = e.answer.verdict("opencode.error.", e.line, ref)
	case e.reason == "length", e.reason == "content-filter":
		t.verdict = plain(run.ClassFailed, "opencode.step."+e.reason, e.line, "")
	case e.done > 0:
		t.verdict = plain(run.ClassSuccess, "opencode.done", e.done, "")
	case end.Cause == "" && end.failed() && !(o.erred && end.Exit.Code == 1):
		return t, false // it failed behind its last step
	default:
		t.verdict = plain(run.ClassSuccess, "opencode.step."+e.reason, e.line, "")
	}
	return t, true
}
