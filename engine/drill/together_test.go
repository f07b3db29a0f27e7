//go:build unix

package drill

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// limitedCommand is an agent that is limited until the instant that resetVar holds
// in unix seconds, and works then.
const (
	limitedCommand = "__limited"
	resetVar       = "LAYOVER_TEST_RESET"
)

func limited() int {
	reset, err := strconv.ParseInt(os.Getenv(resetVar), 10, 64)
	if err != nil {
		return 2
	}
	fmt.Println(`{"type":"system","subtype":"init","session_id":"92252930-de85-46d3-9e90-4458e395ab2f","model":"claude-sonnet-4-5"}`)
	if time.Now().Unix() < reset {
		fmt.Printf(`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%d,"rateLimitType":"five_hour"}}`+"\n", reset)
		fmt.Println(`{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You've hit your session limit"}`)
		return 1
	}
	fmt.Println(`{"type":"assistant","message":{"id":"1","model":"claude-sonnet-4-5","content":[{"type":"text","text":"on it"}],"usage":{"input_tokens":10,"output_tokens":5}}}`)
	fmt.Println(`{"type":"result","subtype":"success","is_error":false,"result":"done","usage":{"input_tokens":10,"output_tokens":5}}`)
	return 0
}

// talk is what a process says.
type talk struct {
	h     home
	cmd   *exec.Cmd
	ended chan struct{}

	mu   sync.Mutex
	said []string
}

// begin starts a process and waits for a line with a text.
func (h home) begin(text string, cmd *exec.Cmd) *talk {
	h.t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	k := &talk{h: h, cmd: cmd, ended: make(chan struct{})}
	go func() {
		defer close(k.ended)
		lines(out, func(line string) {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.said = append(k.said, line)
		})
	}()
	k.until(text)
	return k
}

// until waits for a line with a text.
func (k *talk) until(text string) {
	k.h.t.Helper()
	k.h.within(bound, text, func() bool {
		k.mu.Lock()
		defer k.mu.Unlock()
		return slices.ContainsFunc(k.said, func(l string) bool { return strings.Contains(l, text) })
	})
}

// all waits for the end of the process and gives all that it said.
func (k *talk) all() []string {
	<-k.ended
	_ = k.cmd.Wait() // its status is in ProcessState
	return k.said
}

// A run is stopped from another process.
func TestStopFromAnotherProcess(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	demo := h.layover("demo", "--json", "--speed", "10")
	said := h.begin(`"type":"agent_spawned"`, demo)
	if answer := h.exits(0, "stop", "latest", "--now"); !strings.HasPrefix(answer, "asked ") {
		t.Errorf("stop says %q", answer)
	}
	all := strings.Join(said.all(), "\n")
	if code := demo.ProcessState.ExitCode(); code != 130 || !strings.Contains(all, `"verb":"hard-stop","from":"stop"`) {
		t.Errorf("exit %d\n%s", code, all)
	}
	h.exits(1, "stop", "latest") // it has ended
	h.told(h.run())
}

// A second process sees the facts of a run, all and in order.
func TestWatchFromAnotherProcess(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	demo := h.layover("demo", "--json", "--speed", "400")
	said := h.begin("{", demo)
	watched := strings.Split(strings.TrimSpace(h.exits(0, "watch", "latest", "--json")), "\n")
	shown := slices.DeleteFunc(said.all(), func(l string) bool { return strings.Contains(l, `"obs":true`) })
	if diff := cmp.Diff(shown, watched); diff != "" || demo.ProcessState.ExitCode() != 0 {
		t.Errorf("exit %d: %s", demo.ProcessState.ExitCode(), diff)
	}
	h.exits(4, "watch", "nothing-of-this-name")
	h.told(h.run())
}

// told checks what a run that has ended has told: its export is that of its facts.
func (h home) told(dir string) {
	h.t.Helper()
	exported(h.t, dir, h.state(h.facts(dir)))
}

// Ten processes share one ledger while their family is limited: one of them meets the
// limit, nothing is spawned into the window after its trip is recorded, one of them
// probes it at its end, and no file is torn.
func TestTenProcessesShareOneLimit(t *testing.T) {
	h := newHome(t)
	reset := time.Now().Add(8 * time.Second)
	plan := h.program([]string{self(t), limitedCommand}, "")
	layover := func() *exec.Cmd {
		cmd := h.layover("run", plan, "--json")
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", resetVar, reset.Unix()))
		return cmd
	}
	first := layover()
	said := h.begin(`"type":"family_tripped"`, first)
	var others sync.WaitGroup
	for n := range 9 {
		others.Go(func() {
			if err := layover().Run(); err != nil {
				t.Errorf("process %d: %v", n+2, err)
			}
		})
	}
	said.all()
	others.Wait()
	early, probes := 0, 0
	dirs := h.runs()
	for _, dir := range dirs {
		for _, f := range h.facts(dir) {
			switch f.Body.(type) {
			case run.AttemptStarted:
				if f.At.Before(reset.Truncate(time.Second)) {
					early++
				}
			case run.PermitGranted:
				probes++
			}
		}
		h.told(dir)
	}
	if len(dirs) != 10 || early != 1 || probes != 1 || first.ProcessState.ExitCode() != 0 {
		t.Errorf("%d runs, %d agents started before the reset and %d probes after it, want 10, 1 and 1", len(dirs), early, probes)
	}
	if torn := h.glob("windows/*.corrupt-*"); len(torn) > 0 {
		t.Errorf("torn: %v", torn)
	}
}
