//go:build unix

package drill

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

var (
	kills = flag.Int("kills", 2, "how many demo runs are killed and resumed")
	seed  = flag.Uint64("kill-seed", 1, "what chooses the instants")
)

// Each demo is killed at an instant of its own and resumed, every other one is killed
// again while it is resumed. Every third goes by the machine's time, 300 times as fast;
// the others jump.
func TestKilledRunsAreResumed(t *testing.T) {
	random := rand.New(rand.NewPCG(*seed, 0))
	took := map[string]time.Duration{}
	for n := range *kills {
		speed := "0"
		if n%3 == 2 {
			speed = "300"
		}
		if took[speed] == 0 {
			began := time.Now()
			newHome(t).exits(0, "demo", "--headless", "--json", "--speed", speed)
			took[speed] = time.Since(began)
		}
		var at []time.Duration
		for range 1 + n%2 {
			at = append(at, time.Duration(random.Float64()*float64(took[speed])))
		}
		t.Run(fmt.Sprintf("%d at %v, speed %s", n, at, speed), func(t *testing.T) {
			killed(t, newHome(t), at, "demo", "--headless", "--json", "--speed", speed, "--seed", strconv.Itoa(n))
		})
	}
}

// killed runs a demo, kills it at an instant, resumes it and holds what must be so.
func killed(t *testing.T, h home, at []time.Duration, args ...string) {
	told := h.killedAt(at[0], args...)
	dirs := h.runs()
	if len(dirs) == 0 || !begun(dirs[0]) {
		h.exits(2, "resume", "--headless") // it says that there is nothing to take up
		h.nobody(10 * time.Second)
		return
	}
	dir := dirs[0]
	before := h.facts(dir)
	acknowledged(t, told, before)
	if *verbose {
		t.Logf("killed after %d facts, %d agents at work", len(before), len(h.guarded()))
	}
	for _, again := range at[1:] {
		told := h.killedAt(again, "resume", "--headless", "--json")
		between := h.facts(dir)
		acknowledged(t, told, between)
		waits(t, h, before, between)
		before = between
		if *verbose {
			t.Logf("killed again after %d facts, %d agents at work", len(before), len(h.guarded()))
		}
	}
	h.exits(0, "resume", "--headless", "--json")
	after := h.facts(dir)
	once(t, h, dir, after)
	waits(t, h, before, after)
	exported(t, dir, h.state(after))
	h.nobody(10 * time.Second)
}

// exported checks that run.json, which was made of the live state, tells what the facts
// add up to.
func exported(t *testing.T, dir string, replayed *run.State) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, journal.RunFile))
	if err != nil {
		t.Fatal(err)
	}
	f, err := runfile.Decode(got)
	if err != nil {
		t.Fatal(err)
	}
	want, err := runfile.Encode(replayed, runfile.Options{
		ParentPID: f.ParentPID, ParentStart: f.ParentStart,
		Logs: func(name string) (string, string) {
			w, _ := journal.OpenWorker(dir, name)
			return w.Stdout, w.Stderr
		},
	})
	if diff := cmp.Diff(string(want), string(got)); err != nil || diff != "" {
		t.Errorf("run.json differs from the facts: %v\n%s", err, diff)
	}
}

// killedAt runs Layover and kills it after a time; it gives the facts that it told.
func (h home) killedAt(at time.Duration, args ...string) []string {
	h.t.Helper()
	cmd := h.layover(args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	kill := time.AfterFunc(at, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	var told []string
	lines(out, func(line string) {
		if strings.HasPrefix(line, `{"seq"`) {
			told = append(told, line)
		}
	})
	_ = cmd.Wait() // it was killed, or had ended
	return told
}

var verbose = flag.Bool("tell", false, "tell at what each run was killed")

// begun reports whether a run has a fact.
func begun(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "events.jsonl"))
	return err == nil && strings.Contains(string(text), "\n")
}

// acknowledged checks that every fact that was told is kept, as it was told.
func acknowledged(t *testing.T, told []string, kept []run.Fact) {
	t.Helper()
	for i, line := range told {
		var f run.Fact
		if f.UnmarshalJSON([]byte(line)) != nil && i == len(told)-1 {
			break // the last line may be torn
		}
		if f.Seq > uint64(len(kept)) {
			t.Fatalf("fact %d was told, %d are kept", f.Seq, len(kept))
		}
		want, err := f.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := kept[f.Seq-1].MarshalJSON(); string(got) != string(want) {
			t.Fatalf("told %s, kept %s", want, got)
		}
	}
}

// once checks that every task was done once, every attempt started and accounted once, and
// every agent one of them, or told to be none.
func once(t *testing.T, h home, dir string, facts []run.Fact) {
	t.Helper()
	s := h.state(facts)
	done := map[run.Job]int{}
	for _, l := range s.Lanes {
		if l.State == run.LaneDone {
			done[run.Job{Task: l.Job.Task, Iteration: l.Job.Iteration}]++
		}
	}
	for job, n := range done {
		if n != 1 {
			t.Errorf("task %d of iteration %d was done %d times", job.Task, job.Iteration, n)
		}
	}
	if want := len(s.Program.Tasks) * s.Program.Iterations; len(done) != want || s.Exit != 0 {
		t.Errorf("%d of %d tasks done, exit %d", len(done), want, s.Exit)
	}
	ended, accounted := bodies[run.AttemptEnded](facts), len(bodies[run.UsageCounted](facts))+len(bodies[run.UsageIncomplete](facts))
	moved := 0 // attempts whose lane was sent elsewhere before their agent was started
	for _, e := range ended {
		if len(e.Verdict.Evidence) > 0 && e.Verdict.Evidence[0].Rule == "spawn.held" {
			moved++
		} else if e.Exit.Lost {
			t.Errorf("attempt %d is lost", e.Attempt)
		}
	}
	asked := 0
	for _, b := range bodies[run.ControlReceived](facts) {
		if b.From == "resume" {
			asked++
		}
	}
	if n := int(s.Attempts); len(ended) != n || accounted != n || len(bodies[run.AgentSpawned](facts)) != n-moved || moved > asked {
		t.Errorf("%d attempts, %d spawned, %d moved of %d, %d ended, %d accounted", n, len(bodies[run.AgentSpawned](facts)), moved, asked, len(ended), accounted)
	}
	notices := fmt.Sprint(bodies[run.Notice](facts))
	numbers := map[string]bool{}
	for _, w := range h.workers() {
		if _, err := os.Stat(filepath.Join(w, "stdout.jsonl")); err != nil {
			continue // its agent was never started
		}
		_, number, _ := strings.Cut(filepath.Base(w), "__agent_")
		if numbers[number] {
			t.Errorf("there is another worker with the number of %s", filepath.Base(w))
		}
		numbers[number] = true
		of := 0
		for _, b := range bodies[run.AgentSpawned](facts) {
			if b.Worker == filepath.Base(w) {
				of++
			}
		}
		if told := strings.Contains(notices, filepath.Base(w)); of > 1 || (of == 0 && !told) {
			t.Errorf("%s is of %d attempts, told: %v", filepath.Base(w), of, told)
		}
		out, err := os.ReadFile(filepath.Join(w, "stdout.jsonl"))
		if n := strings.Count(string(out), `"subtype":"init"`) + strings.Count(string(out), `"thread.started"`); err != nil || n > 1 {
			t.Errorf("%s began %d times: %v", filepath.Base(w), n, err)
		}
		if _, err := os.Stat(filepath.Join(w, "exit.json")); err != nil {
			t.Error(err)
		}
	}
}

// waits checks that each wait at the time of the kill has kept its instant.
func waits(t *testing.T, h home, before, after []run.Fact) {
	t.Helper()
	if len(after) == len(before) {
		return // it had ended
	}
	resumed := len(before)
	if _, is := after[resumed].Body.(run.RunResumed); !is {
		t.Fatalf("after the death comes %s", after[resumed].Body.Name())
	}
	was, is := h.state(before), h.state(after[:resumed+1])
	for _, id := range was.Open {
		l := was.Lane(id)
		if l.Wait == nil {
			continue
		}
		at := was.WakeAt(l)
		if got := is.WakeAt(is.Lane(id)); !got.Equal(at) {
			t.Errorf("lane %d was to wake at %s, now at %s", id, at, got)
		}
	}
	// What moves a wait from then on are facts.
	for _, f := range after[resumed+1:] {
		if b, woken := f.Body.(run.TurnWoken); woken && b.Reason == run.WokenDue {
			if at := is.WakeAt(is.Lane(f.Lane)); at.IsZero() || f.At.Before(at) {
				t.Errorf("lane %d woke at %s, before %s", f.Lane, f.At, at)
			}
		}
		if err := is.Apply(f); err != nil {
			t.Fatal(err)
		}
	}
}
