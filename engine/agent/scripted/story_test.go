package scripted_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/BurntSushi/toml"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/scripted"
	"example.com/layover/engine/run"
)

// The demo's world must bring what the demo is there to show, in this order,
// however many lanes there are. The lanes here follow the rules of a run in the
// roughest way; the real engine is not asked.
func TestDemoStory(t *testing.T) {
	tests := map[string]struct {
		parallel int
		start    time.Duration // after a full minute, to which codex rounds resets
	}{
		"one lane":             {1, 0},
		"one lane, late start": {1, 59 * time.Second},
		"two lanes":            {2, 0},
		"two, late start":      {2, 31 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(tt.start) // of the bubble's time
				e := newEvening(t, dir)
				e.play(tt.parallel)
				for _, line := range e.log {
					t.Log(line)
				}
				e.wantInOrder("claude transport", "claude tripped", "swap claude codex", "codex tripped", "park codex",
					"probe codex", "good codex", "probe claude", "good claude", "park claude", "good claude", "end")
				e.wantBetween("claude tripped", "refused claude", "probe claude")
				e.wantWithin("claude tripped", 7*time.Minute, 12*time.Minute)
				e.wantWithin("codex tripped", 130*time.Second, 8*time.Minute)
				if total := e.now(); total < 22*time.Minute || total > 42*time.Minute {
					t.Errorf("the evening takes %s", total)
				}
			})
		})
	}
}

// evening is one run of the demo under test: what every lane knows.
type evening struct {
	t     *testing.T
	dir   string
	began time.Time
	tasks []string

	mu      sync.Mutex
	windows map[string]*window
	log     []event
}

type window struct {
	opened, next, until time.Time
	probed              bool
}

type event struct {
	at    time.Duration
	what  string
	lasts time.Duration
}

func (e event) String() string {
	line := fmt.Sprintf("%7s  %s", e.at.Round(time.Second), e.what)
	if e.lasts > 0 {
		line += " (" + e.lasts.Round(time.Second).String() + ")"
	}
	return line
}

func newEvening(t *testing.T, dir string) *evening {
	text, err := os.ReadFile(demoFile("world.toml"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := scripted.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	var plan struct {
		Task []struct{ Name, Prompt string }
	}
	if _, err := toml.DecodeFile(demoFile("plan.toml"), &plan); err != nil {
		t.Fatal(err)
	}
	e := &evening{t: t, dir: filepath.Join(dir, "world"), began: time.Now(), windows: map[string]*window{}}
	for _, task := range plan.Task {
		e.tasks = append(e.tasks, task.Prompt)
	}
	if err := scripted.Create(e.dir, w, scripted.Params{Epoch: e.began, Real: e.began, Speed: 1}); err != nil {
		t.Fatal(err)
	}
	return e
}

func demoFile(name string) string { return filepath.Join("..", "..", "..", "testdata", "demo", name) }

func (e *evening) play(parallel int) {
	for range 2 {
		queue := make(chan string, len(e.tasks)) // all tasks of an iteration
		for _, task := range e.tasks {
			queue <- task
		}
		close(queue)
		var lanes sync.WaitGroup
		for range parallel {
			lanes.Go(func() {
				for task := range queue {
					e.lane(task)
				}
			})
		}
		lanes.Wait()
	}
	e.note("end", 0)
}

// lane works on one task until it is done.
func (e *evening) lane(prompt string) {
	order := []string{"claude", "codex"}
	family, session := e.route(order), ""
	for swaps := 0; ; {
		v := e.attempt(family, prompt, session)
		session = v.Session
		switch v.Class {
		case run.ClassSuccess:
			return
		case run.ClassRateLimited:
			other := order[1-slices.Index(order, family)]
			if swaps == 0 && e.wait(family) > 2*time.Minute && e.wait(other) == 0 {
				e.note("swap "+family+" "+other, 0)
				family, session, swaps = other, "", 1
				prompt += "\n\n<handoff>done so far: half</handoff>"
				continue
			}
			e.park(family)
		default:
			e.note(family+" "+v.Class.String(), 0)
			time.Sleep(time.Second)
		}
	}
}

// route finds the first family that is not blocked, and waits if there is none.
func (e *evening) route(order []string) string {
	for first := true; ; first = false {
		for _, family := range order {
			if e.admit(family) {
				return family
			}
			if first {
				e.note("refused "+family, 0)
			}
		}
		time.Sleep(time.Second)
	}
}

// admit reports whether a lane may start with a family: as a probe if a window of
// it is due.
func (e *evening) admit(family string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	w := e.windows[family]
	if w == nil {
		return true
	}
	if w.probed || time.Now().Before(w.next) {
		return false
	}
	w.probed = true
	e.noted("probe "+family, 0)
	return true
}

func (e *evening) park(family string) {
	e.note("park "+family, e.wait(family))
	for !e.admit(family) {
		time.Sleep(time.Second)
	}
}

// wait is how long a family is blocked from now on.
func (e *evening) wait(family string) time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	if w := e.windows[family]; w != nil {
		return max(0, time.Until(w.next), time.Until(w.until))
	}
	return 0
}

// attempt plays one agent and reads it as a run does.
func (e *evening) attempt(family, prompt, session string) run.Verdict {
	preset, _ := agent.Lookup(family)
	cmd := preset.Command(agent.Start{Session: session, Prompt: prompt})
	now := time.Now()
	r, err := agent.NewReader(preset.Dialect, agent.Reference{Now: now, Zone: time.Local})
	if err != nil {
		e.t.Error(err)
	}
	out := writerFunc(func(p []byte) {
		r.Feed(p, func(s run.Sight) {
			if s.Served != "" {
				e.good(family, now)
			}
		})
	})
	args := append([]string{family, e.dir}, cmd.Argv[1:]...)
	code := scripted.Play(e.t.Context(), args, strings.NewReader(string(cmd.Stdin)), out, os.Stderr)
	v := r.End(agent.End{Exit: run.Exit{Code: code}}, nil)
	if v.Class == run.ClassRateLimited {
		e.refused(family, v)
	}
	return v
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }

// good closes a window that was open when the attempt began.
func (e *evening) good(family string, began time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if w := e.windows[family]; w != nil && !w.opened.After(began) {
		delete(e.windows, family)
		e.noted("good "+family, 0)
	}
}

func (e *evening) refused(family string, v run.Verdict) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now()
	w := e.windows[family]
	if w == nil {
		w = &window{opened: now}
		e.windows[family] = w
		e.noted(family+" tripped", max(0, v.Reset.Sub(now)))
	} else if w.probed {
		e.noted("bad "+family, 0)
	}
	w.probed = false
	if w.next = now.Add(min(20*time.Second, max(5*time.Second, now.Sub(w.opened)*15/100))); v.How.Said() {
		w.next, w.until = v.Reset, v.Reset
	}
}

func (e *evening) note(what string, lasts time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.noted(what, lasts)
}

// noted logs an event with the lock held; what repeats at once is logged once.
func (e *evening) noted(what string, lasts time.Duration) {
	if len(e.log) == 0 || e.log[len(e.log)-1].what != what {
		e.log = append(e.log, event{e.now(), what, lasts})
	}
}

func (e *evening) now() time.Duration { return time.Since(e.began) }

func (e *evening) find(what string, from int) int {
	for i := from; i < len(e.log); i++ {
		if e.log[i].what == what {
			return i
		}
	}
	e.t.Fatalf("there is no %q after event %d", what, from)
	return 0
}

func (e *evening) wantInOrder(whats ...string) {
	e.t.Helper()
	from := 0
	for _, what := range whats {
		from = e.find(what, from) + 1
	}
}

func (e *evening) wantBetween(first, between, last string) {
	e.t.Helper()
	from := e.find(first, 0)
	if e.find(between, from) > e.find(last, from) {
		e.t.Errorf("%q comes only after %q", between, last)
	}
}

func (e *evening) wantWithin(what string, least, most time.Duration) {
	e.t.Helper()
	if ev := e.log[e.find(what, 0)]; ev.lasts < least || ev.lasts > most {
		e.t.Errorf("%s: want a wait of %s to %s", ev, least, most)
	}
}
