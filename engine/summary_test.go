package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// summarising is a program whose second agent is to summarise what it is not given.
func summarising() run.Program {
	p := program(1, "claude", "codex")
	p.HandoffSummary = true
	return p
}

// worksLong is an agent that does more than a handoff holds, and is refused then.
func worksLong(w *world, a *actor) int {
	a.say(hello(a), calls("toolu_first", "the first step, hunter2", "seen"))
	for i := range 200 {
		a.say(calls(fmt.Sprintf("toolu_%d", i), strings.Repeat("x", 3000), "ok"))
	}
	a.work(time.Minute)
	a.say(rejected(w.start.Add(5*time.Hour)), refused)
	return 1
}

// replies is an agent of codex that says a text and is done.
func replies(a *actor, text string) int {
	a.say(codexBegun, `{"type":"item.completed","item":{"id":"0","type":"agent_message","text":"`+text+`"}}`,
		`{"type":"turn.completed","usage":{"input_tokens":100,"output_tokens":50}}`)
	return 0
}

const asksForSummary = "Summarise what other agents have done"

// What does not fit into a handoff is summarised first by the agent that takes over, and
// the summary stands at the head of the record, without secrets and control characters.
func TestWhatIsLeftOutIsSummarisedFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		h := w.host(summarising(), func(a *actor) int {
			switch a.n {
			case 1:
				return worksLong(w, a)
			case 2:
				a.work(time.Minute)
				return replies(a, `it\u001b[2J began with hunter2\nand went on`+strings.Repeat(" and on", 1100))
			}
			a.work(time.Minute)
			a.say(codexDone)
			return 0
		})
		res := w.ends(h, 0)
		asked, told := w.actors[1].task(), w.actors[2].task()
		for text, want := range map[string]bool{
			"\ndo 1\n": true, "calls Edit toolu_first": true, "the first step, ***": true, "toolu_199": false, "hunter2": false,
		} {
			if !strings.HasPrefix(asked, asksForSummary) || strings.Contains(asked, text) != want {
				t.Errorf("%q is to be in the request: %v; %.600q", text, want, asked)
			}
		}
		for text, want := range map[string]bool{
			" an agent has summarised what is left out of the oldest steps\nit began with ***\nand went on and on and on": true,
			"the oldest steps are left out: ": true, "toolu_199": true, "toolu_first": false, "hunter2": false, "codex, from": false,
		} {
			if !strings.HasPrefix(told, "do 1\n\nAnother agent") || strings.Contains(told, text) != want {
				t.Errorf("%q is to be in the handoff: %v; %.900q", text, want, told)
			}
		}
		for i := range 200 {
			if step := fmt.Sprintf("calls Edit toolu_%d\n", i); !strings.Contains(asked+told, step) {
				t.Errorf("nobody was told of %q", step)
			}
		}
		if strings.Contains(w.actors[2].argued(), "resume") {
			t.Errorf("the session of the summary is resumed: %q", w.actors[2].argued())
		}
		w.in("provider_fallback", "attempt_started", "summary_asked", "agent_spawned", "attempt_ended", "usage", "attempt_started", "handoff_written", "agent_spawned")
		if got := res.State.Lane(1).Usage.Output; got != 200*25+25+50+5 {
			t.Errorf("%d tokens of output: those of the summary count\n%s", got, w.tale())
		}
		handed, _ := bodies[run.HandoffWritten](w)
		if len(handed) != 1 || handed[0].Attempt != 3 || !handed[0].Summary || w.count("summary_asked") != 1 || w.count("summary_skipped") != 0 {
			t.Errorf("%+v\n%s", handed, w.tale())
		}
	})
}

// The work is read once, however many attempts are told of it because of the summary.
func TestTheWorkIsReadOnceForASummary(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		var read atomic.Int64
		open := w.ports.Open
		w.ports.Open = func(path string) (io.ReadCloser, error) {
			f, err := open(path)
			if err != nil || w.count("provider_fallback") == 0 || path != w.actors[0].spec.Stdout {
				return f, err
			}
			b, err := io.ReadAll(f)
			return &counted{bytes.NewReader(b), &read}, errors.Join(err, f.Close())
		}
		h := w.host(summarising(), func(a *actor) int {
			switch a.n {
			case 1:
				return worksLong(w, a)
			case 2:
				a.work(time.Minute)
				return replies(a, "it is done")
			}
			a.say(codexDone)
			return 0
		})
		w.ends(h, 0)
		size := int64(len(w.file(w.actors[0].spec.Stdout).text()))
		if got := read.Load(); got != 2*size || !strings.Contains(w.actors[2].task(), "it is done") {
			t.Errorf("%d bytes are read of %d: once to choose the lines, once to read them", got, size)
		}
	})
}

// counted counts what is read.
type counted struct {
	*bytes.Reader
	n *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

func (c *counted) Close() error { return nil }

// Without a summary the handoff is the one that it would have been without the option.
func TestAHandoffDoesWithoutASummary(t *testing.T) {
	var plain string
	told := func(t *testing.T, edit func(*run.Program), summary func(a *actor) int) (string, *world) {
		var got string
		var of *world
		inBubble(t, func(t *testing.T, w *world) {
			p := summarising()
			edit(&p)
			h := w.host(p, func(a *actor) int {
				if a.n == 1 {
					return worksLong(w, a)
				}
				if strings.HasPrefix(a.task(), asksForSummary) {
					return summary(a)
				}
				got = a.task()
				a.say(codexDone)
				return 0
			})
			w.ends(h, 0)
			of = w
		})
		return got, of
	}
	unchanged := func(*run.Program) {}
	plain, _ = told(t, func(p *run.Program) { p.HandoffSummary = false }, nil)
	for name, test := range map[string]struct {
		edit    func(*run.Program)
		summary func(a *actor) int
		asked   int
		ended   time.Duration // the run, at most two seconds later
	}{
		"it fails": {unchanged, func(a *actor) int {
			a.say(codexBegun, `{"type":"turn.failed","error":{"message":"no"}}`)
			return 1
		}, 1, time.Minute},
		"it says nothing": {unchanged, func(a *actor) int {
			a.say(codexBegun, `{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}`)
			return 0
		}, 1, time.Minute},
		"it ends without a result": {unchanged, func(*actor) int { return 1 }, 3, time.Minute},
		"it is too long about it": {unchanged, func(a *actor) int {
			a.say(codexBegun)
			a.work(time.Hour)
			return 0
		}, 1, 3 * time.Minute},
		"half of the time that is left is over": {func(p *run.Program) { p.Deadline = run.Duration(3 * time.Minute) }, func(a *actor) int {
			a.say(codexBegun)
			a.work(time.Hour)
			return 0
		}, 1, 2 * time.Minute},
		"there is no time for it": {func(p *run.Program) { p.Deadline = run.Duration(80 * time.Second) }, nil, 0, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			got, w := told(t, test.edit, test.summary)
			if got != plain || !strings.HasPrefix(got, "do 1\n\nAnother agent") {
				t.Errorf("told %d bytes, %d without the option: %.300q", len(got), len(plain), got)
			}
			_, ends := bodies[run.RunEnded](w)
			if n := w.count("summary_asked"); n != test.asked || ends[0] < test.ended || ends[0] > test.ended+2*time.Second {
				t.Errorf("asked %d times, ended after %s\n%s", n, ends[0], w.tale())
			}
		})
	}
}
