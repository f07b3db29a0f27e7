package agent

import (
	"bytes"
	"strconv"
	"strings"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// Causes of an end that Layover itself brought about.
const (
	// CauseDeadline is a budget of time that ended: class deadline.
	CauseDeadline = "deadline"
	// CauseStall is silence for longer than the limit: class stalled.
	CauseStall = "stall"
	// CauseRunaway is a run of steps that used no tokens: class stalled.
	CauseRunaway = "runaway"
	// CauseOutput is more output than the limit: class stalled.
	CauseOutput = "output"
	// CauseBudget is a budget of tokens or money that is spent: class failed.
	CauseBudget = "budget"
	// CauseStop is a stop by the operator or the engine: class cancelled.
	CauseStop = "stop"
)

// End is how an attempt's process ended. The zero value is a clean exit by itself.
type End struct {
	Exit run.Exit
	// Stderr is the last part of what the process wrote there; 16 KiB are enough.
	// It counts only if the exit failed and no model had answered.
	Stderr []byte
	// Cause is one of the Cause constants if Layover ended the process, and empty if
	// it ended by itself. Any other word counts as CauseStop. A terminal record
	// outweighs it, unless that says only that the work was broken off.
	Cause string

	// open is set if it has not ended, as far as is known.
	open bool
}

// clean reports an exit that nothing was wrong with.
func (e End) clean() bool {
	return e.Exit.Code == 0 && e.Exit.Signal == "" && !e.Exit.Lost && !e.open
}

// failed reports an exit by which the agent itself said that it failed. Codes
// above 128 are those of a process that a signal ended.
func (e End) failed() bool {
	return e.Exit.Code > 0 && e.Exit.Code <= 128 && e.Exit.Signal == "" && !e.Exit.Lost
}

// caused gives the verdict of an end that Layover brought about.
func (e End) caused(r *Reader) (run.Verdict, bool) {
	if e.Cause == "" {
		return run.Verdict{}, false
	}
	class, rule := run.ClassCancelled, CauseStop
	switch e.Cause {
	case CauseDeadline:
		class, rule = run.ClassDeadline, e.Cause
	case CauseBudget:
		class, rule = run.ClassFailed, e.Cause
	case CauseStall, CauseRunaway, CauseOutput:
		class, rule = run.ClassStalled, e.Cause
	}
	return plain(class, "end."+rule, r.torn, ""), true
}

// exitMeaning is what an exit status says by itself: a class, and the HTTP status behind
// it. The zero value says nothing.
type exitMeaning struct {
	class  run.Class
	status int
}

// coded is a dialect of an agent whose exit statuses tell what has failed.
type coded interface {
	exit(code int) exitMeaning
}

func (e End) meaning(d dialect) exitMeaning {
	if c, ok := d.(coded); ok && e.Exit.Signal == "" && !e.Exit.Lost {
		return c.exit(e.Exit.Code)
	}
	return exitMeaning{}
}

// judge gives the verdict of a stream without a terminal record.
func (e End) judge(r *Reader) run.Verdict {
	says := e.meaning(r.dialect)
	switch {
	case e.Exit.Lost:
		return plain(run.ClassIncomplete, "guard_lost", r.torn, "")
	case (e.failed() || says.class != 0) && !r.served:
		if v, ok := e.stderr(r, says); ok {
			return v
		}
	}
	rule := r.name + ".eof"
	if r.torn > 0 {
		rule += ".torn"
	}
	return plain(run.ClassIncomplete, rule, r.torn, "")
}

// lastWords is the end of what was written to stderr, from the beginning of a line on: a
// word that is cut could be a part of a secret, and so could the lines of a private key.
func (e End) lastWords() []byte {
	if len(e.Stderr) < record.MaxErrorText {
		return e.Stderr
	}
	_, tail, _ := bytes.Cut(e.Stderr[len(e.Stderr)-record.MaxErrorText:], []byte("\n"))
	if key, behind, found := bytes.Cut(tail, []byte("-----END ")); found && !bytes.Contains(key, []byte("-----BEGIN ")) {
		return behind
	}
	return tail
}

// stderr reads the complaint of an agent that failed before any model answered.
func (e End) stderr(r *Reader, says exitMeaning) (run.Verdict, bool) {
	text := strings.ToValidUTF8(string(bytes.TrimSpace(e.lastWords())), "\ufffd")
	if text == "" && says.class == 0 {
		return run.Verdict{}, false
	}
	p := problem{text: text, status: says.status, model: r.ref.Model}
	f := p.classify()
	if f.rule == ruleNone {
		switch {
		case says.class != 0:
			f.class = says.class
		case r.records > 0:
			return run.Verdict{}, false
		}
		f.rule = "exit." + strconv.Itoa(e.Exit.Code)
	}
	v := f.verdict(r.name+".stderr.", 0, text)
	// Of an overload only a field tells the time: words of it are a guess.
	at, how := reset.Text(text, r.ref.clock())
	if f.class == run.ClassRateLimited || f.rule == ruleOverloaded && how == run.HowStated {
		v.Reset, v.How = at, how
	}
	return v, true
}

// plain is a verdict with one piece of evidence. Its text is not bounded yet; see
// [Reference.bound].
func plain(class run.Class, rule string, line int, text string) run.Verdict {
	return run.Verdict{
		Class: class, Message: run.Untrusted(text),
		Evidence: []run.Evidence{{Line: line, Rule: rule, Excerpt: run.Untrusted(text)}},
	}
}
