package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
)

// message explains the text of an error message by itself. Messages are read alike for
// all agents, as far as their words are the same: it is no fault not to know whose it is.
func (e *explainer) message(text string) explanation {
	if x, ok := e.line(text); ok {
		return x
	}
	from := e.asked
	if from.dialect == "" {
		from, _ = originOf(agent.GuessMessage(text))
	}
	end := agent.End{Exit: run.Exit{Code: 1}, Stderr: []byte(text)}
	if e.exit.Code != 0 {
		end.Exit = e.exit
	}
	now := e.clock()
	by := from
	if by.dialect == "" {
		by, _ = originOf(agent.Presets()[0])
	}
	x, err := e.judge("", by, now, strings.NewReader(""), end)
	if err != nil { // there is nothing to read
		return explanation{origin: from}
	}
	if x.origin = from; from.dialect == "" {
		for i, found := range x.Verdict.Evidence {
			x.Verdict.Evidence[i].Rule = "message" + strings.TrimPrefix(strings.TrimPrefix(found.Rule, by.dialect), ".stderr")
		}
	}
	x.Passed = e.passed(x.Verdict, text, now)
	return x
}

// line explains a text that is a line of an agent's output, if that says how it ended.
func (e *explainer) line(text string) (explanation, bool) {
	from := e.asked
	if from.dialect == "" {
		dialect := agent.Guess([]byte(text))
		from = origin{agent.FamilyOf(dialect), dialect}
	}
	now := e.clock()
	x, err := e.judge("", from, now, strings.NewReader(text), agent.End{Exit: e.exit})
	if err != nil || x.Verdict.Class == run.ClassIncomplete {
		return explanation{}, false
	}
	x.Passed = e.passed(x.Verdict, string(x.Verdict.Message), now)
	return x, true
}

// clock is the time that was told, or else that of the machine.
func (e *explainer) clock() time.Time {
	if e.now.IsZero() {
		return e.ports.Now()
	}
	return e.now
}

// file explains the output in a file; "-" is the standard input.
func (e *explainer) file(path string) (explanation, error) {
	in, err := e.open(path)
	if err != nil {
		return explanation{}, err
	}
	defer in.close()
	now := in.written
	if !e.now.IsZero() {
		now = e.now
	}
	head, err := io.ReadAll(io.LimitReader(in.from, agent.GuessSize))
	if err != nil {
		return explanation{}, cannotRead(path, err)
	}
	from := e.asked
	if from.dialect == "" {
		dialect := agent.Guess(head)
		if from = (origin{agent.FamilyOf(dialect), dialect}); dialect == "" && len(head) > 0 {
			return explanation{}, &foreignError{path, head}
		}
	}
	var x explanation
	if from.dialect == "" {
		x = silence(path)
	} else if x, err = e.judge(path, from, now, io.MultiReader(bytes.NewReader(head), in.from), agent.End{Exit: e.exit}); err != nil {
		return explanation{}, cannotRead(path, err)
	}
	if len(head) == 0 {
		x.Notes = append(x.Notes, "nothing was printed; what it wrote to its standard error may tell: explain it with --text")
	}
	if note := in.changed(); note != "" {
		x.Notes = append(x.Notes, note)
	}
	x.Passed = e.passed(x.Verdict, string(x.Verdict.Message), now)
	return x, nil
}

// silence explains output that is empty, whoever was silent.
func silence(path string) explanation {
	return explanation{File: path, Verdict: run.Verdict{
		Class: run.ClassIncomplete, Evidence: []run.Evidence{{File: path, Rule: "eof"}},
	}}
}

// foreignError says that a file is no agent's output, as far as its beginning shows.
type foreignError struct {
	path string
	head []byte
}

func (f *foreignError) Error() string {
	if what := f.binary(); what != "" {
		return fmt.Sprintf("explain %s: %s, not an agent's output", f.path, what)
	}
	return fmt.Sprintf("explain %s: cannot tell whose output it is", f.path)
}

// Hint says what to do.
func (f *foreignError) Hint() string {
	switch f.binary() {
	case "":
		return "name it, such as --family claude; an error message by itself is explained by --text"
	case compressed:
		return `unpack it, such as: zcat FILE | layover explain -`
	}
	return "name the file that the agent's standard output went to"
}

const compressed = "it is compressed"

// binary tells what sort of bytes these are; empty if they are text.
func (f *foreignError) binary() string {
	for _, magic := range []string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "\xfd7zXZ", "BZh", "PK\x03\x04"} {
		if bytes.HasPrefix(f.head, []byte(magic)) {
			return compressed
		}
	}
	if strange := bytes.Count(bytes.ToValidUTF8(f.head, []byte{0}), []byte{0}); strange > len(f.head)/20 {
		return "it holds binary data"
	}
	return ""
}

// judge reads an output to its end and explains it.
func (e *explainer) judge(path string, from origin, now time.Time, in io.Reader, end agent.End) (explanation, error) {
	r, err := agent.NewReader(from.dialect, agent.Reference{Now: now, Zone: e.zone, File: path, Keep: e.ports.Keep})
	if err != nil {
		return explanation{}, err
	}
	told := gauges{now: now, keep: e.ports.Keep, full: map[gaugeKey]time.Time{}}
	chunk := make([]byte, agent.ReadSize)
	for {
		n, err := in.Read(chunk)
		r.Feed(chunk[:n], told.see)
		if errors.Is(err, io.EOF) {
			x := explanation{File: path, origin: from, Verdict: r.End(end, told.see), Damaged: r.Damaged()}
			x.Gauges, x.Limit = told.newest, told.at(x.Verdict.Reset, from.family)
			return x, nil
		}
		if err != nil {
			return explanation{}, err
		}
	}
}
