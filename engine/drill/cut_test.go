//go:build unix

package drill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// cutFacts shortens the facts of a run to so many bytes of a text.
func (h home) cutFacts(text []byte, size int) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.run(), journal.EventsFile), text[:size], 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// read reads a file of the run.
func (h home) read(elem ...string) []byte {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{h.run()}, elem...)...))
	if err != nil {
		h.t.Fatal(err)
	}
	return text
}

// adopts takes the run up until it follows the agent that is at work, and kills Layover
// then.
func (h home) adopts() {
	h.t.Helper()
	cmd := h.layover("resume", "--headless")
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.within(bound, "the agent is adopted", func() bool {
		adopted := 0
		_, err := journal.Facts(h.run(), func(f run.Fact) error {
			if _, ok := f.Body.(run.AgentAdopted); ok {
				adopted++
			}
			return nil
		})
		return err == nil && adopted == 1 // half a line may be cut off at this instant
	})
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// second runs a program until its second agent is at work, and kills Layover then; the
// first has failed. It gives the facts, how long the first decision of them is, and what
// lets the second agent end.
func (h home) second() (text []byte, first int, end func()) {
	h.t.Helper()
	gate := filepath.Join(h.dir, "gate")
	h.diesIn(2, []string{self(h.t), secondCommand, gate, filepath.Join(h.dir, "failed")}, "")
	text = h.read(journal.EventsFile)
	return text, firstDecision(text), func() {
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			h.t.Fatal(err)
		}
	}
}

// firstDecision is where the first decision of some facts ends; a run without it cannot be
// taken up.
func firstDecision(text []byte) (end int) {
	for more := true; more; {
		line := text[end : end+bytes.IndexByte(text[end:], '\n')+1]
		end, more = end+len(line), bytes.Contains(line, []byte(`"more":true`))
	}
	return end
}

// Facts are cut off at the end of any line and inside of it, while an agent works that
// was started after them: it is the same agent to the end.
func TestFactsAreCutOffWhileAnAgentWorks(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	text, first, end := h.second()
	cuts := 0
	for size := len(text); size >= first; size = bytes.LastIndexByte(text[:size-1], '\n') + 1 {
		for _, torn := range []int{20, 0} {
			if size+torn > len(text) {
				continue
			}
			h.cutFacts(text, size+torn)
			h.adopts()
			if n := len(h.guarded()); n != 1 || len(h.workers()) != 2 {
				t.Fatalf("cut to %d of %d bytes: %d agents in %d directories", size+torn, len(text), n, len(h.workers()))
			}
			cuts++
		}
	}
	t.Logf("%d cuts of %d bytes", cuts, len(text)-first)
	end()
	h.within(bound, "the agent has ended", func() bool { return len(h.guarded()) == 0 })
	h.cutFacts(text, first)
	h.exits(0, "resume", "--headless")
	once(t, h, h.run(), h.facts(h.run()))
	h.nobody(10 * time.Second)
}

// An agent that no fact tells of and that was started for something else is waited for,
// under its own guard, and what it printed is kept.
func TestAnAgentThatNoFactTellsOfIsWaitedFor(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	text, first, end := h.second()
	h.cutFacts(text, first)
	worker := h.guarded()[0]
	name := filepath.Base(worker)
	var errand map[string]any
	err := json.Unmarshal(h.read("workers", name, "attempt.json"), &errand)
	errand["iteration"] = 7
	changed, _ := json.Marshal(errand)
	if err := errors.Join(err, os.WriteFile(filepath.Join(worker, "attempt.json"), changed, 0o600)); err != nil {
		t.Fatal(err)
	}
	cmd := h.layover("resume", "--headless")
	said := h.begin("is still at work", cmd)
	if n := len(h.guarded()); n != 1 || len(h.workers()) != 2 {
		t.Errorf("%d agents in %d directories", n, len(h.workers()))
	}
	end()
	all := strings.Join(said.all(), "\n")
	if cmd.ProcessState.ExitCode() != 0 || len(h.workers()) != 3 {
		t.Errorf("exit %d, %d directories\n%s", cmd.ProcessState.ExitCode(), len(h.workers()), all)
	}
	facts := h.facts(h.run())
	for _, b := range bodies[run.AgentSpawned](facts) {
		if b.Worker == name {
			t.Errorf("spawned %+v", b)
		}
	}
	told := false
	for _, n := range bodies[run.Notice](facts) {
		told = told || strings.Contains(n.Message, "no fact tells of "+name)
	}
	if out := string(h.read("workers", name, "stdout.jsonl")); !told || strings.Count(out, `"init"`) != 1 {
		t.Errorf("told: %v, printed %q", told, out)
	}
	h.nobody(10 * time.Second)
}

// Each demo is killed at an instant of its own, and its facts are cut off at a place of
// their own before it is resumed: by then agents work, or have ended, of which no fact
// tells.
func TestKilledRunsAreResumedFromFewerFacts(t *testing.T) {
	random := rand.New(rand.NewPCG(*seed, 1))
	began := time.Now()
	newHome(t).exits(0, "demo", "--headless", "--json", "--speed", "300")
	took := time.Since(began)
	for n := range *kills {
		at, part := time.Duration(random.Float64()*float64(took)), random.Float64()
		t.Run(fmt.Sprintf("%d at %v, cut to %.2f", n, at, part), func(t *testing.T) {
			h := newHome(t)
			h.killedAt(at, "demo", "--headless", "--json", "--speed", "300", "--seed", strconv.Itoa(n))
			dirs := h.runs()
			if len(dirs) == 0 || !begun(dirs[0]) {
				return
			}
			text := h.read(journal.EventsFile)
			first := firstDecision(text)
			h.cutFacts(text, first+int(part*float64(len(text)-first)))
			workers := len(h.workers())
			h.exits(0, "resume", "--headless", "--json")
			t.Logf("%d facts of %d, %d agents before, %d after", bytes.Count(text, []byte("\n")), len(h.facts(dirs[0])), workers, len(h.workers()))
			once(t, h, dirs[0], h.facts(dirs[0]))
			exported(t, dirs[0], h.state(h.facts(dirs[0])))
			h.nobody(10 * time.Second)
		})
	}
}
