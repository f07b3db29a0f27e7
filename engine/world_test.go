package engine_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/layover/engine"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// untilCommand is the until command of a world that has one.
const untilCommand = "until"

// world is everything around a host, in memory and in made-up time. It logs what
// the host does to it, in order, and holds the rules that no run may break.
type world struct {
	t     *testing.T
	start time.Time
	ports engine.Ports
	store *store
	// until answers the program's until command, [untilCommand].
	until func() (int, error)

	records []run.Seen      // what other processes have recorded
	permits []run.WindowKey // that this process holds

	mu      sync.Mutex
	calls   []call
	story   []seen
	told    uint64 // the seq of the last fact that was told
	files   map[string]*file
	actors  []*actor
	follows int
	script  func(a *actor) int
	// missing is the error of starting anything; nil starts it.
	missing error
	// free is set where an end need not be saved before it is asked for.
	free bool
	// forgot is set once facts were cut off: agents are no longer counted as attempts.
	forgot bool
	kept   map[string]string // what stood beside the output of agents then, by path
	// refuse is how many permits are still refused.
	refuse int
}

// call is one thing that the host did to its world.
type call struct {
	at   time.Duration
	what string
}

// seen is a fact or an observation, in the order in which they were shown.
type seen struct {
	at   time.Duration
	fact run.Fact
	obs  run.Observation
}

func (s seen) name() string {
	if s.fact.Body != nil {
		return s.fact.Body.Name()
	}
	return s.obs.Body.Name()
}

// inBubble runs a test in made-up time with a world of its own. Processes that
// outlive the test are ended; a goroutine of the host that does fails it.
func inBubble(t *testing.T, test func(t *testing.T, w *world)) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, start: time.Now(), files: map[string]*file{}}
		w.store = &store{w: w, dir: t.TempDir()}
		w.ports = engine.Ports{
			Clock: &engine.Real{}, Store: w.store, Ledger: (*ledger)(w), Start: w.process, Adopt: w.adopt, Open: w.open,
			Follower: (*follower)(w), Environ: []string{"PATH=/bin"}, Zone: time.UTC,
			Redact:  func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") },
			Facts:   w.facts,
			Observe: w.observe,
		}
		defer w.closeDown()
		test(t, w)
	})
}

// host starts a run in which the script plays every agent; it gives the exit status.
func (w *world) host(p run.Program, script func(a *actor) int) *engine.Host {
	w.script = script
	return engine.Start(w.t.Context(), engine.Launch{ID: "test", Program: p, Seed: 1, Epoch: w.start, Speed: 1}, w.ports)
}

// ends waits for the end of a run, with an exit status, and checks its account.
func (w *world) ends(h *engine.Host, exit int) engine.Result {
	w.t.Helper()
	res := h.Wait()
	if res.Err != nil || res.Left || res.Exit != exit {
		w.t.Fatalf("exit %d, left %v, error %v; want exit %d\n%s", res.Exit, res.Left, res.Err, exit, w.tale())
	}
	w.replays(res)
	if last := w.names()[len(w.names())-1]; last != "run_ended" {
		w.t.Errorf("the last that was shown is %s", last)
	}
	return res
}

// replays checks that the facts that were saved give the final state, field by
// field, and that each of them was told.
func (w *world) replays(res engine.Result) {
	w.t.Helper()
	s := w.replayed()
	if diff := cmp.Diff(res.State, s, cmpopts.IgnoreUnexported(run.State{}, run.Lane{}), cmpopts.EquateEmpty()); diff != "" {
		w.t.Errorf("the facts do not give the state (-live +replayed):\n%s", diff)
	}
	if n := uint64(len(w.store.lines)); w.told != n || res.State.Seq != n {
		w.t.Errorf("%d facts saved, %d told, %d decided", n, w.told, res.State.Seq)
	}
}

// replayed is the state that the saved facts give.
func (w *world) replayed() *run.State {
	w.t.Helper()
	s := &run.State{}
	for _, line := range w.store.lines {
		var f run.Fact
		if err := f.UnmarshalJSON(line); err != nil {
			w.t.Fatal(err)
		}
		if err := s.Apply(f); err != nil {
			w.t.Fatalf("replay: %v", err)
		}
	}
	return s
}

// closeDown ends every process that is left.
func (w *world) closeDown() {
	w.mu.Lock()
	left := slices.Clone(w.actors)
	w.mu.Unlock()
	for _, a := range left {
		a.kill()
		<-a.done
	}
}

func (w *world) now() time.Duration { return time.Since(w.start) }

func (w *world) did(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, call{w.now(), fmt.Sprintf(format, args...)})
}

// times lists when a thing was done.
func (w *world) times(what string) []time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	var at []time.Duration
	for _, c := range w.calls {
		if c.what == what {
			at = append(at, c.at)
		}
	}
	return at
}

// facts takes what was decided. It must have been saved, and nothing be left out.
func (w *world) facts(fs []run.Fact) {
	for _, f := range fs {
		w.mu.Lock()
		if f.Seq != w.told+1 {
			w.t.Errorf("fact %d is told after %d", f.Seq, w.told)
		}
		w.told = f.Seq
		w.story = append(w.story, seen{at: w.now(), fact: f})
		w.mu.Unlock()
		if !w.store.has(func(s run.Fact) bool { return s.Seq == f.Seq }) {
			w.t.Errorf("fact %d %s is told before it is saved", f.Seq, f.Body.Name())
		}
	}
}

func (w *world) observe(o run.Observation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.story = append(w.story, seen{at: w.now(), obs: o})
}

// shown lists everything that was shown so far.
func (w *world) shown() []seen {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.story)
}

func (w *world) names() []string {
	var all []string
	for _, s := range w.shown() {
		all = append(all, s.name())
	}
	return all
}

func (w *world) count(name string) int {
	n := 0
	for _, s := range w.names() {
		if s == name {
			n++
		}
	}
	return n
}

// in checks that these were shown in this order, each after the one before.
func (w *world) in(names ...string) {
	w.t.Helper()
	all := w.names()
	for _, n := range names {
		i := slices.Index(all, n)
		if i < 0 {
			w.t.Fatalf("no %s in the order of %v\n%s", n, names, w.tale())
		}
		all = all[i+1:]
	}
}

// bodies lists the facts of one kind, each with its instant.
func bodies[T run.Body](w *world) (all []T, at []time.Duration) {
	for _, s := range w.shown() {
		if b, ok := s.fact.Body.(T); ok {
			all, at = append(all, b), append(at, s.at)
		}
	}
	return all, at
}

// seeings lists the observations of one kind.
func seeings[T run.Seeing](w *world) (all []T, at []time.Duration) {
	for _, s := range w.shown() {
		if b, ok := s.obs.Body.(T); ok {
			all, at = append(all, b), append(at, s.at)
		}
	}
	return all, at
}

func (w *world) tale() string {
	var b strings.Builder
	all := w.shown()
	for _, s := range all[max(0, len(all)-40):] {
		if s.fact.Body != nil {
			fmt.Fprintf(&b, "%9s L%d %s %+v\n", s.at, s.fact.Lane, s.name(), s.fact.Body)
		} else {
			fmt.Fprintf(&b, "%9s L%d (%s) %+v\n", s.at, s.obs.Lane, s.name(), s.obs.Body)
		}
	}
	return b.String()
}

// later does something at an instant after the start.
func (w *world) later(at time.Duration, do func()) {
	time.AfterFunc(at-w.now(), do)
}

func (w *world) open(path string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(w.file(path).text())), nil
}

// process starts an actor. The facts that asked for it must have been saved.
func (w *world) process(s proc.GuardSpec) (engine.Process, error) {
	if w.until != nil && s.Argv[0] == untilCommand {
		code, err := w.until()
		if err != nil {
			return nil, err
		}
		a := &actor{done: make(chan struct{}), exit: proc.Exit{Code: code}}
		close(a.done)
		return a, nil
	}
	w.mu.Lock()
	n := 1
	for _, a := range w.actors {
		n = max(n, a.n+1)
	}
	missing := w.missing
	for _, a := range w.actors {
		if a.spec.Lock == s.Lock {
			w.t.Errorf("the agent of %s is started twice", s.Lock)
		} else if a.works() && a.label() == labelOf(s.Lock) {
			w.t.Errorf("two agents of %s are at work at %s", a.label(), w.now())
		}
	}
	w.mu.Unlock()
	w.did("start %d", n)
	if !w.forgot && !w.store.has(func(f run.Fact) bool { b, ok := f.Body.(run.AttemptStarted); return ok && int(b.Attempt) == n }) {
		w.t.Errorf("agent %d is started before that is saved", n)
	}
	if missing != nil {
		return nil, missing
	}
	a := &actor{w: w, n: n, spec: s, out: w.file(s.Stdout), ended: make(chan struct{}), done: make(chan struct{})}
	w.mu.Lock()
	w.actors = append(w.actors, a)
	w.mu.Unlock()
	go a.play()
	return a, nil
}

var _ engine.Follower = (*follower)(nil)

// follower follows the files of a world.
type follower world

func (f *follower) Follow(ctx context.Context, path string, sink interface {
	Bytes(p []byte)
	Restart()
},
) error {
	w := (*world)(f)
	w.following(1)
	defer w.following(-1)
	at := 0
	for {
		b, changed := w.file(path).since(at)
		if len(b) > 0 {
			at += len(b)
			sink.Bytes(b)
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

func (w *world) following(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.follows += n
}
