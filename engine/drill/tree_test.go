//go:build unix

package drill

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"example.com/layover/engine/proc"
	"example.com/layover/engine/proc/hydra"
	"example.com/layover/engine/run"
)

// grace is the kill grace of these programs.
const grace = "1s"

type process struct {
	pid   int
	start string
}

var pidLine = regexp.MustCompile(`(?m)^pid=(\d+)$`)

// tree waits until all of a nasty tree live.
func (h home) tree() []process {
	h.t.Helper()
	var all []process
	h.within(bound, "the tree lives", func() bool {
		workers := h.workers()
		if len(workers) != 1 {
			return false
		}
		text, _ := os.ReadFile(filepath.Join(workers[0], "stdout.jsonl"))
		found := pidLine.FindAllSubmatch(text, -1)
		if len(found) < hydra.Heads {
			return false
		}
		for _, m := range found {
			pid, _ := strconv.Atoi(string(m[1]))
			all = append(all, process{pid, proc.StartTime(pid)})
		}
		return true
	})
	if n := len(living(all)); n != hydra.Heads {
		h.t.Fatalf("%d of %d live", n, hydra.Heads)
	}
	return all
}

func living(all []process) []process {
	var left []process
	for _, p := range all {
		if proc.Alive(p.pid, p.start) {
			left = append(left, p)
		}
	}
	return left
}

func TestAHardStopLeavesNobody(t *testing.T) {
	h := newHome(t)
	cmd := h.layover("run", h.program([]string{self(t), hydra.Command}, "[limits]\nkill_grace = \""+grace+"\""), "--headless")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	all := h.tree()
	h.exits(0, "stop", "latest", "--now")
	asked := time.Now()
	h.within(5*time.Second, "the tree is gone", func() bool { return len(living(all)) == 0 })
	t.Logf("%d processes are gone %s after the hard stop was asked for (grace %s)", len(all), time.Since(asked).Round(time.Millisecond), grace)
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("exit %d", cmd.ProcessState.ExitCode())
	}
	h.nobody(5 * time.Second)
}

// What is ended when its owner died is gone half a minute later, not before.
func TestDeathOfTheOwnerEndsTheTree(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	cmd := h.layover("run", h.program([]string{self(t), hydra.Command}, "on_death = \"end\"\n[limits]\nkill_grace = \""+grace+"\""), "--headless")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	all := h.tree()
	_ = cmd.Process.Kill()
	died := time.Now()
	_ = cmd.Wait()
	h.within(40*time.Second, "the tree is gone", func() bool { return len(living(all)) == 0 })
	after := time.Since(died)
	t.Logf("%d processes are gone %s after the owner's death (30s without an owner, grace %s)", len(all), after.Round(time.Millisecond), grace)
	if after < 25*time.Second {
		t.Errorf("the next owner had only %s", after)
	}
	h.nobody(5 * time.Second)
}

// A new owner within half a minute keeps the agent.
func TestANewOwnerKeepsTheAgent(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	gate := filepath.Join(h.dir, "gate")
	h.dies([]string{self(t), agentCommand, gate}, `on_death = "end"`)
	cmd := h.layover("resume", "--headless")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h.within(bound, "it is adopted", func() bool { return len(bodies[run.AgentAdopted](h.facts(h.run()))) == 1 })
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	h.nobody(5 * time.Second)
}

// dies runs a program until its agent is at work, and kills Layover then.
func (h home) dies(command []string, lines string) {
	h.t.Helper()
	h.diesIn(1, command, lines)
}

// diesIn is dies at the work of the nth agent.
func (h home) diesIn(nth int, command []string, lines string) {
	h.t.Helper()
	cmd := h.layover("run", h.program(command, lines), "--headless")
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.within(bound, "an agent is at work", func() bool { return len(h.guarded()) == 1 })
	dir := h.run()
	h.within(bound, "it is recorded", func() bool { return len(bodies[run.SessionLearned](h.facts(dir))) == nth })
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// An agent that finishes on its own while nobody owns the run has its end found.
func TestAnEndThatNobodySawIsFound(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	gate := filepath.Join(h.dir, "gate")
	h.dies([]string{self(t), agentCommand, gate}, `on_death = "finish"`)
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.within(bound, "the agent has ended", func() bool { return len(h.guarded()) == 0 })
	exit := filepath.Join(h.workers()[0], "exit.json")
	if _, err := os.Stat(exit); err != nil {
		t.Fatal(err)
	}
	h.exits(0, "resume", "--headless")
	facts := h.facts(h.run())
	ended := bodies[run.AttemptEnded](facts)
	if len(ended) != 1 || ended[0].Verdict.Class != run.ClassSuccess || ended[0].At.IsZero() || len(bodies[run.AgentAdopted](facts)) != 0 {
		t.Errorf("ended %+v", ended)
	}
}

// The guard keeps deadline and silence by itself.
func TestTheGuardKeepsTheLimitsAlone(t *testing.T) {
	for name, tc := range map[string]struct {
		lines string
		class run.Class
	}{
		"deadline": {`deadline = "33s"`, run.ClassDeadline},
		"stall":    {"[retry]\nmax_retries = 0\n[limits]\nstall_timeout = \"2s\"\nkill_grace = \"1s\"", run.ClassStalled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.dies([]string{self(t), agentCommand, filepath.Join(h.dir, "never")}, tc.lines)
			h.within(bound, "the agent has been ended", func() bool { return len(h.guarded()) == 0 })
			cmd := h.layover("resume", "--headless")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			h.within(bound, "its end is judged", func() bool { return len(bodies[run.AttemptEnded](h.facts(h.run()))) > 0 })
			_ = cmd.Process.Signal(syscall.SIGTERM)
			_ = cmd.Wait()
			if v := bodies[run.AttemptEnded](h.facts(h.run()))[0].Verdict; v.Class != tc.class {
				t.Errorf("verdict %+v", v)
			}
		})
	}
}
