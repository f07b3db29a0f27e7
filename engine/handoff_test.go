package engine_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// calls is a message with the call of a tool, and gives its result.
func calls(id, input, result string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":%q,"name":"Edit","input":{"text":%q}}],`+
		`"usage":{"input_tokens":1200,"output_tokens":25}},"parent_tool_use_id":null}`+"\n"+
		`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"%s"}]}}`, id, id, input, id, result)
}

const (
	tooLong    = `{"type":"result","subtype":"success","is_error":true,"api_error_status":400,"num_turns":1,"result":"Prompt is too long","terminal_reason":"prompt_too_long","usage":{"input_tokens":0,"output_tokens":0}}`
	codexDone  = `{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"done"}}` + "\n" + `{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}`
	codexBegun = `{"type":"thread.started","thread_id":"01a22aff-a4e4-7562-9724-94b408be1850"}`
)

// written gives a file beside the output of an agent.
func (a *actor) written(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(filepath.Dir(a.spec.Stdout), name))
	if err != nil {
		t.Error(err)
	}
	return string(b)
}

// An agent that takes over is given what was done, on its standard input and without
// secrets, and a fact says so.
func TestATakeoverIsHandedTheWorkSoFar(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		h := w.host(program(1, "claude", "codex"), func(a *actor) int {
			if a.n == 1 {
				a.say(hello(a), calls("toolu_1", "the key is hunter2", `edited hun\u001b[0mter2`), calls("toolu_2", "cut", "")[:300])
				a.work(time.Minute)
				a.say("", rejected(w.start.Add(5*time.Hour)), refused)
				return 1
			}
			a.say(codexDone)
			return 0
		})
		w.ends(h, 0)
		told := w.actors[1].task()
		for _, want := range []string{
			"do 1\n\nAnother agent has worked on this task", "claude, from ", "ended by a limit of its account",
			"calls Edit toolu_1\n", "the key is ***", "result of toolu_1\nedited ***\n",
			"failed result of toolu_2\n[no result: the call was cut off by a limit of its account; whether",
		} {
			if !strings.Contains(told, want) {
				t.Errorf("no %q in %q", want, told)
			}
		}
		if strings.Contains(told, "hunter2") || strings.Contains(told, "\x1b") {
			t.Errorf("a secret or a control character is told: %q", told)
		}
		note := w.actors[1].written(t, "handoff.md")
		if told != "do 1\n\n"+note || w.actors[1].written(t, "prompt.md") != told {
			t.Errorf("written is %q", note)
		}
		if strings.Contains(w.actors[1].argued(), "RECORD") {
			t.Errorf("%q", w.actors[1].argued())
		}
		handed, _ := bodies[run.HandoffWritten](w)
		if len(handed) != 1 || handed[0].Attempt != 2 || handed[0].Bytes != len(note) {
			t.Errorf("handed over %+v, %d bytes", handed, len(note))
		}
	})
}

// Without a handoff nothing is written down.
func TestATakeoverWithoutHandoffIsGivenItsTaskAlone(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(1, "claude", "codex")
		p.Handoff = false
		h := w.host(p, func(a *actor) int {
			if a.n == 1 {
				a.say(hello(a), text("msg_1"), rejected(w.start.Add(5*time.Hour)), refused)
				return 1
			}
			a.say(codexDone)
			return 0
		})
		w.ends(h, 0)
		_, err := os.Stat(filepath.Join(filepath.Dir(w.actors[1].spec.Stdout), "handoff.md"))
		if told := w.actors[1].task(); told != "do 1" || !errors.Is(err, os.ErrNotExist) || w.count("handoff_written") != 0 {
			t.Errorf("told %q, %v", told, err)
		}
	})
}

// An agent that resumes its own session is told to go on, and what another has done.
func TestAnAgentThatComesBackIsToldWhatWasDoneMeanwhile(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		h := w.host(program(1, "claude", "codex"), func(a *actor) int {
			switch a.n {
			case 1:
				a.say(hello(a), text("msg_1"), rejected(w.start.Add(time.Hour)), refused)
				return 1
			case 2:
				a.say(codexBegun, `{"type":"item.completed","item":{"id":"item_7","type":"command_execution","command":"make","aggregated_output":"ok","exit_code":0,"status":"completed"}}`)
				for range 60 {
					a.say(`{"type":"item.completed","item":{"id":"item_8","type":"agent_message","text":"` + strings.Repeat("z", 10_000) + `"}}`)
				}
				a.work(time.Minute)
				a.say(`{"type":"turn.failed","error":{"message":"You've hit your usage limit. Upgrade to Pro or try again in 4 hours 0 minutes."}}`)
				return 1
			}
			return succeeds(a, time.Minute)
		})
		w.ends(h, 0)
		last := w.actors[2]
		told := last.task()
		if !strings.Contains(last.argued(), "--resume session-1") || !strings.HasPrefix(told, "Your last turn was interrupted") {
			t.Fatalf("%q is told %q", last.argued(), told)
		}
		if len(told) < 100_000 || len(told) > 160_000 {
			t.Errorf("told %d bytes: a resumed session has room for a quarter of its context", len(told))
		}
		for want, is := range map[string]bool{
			"Meanwhile another agent has gone on with the task": true, "codex, from ": true, "the oldest steps are left out: ": true,
			"claude, from": false, "working": false, "do 1": false,
		} {
			if strings.Contains(told, want) != is {
				t.Errorf("%q in it: %v; told %.900q", want, !is, told)
			}
		}
	})
}

// Each rung hands over less than the conversation that was too long, and the second
// never more than the first, however much was done in between.
func TestEachRungHandsOverLess(t *testing.T) {
	for name, done := range map[string]int{"nothing done between": 0, "little done": 20, "more done than before": 400} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				h := w.host(program(1, "claude"), func(a *actor) int {
					if a.n == 3 {
						return succeeds(a, time.Minute)
					}
					a.say(hello(a))
					n := done
					if a.n == 1 {
						n = 200
					}
					for i := range n {
						a.say(calls(fmt.Sprintf("toolu_%d", i), strings.Repeat("x", 300), strings.Repeat("y", 300)))
					}
					a.work(time.Minute)
					a.say(tooLong)
					return 1
				})
				w.ends(h, 0)
				handed, _ := bodies[run.HandoffWritten](w)
				if len(handed) != 2 {
					t.Fatalf("%+v\n%s", handed, w.tale())
				}
				const first = 200 * (2*300 + 40) // without the frame of each step
				one, two := handed[0].Bytes, handed[1].Bytes
				if one < first*7/10 || one > first*8/10+3000 {
					t.Errorf("the first rung hands over %d bytes of about %d", one, first)
				}
				if two > one || done == 0 && (two < one*6/10 || two > one*7/10) || done > 0 && two < one*6/10 {
					t.Errorf("the second rung hands over %d bytes, the first %d", two, one)
				}
				if told := w.actors[2].task(); !strings.Contains(told, "the oldest steps are left out: ") || !strings.HasPrefix(told, "do 1\n") {
					t.Errorf("%.300q", told)
				}
			})
		})
	}
}

// What an agent has printed may be more than can be read, or not be readable at all.
func TestAHandoffOfWhatCannotBeRead(t *testing.T) {
	for name, test := range map[string]struct {
		open func(w *world, path string) (io.ReadCloser, error)
		want map[string]bool
	}{
		"nothing": {
			func(*world, string) (io.ReadCloser, error) { return nil, errors.New("gone") },
			map[string]bool{"Another agent has worked": true, "RECORD": false},
		},
		"the newest of very much": {
			func(w *world, path string) (io.ReadCloser, error) {
				before := "{}\n" + calls("toolu_0", "old", "old") + "\n" + strings.Repeat(strings.Repeat(" ", 1023)+"\n", 16<<10)
				return io.NopCloser(io.MultiReader(strings.NewReader(before), strings.NewReader(w.file(path).text()))), nil
			},
			map[string]bool{"toolu_0": false, "toolu_1": true, "is not in the record: 65891 bytes": true},
		},
		"a line that is too long": {
			func(w *world, path string) (io.ReadCloser, error) {
				before := "{}\n" + calls("toolu_0", "old", "old") + "\n" + calls("toolu_2", "shot", strings.Repeat("x", 20<<20)) + "\n"
				return io.NopCloser(io.MultiReader(strings.NewReader(before), strings.NewReader(w.file(path).text()))), nil
			},
			map[string]bool{"toolu_0": true, "toolu_2\n[the result is too long to be kept]": true, "toolu_1": true, "is not in the record": false},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				open, ended := w.ports.Open, false
				w.ports.Open = func(path string) (io.ReadCloser, error) {
					ended = ended || w.count("attempt_ended") > 0
					if ended && path == w.actors[0].spec.Stdout {
						return test.open(w, path)
					}
					return open(path)
				}
				h := w.host(program(1, "claude", "codex"), func(a *actor) int {
					if a.n == 1 {
						a.say(hello(a), calls("toolu_1", "new", "new"), rejected(w.start.Add(5*time.Hour)), refused)
						return 1
					}
					a.say(codexDone)
					return 0
				})
				w.ends(h, 0)
				for want, is := range test.want {
					if told := w.actors[1].task(); strings.Contains(told, want) != is {
						t.Errorf("%q in it: %v; told %q", want, !is, told)
					}
				}
			})
		})
	}
}

// What is read for one handoff is bounded for all agents together; the newest counts.
func TestTheNewestAgentsAreReadFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		open := w.ports.Open
		w.ports.Open = func(path string) (io.ReadCloser, error) {
			if w.count("attempt_ended") == 2 && path == w.actors[1].spec.Stdout {
				return io.NopCloser(strings.NewReader(strings.Repeat(strings.Repeat(" ", 1023)+"\n", 16<<10) + w.file(path).text())), nil
			}
			return open(path)
		}
		h := w.host(program(1, "claude", "codex"), func(a *actor) int {
			switch a.n {
			case 1:
				a.say(hello(a), calls("toolu_0", "old", "old"))
				return 1 // without a result: it is tried again
			case 2:
				a.say(hello(a), calls("toolu_1", "new", "new"), rejected(w.start.Add(5*time.Hour)), refused)
				return 1
			}
			a.say(codexDone)
			return 0
		})
		w.ends(h, 0)
		told := w.actors[2].task()
		if strings.Contains(told, "toolu_0") || !strings.Contains(told, "toolu_1") || strings.Count(told, "claude, from ") != 2 {
			t.Errorf("told %q", told)
		}
	})
}
