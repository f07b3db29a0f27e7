package agent

import (
	"math"
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// codexFault is an error message of codex, taken apart: a plain text, or a JSON
// object in a string.
type codexFault struct {
	text, tag string
	status    int
	reset     time.Time
}

func readCodexFault(message string, ref Reference) codexFault {
	f := codexFault{text: message}
	body := record.Raw(strings.TrimSpace(message))
	var inner record.Raw
	if !record.Members(body, func(name string, v record.Raw) {
		switch name {
		case "status":
			f.status = int(v.Count())
		case "error":
			inner = v
		}
	}) {
		return f
	}
	if len(inner) == 0 {
		inner = body
	}
	var code, kind string
	var at, in time.Time
	record.Members(inner, func(name string, v record.Raw) {
		switch name {
		case "message":
			f.text = v.Text()
		case "code":
			code = v.Text()
		case "type":
			kind = v.Text()
		case "resets_at":
			at = reset.Instant(v, ref.Now)
		case "resets_in_seconds":
			n, _ := v.Number()
			in = after(ref.Now, n)
		}
	})
	f.reset = reset.Later(at, in)
	// The words of code and type are read like the message: they name the fault.
	f.tag = strings.TrimSpace(code + " " + kind)
	return f
}

// after is so many seconds after now, rounded up; zero if that cannot be a reset.
func after(now time.Time, seconds float64) time.Time {
	if seconds <= 0 || seconds > reset.MaxAhead.Seconds() {
		return time.Time{}
	}
	return reset.Believable(reset.RoundUp(now.Add(time.Duration(math.Ceil(seconds*1e3))*time.Millisecond)), now)
}

func (c *codex) terminal(End) (terminal, bool) {
	t := terminal{session: c.session, usage: c.usage}
	switch {
	case c.end.line == 0:
		return t, false
	case !c.end.failed:
		t.verdict = plain(run.ClassSuccess, "codex.turn.completed", c.end.line, "")
		return t, true
	}
	if c.end.cut {
		t.verdict = plain(run.ClassIncomplete, "codex.turn.failed."+ruleCut, c.end.line, "")
		return t, true
	}
	ref := c.ref
	ref.Now = c.end.now
	f := readCodexFault(c.end.message, ref)
	p := problem{text: strings.TrimSpace(f.text + "\n" + f.tag), status: f.status, code: f.tag, resets: !f.reset.IsZero(), model: c.ref.Model}
	found := p.classify()
	t.verdict = found.verdict("codex.turn.failed.", c.end.line, f.text)
	if v := &t.verdict; found.class == run.ClassRateLimited {
		v.Reset, v.How = f.reset, run.HowStated
		if f.reset.IsZero() {
			v.Reset, v.How = reset.Text(f.text, ref.clock())
		}
		if v.Scope == run.ScopeModel && v.Model == "" {
			v.Model = c.ref.Model
		}
	}
	return t, true
}
