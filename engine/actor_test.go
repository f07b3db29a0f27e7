package engine_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// file is a file that grows.
type file struct {
	mu      sync.Mutex
	data    []byte
	changed chan struct{} // closed at the next write
}

// file finds a file, or makes it.
func (w *world) file(path string) *file {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.files[path]
	if f == nil {
		f = &file{changed: make(chan struct{})}
		w.files[path] = f
	}
	return f
}

func (f *file) write(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.data = append(f.data, s...)
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *file) text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return string(f.data)
}

// since gives what follows an offset, and a channel that the next write closes.
func (f *file) since(at int) ([]byte, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.data[at:]), f.changed
}

// actor is an agent's process, or that of an until command.
type actor struct {
	w    *world
	n    int // counts the processes, and so the attempts; zero for an until command
	spec proc.GuardSpec
	out  *file

	once  sync.Once
	ended chan struct{}
	done  chan struct{}
	exit  proc.Exit
	at    time.Time // when it ended
	cause string    // why its guard ended it
}

var _ engine.Process = (*actor)(nil)

// play follows the script until its end or until the process is asked to end.
func (a *actor) play() {
	defer close(a.done)
	defer func() { a.at = time.Now() }()
	a.exit = proc.Exit{Code: -1, Signal: "terminated"}
	a.exit = proc.Exit{Code: a.w.script(a)}
}

// say prints lines.
func (a *actor) say(lines ...string) {
	for _, l := range lines {
		a.out.write(l + "\n")
	}
}

// work takes time; the process ends in the midst of it when it is asked to.
func (a *actor) work(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-a.ended:
		runtime.Goexit()
	}
}

// agent is the command that was started; task and resumed tell for what.
func (a *actor) agent() string   { return a.spec.Argv[0] }
func (a *actor) task() string    { return string(a.spec.Stdin) }
func (a *actor) argued() string  { return strings.Join(a.spec.Argv, " ") }
func (a *actor) session() string { return fmt.Sprintf("session-%d", a.n) }

// label is what the name of its worker tells of the task.
func (a *actor) label() string { return labelOf(a.spec.Lock) }

func labelOf(lock string) string {
	name := filepath.Base(filepath.Dir(lock))
	return name[:len(name)-12]
}

// works reports whether the process is there.
func (a *actor) works() bool {
	select {
	case <-a.done:
		return false
	default:
		return true
	}
}

func (a *actor) kill() { a.once.Do(func() { close(a.ended) }) }

// PID implements [engine.Process].
func (a *actor) PID() int { return 1000 + a.n }

// StartTime implements [engine.Process].
func (a *actor) StartTime() string { return "7" }

// Done implements [engine.Process].
func (a *actor) Done() <-chan struct{} { return a.done }

// Wait implements [engine.Process].
func (a *actor) Wait() proc.Exit {
	<-a.done
	return a.exit
}

// Cause implements [engine.Process].
func (a *actor) Cause() string {
	<-a.done
	return a.cause
}

// EndedAt implements [engine.Process].
func (a *actor) EndedAt() time.Time {
	<-a.done
	return a.at
}

// End implements [engine.Process]. That it is asked for must have been saved.
func (a *actor) End() {
	a.w.did("end %d", a.n)
	if a.n > 0 && !a.w.free && !a.w.store.has(func(f run.Fact) bool { b, ok := f.Body.(run.AttemptEnding); return ok && int(b.Attempt) == a.n }) {
		a.w.t.Errorf("agent %d is ended before that is saved", a.n)
	}
	a.kill()
}

// The lines that agents print, in the shape of recorded ones.

func hello(a *actor) string {
	return fmt.Sprintf(`{"type":"system","subtype":"init","session_id":%q,"model":"claude-sonnet-4-5"}`, a.session())
}

func text(id string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"model":"claude-sonnet-4-5","content":[{"type":"text","text":"working"}],`+
		`"usage":{"input_tokens":1200,"output_tokens":25}},"parent_tool_use_id":null}`, id)
}

// idleStep is a message that cost no tokens.
func idleStep(id int) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":"idle-%d","model":"claude-sonnet-4-5","content":[],`+
		`"usage":{"input_tokens":0,"output_tokens":0}},"parent_tool_use_id":null}`, id)
}

func rejected(resets time.Time) string {
	return fmt.Sprintf(`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%d,"rateLimitType":"five_hour","overageStatus":"rejected","isUsingOverage":false}}`, resets.Unix())
}

const (
	succeeded = `{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"done","total_cost_usd":0.25,"usage":{"input_tokens":1200,"output_tokens":25}}`
	refused   = `{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"num_turns":1,"result":"You've hit your session limit","total_cost_usd":0,"usage":{"input_tokens":0,"output_tokens":0}}`
	throttled = `{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"num_turns":1,"result":"API Error: Request rejected (429)","total_cost_usd":0,"usage":{"input_tokens":0,"output_tokens":0}}`
)

// succeeds is an agent that is served at once and is done after a while.
func succeeds(a *actor, d time.Duration) int {
	a.say(hello(a), text("msg_1"))
	a.work(d)
	a.say(succeeded)
	return 0
}

// hitsLimit is an agent that is refused until an instant after two seconds.
func hitsLimit(a *actor, resets time.Time) int {
	a.say(hello(a))
	a.work(2 * time.Second)
	a.say(rejected(resets), refused)
	return 1
}
