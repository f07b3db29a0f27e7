package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/exp/teatest"
	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/muesli/termenv"
	"github.com/rogpeppe/go-internal/testscript"

	"example.com/layover/engine"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui"
	"example.com/layover/tui/cli"
	"example.com/layover/tui/relay"
)

// asCommand makes the test binary behave as layover itself, and its agents too.
const asCommand = "LAYOVER_TEST_AS_COMMAND"

// panicCommand hosts a demo whose screen panics at its first fact.
const panicCommand = "__panic"

func panics() int {
	s, err := prepare(cli.Request{Demo: true, Speed: 400, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return 2
	}
	s.Past = []run.Fact{{Seq: 1, Body: struct{ run.Body }{}}}
	exit, _, err := screen(context.Background(), cli.Request{}, s)
	if err := errors.Join(err, s.Close()); err != nil {
		fmt.Println(err)
		return 2
	}
	return exit
}

// The run is worth more than its screen: it goes on when that panics, and says so in
// two lines.
func TestAScreenThatPanicsLeavesTheRun(t *testing.T) {
	cmd := process(t, t.TempDir(), panicCommand)
	cmd.Env = append(cmd.Env, "GORACE=atexit_sleep_ms=0")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 36, Cols: 200})
	if err != nil {
		t.Fatal(err)
	}
	out, _ := io.ReadAll(terminal) // to the end of the process, which is an error of a terminal
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	said := string(out)
	for _, want := range []string{"layover: the screen panicked: ", "hint: the run goes on without a screen: layover watch "} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
	if strings.Contains(said, "goroutine ") || !strings.Contains(said, "\x1b[?1049l") {
		t.Errorf("shown: %q", said)
	}
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == panicCommand {
		os.Exit(panics())
	}
	if len(os.Args) > 1 && os.Args[1] == guardCommand {
		syscall.Exit(command(os.Args[1:], nil)) // not os.Exit: the race detector holds that for a second
	}
	if os.Getenv(asCommand) != "" {
		os.Exit(command(os.Args[1:], replays))
	}
	testscript.Main(m, map[string]func(){
		"layover":  func() { os.Exit(command(os.Args[1:], replays)) },
		"recorded": recorded,
	})
}

// recorded is an agent that prints the file it is given and fails, whatever else
// it is asked. IN_TWO_HOURS in the file is that instant in unix seconds.
func recorded() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	reset := strconv.FormatInt(time.Now().Add(2*time.Hour).Unix(), 10)
	fmt.Print(strings.ReplaceAll(string(text), "IN_TWO_HOURS", reset))
	os.Exit(1)
}

// replays checks, after every run of every test, that the facts on disk give the
// live state, field by field.
func replays(dir string, live *run.State) error {
	replayed, _, err := journal.Replay(dir)
	if err != nil {
		return err
	}
	if diff := cmp.Diff(live, replayed, cmpopts.IgnoreUnexported(run.State{}, run.Lane{}), cmpopts.EquateEmpty()); diff != "" {
		return fmt.Errorf("the facts do not give the live state (-live +replayed):\n%s", diff)
	}
	return nil
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("TZ", "UTC")
			return nil
		},
	})
}

// exits runs a command that must end with an exit status: exits 2 layover run x.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG …]")
	}
	got, err := 0, ts.Exec(args[1], args[2:]...)
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		got = failed.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// line is what every line of --json has.
type line struct {
	Seq  int    `json:"seq"`
	Type string `json:"type"`
	Lane int    `json:"lane"`
	Obs  bool   `json:"obs"`
	raw  map[string]any
}

// process gives a process of this binary as layover, with a state directory.
func process(t *testing.T, state string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1", "XDG_STATE_HOME="+state, "TZ=UTC")
	return cmd
}

// layover runs the command and gives its lines of JSON and its exit status.
func layover(t *testing.T, args ...string) ([]line, int) {
	t.Helper()
	cmd := process(t, t.TempDir(), args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr: %s", &stderr)
	}
	var lines []line
	for _, text := range bytes.Split(bytes.TrimSpace(out), []byte("\n")) {
		var l line
		if err := errors.Join(json.Unmarshal(text, &l), json.Unmarshal(text, &l.raw)); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		lines = append(lines, l)
	}
	return lines, cmd.ProcessState.ExitCode()
}

// order reports whether lines that the tests accept come in this order.
func order(lines []line, tests ...func(line) bool) bool {
	for _, l := range lines {
		if len(tests) > 0 && tests[0](l) {
			tests = tests[1:]
		}
	}
	return len(tests) == 0
}

func named(name string) func(line) bool { return func(l line) bool { return l.Type == name } }

func inLane(lane int, name string) func(line) bool {
	return func(l line) bool { return l.Type == name && l.Lane == lane }
}

func TestDemoTellsItsStory(t *testing.T) {
	lines, exit := layover(t, "demo", "--headless", "--json", "--speed", "0", "--seed", "1")
	if exit != 0 {
		t.Errorf("exit %d", exit)
	}
	seq, lanes := 0, map[int]bool{}
	for _, l := range lines {
		lanes[l.Lane] = true
		if l.Obs {
			continue
		}
		if seq++; l.Seq != seq {
			t.Fatalf("seq %d follows %d", l.Seq, seq-1)
		}
	}
	if last := lines[len(lines)-1]; last.Type != "run_ended" {
		t.Errorf("the last line is %s", last.Type)
	}
	if !order(lines, named("retry_scheduled")) {
		t.Error("no retry_scheduled")
	}
	probed, swapped := false, false
	for _, key := range []string{"claude", "codex"} {
		about := func(name string) func(line) bool {
			return func(l line) bool {
				w, _ := l.raw["window"].(map[string]any)
				return l.Type == name && (l.raw["family"] == key || w["family"] == key)
			}
		}
		probed = probed || order(lines, about("family_tripped"), about("spawn_refused"), about("permit_granted"), about("probe_settled"))
	}
	for lane := range lanes {
		swapped = swapped || order(lines, inLane(lane, "family_tripped"), inLane(lane, "provider_fallback"))
	}
	if !probed {
		t.Error("no window with family_tripped < spawn_refused < permit_granted < probe_settled")
	}
	if !swapped {
		t.Error("no lane with family_tripped < provider_fallback")
	}
	parksAreTicked(t, lines)
}

// parksAreTicked checks that every park over 30 s has a tick between its start
// and its end, and that there is one.
func parksAreTicked(t *testing.T, lines []line) {
	t.Helper()
	long := 0
	for i, l := range lines {
		if l.Type != "turn_parked" {
			continue
		}
		ticked := false
		for _, m := range lines[i:] {
			if m.Lane == l.Lane && m.Type == "park_tick" {
				ticked = true
			}
			if m.Lane != l.Lane || m.Type != "turn_woken" {
				continue
			}
			if waited, _ := m.raw["waited_ms"].(float64); waited > 30_000 {
				long++
				if !ticked {
					t.Errorf("lane %d parked at seq %d for %.0f ms without a tick", l.Lane, l.Seq, waited)
				}
			}
			break
		}
	}
	if long == 0 {
		t.Error("no park over 30 s")
	}
}

// variable are the members of a fact that differ between two runs of one seed:
// ids, instants and durations.
var variable = regexp.MustCompile(`(_ms|_s|_at|_id|_ids|^id|^seq|^ts|^at|^epoch|^until|^next_try|^since|^reset|^deadline|^lapses|^first_spawn|^session|^boundary)$`)

func strip(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if variable.MatchString(k) {
				delete(v, k)
				continue
			}
			v[k] = strip(x)
		}
	case []any:
		for i := range v {
			v[i] = strip(v[i])
		}
	case string:
		return home.ReplaceAllString(v, "HOME")
	}
	return v
}

// home is the directory of a run in a message or a command.
var home = regexp.MustCompile(`/\S*/runs/\w+`)

func TestDemoIsTheSameForOneSeed(t *testing.T) {
	facts := func() map[int][]any {
		lines, exit := layover(t, "demo", "--headless", "--json", "--speed", "0", "--seed", "1", "--parallel", "1")
		if exit != 0 {
			t.Fatalf("exit %d", exit)
		}
		by := map[int][]any{}
		for _, l := range lines {
			if !l.Obs {
				by[l.Lane] = append(by[l.Lane], strip(l.raw))
			}
		}
		return by
	}
	if diff := cmp.Diff(facts(), facts()); diff != "" {
		t.Fatal(diff)
	}
}

func TestHelpNamesNoInternals(t *testing.T) {
	out, err := process(t, t.TempDir(), "--help").CombinedOutput()
	if err != nil || strings.Contains(string(out), scriptedCommand) {
		t.Fatalf("%v\n%s", err, out)
	}
}

// keys are what a person presses on the live demo, after a text has shown.
type keys struct{ see, press string }

func TestKeysOnALiveDemo(t *testing.T) {
	t.Setenv(asCommand, "1") // its agents are this binary
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s, err := prepare(cli.Request{Demo: true, Parallel: 2, Speed: 120, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	way := relay.New()
	s.Ports.Facts, s.Ports.Observe = way.Facts, way.Observe
	h := engine.Start(ctx, s.Launch, s.Ports)
	renderer := lipgloss.NewRenderer(io.Discard, termenv.WithProfile(termenv.Ascii))
	tm := teatest.NewTestModel(t, tui.New(tui.Options{
		Styles: styles.New(renderer, styles.Dark(), styles.Unicode()), Now: s.Ports.Clock.Now, Send: h.Command, Leave: h.Leave,
	}), teatest.WithInitialTermSize(120, 36))
	go way.Run(ctx, tm.Send)
	go func() { res := h.Wait(); way.Ended(res.Exit, res.Err) }()
	for _, k := range []keys{
		{"parked", "s"}, {"stopping softly", "s"}, {"taken back", "w"}, {"working", "S"}, {"Stop everything now?", "y"},
	} {
		teatest.WaitFor(t, tm.Output(), func(out []byte) bool { return bytes.Contains(out, []byte(k.see)) }, teatest.WithDuration(time.Minute))
		tm.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k.press)})
	}
	res := h.Wait()
	tm.Send(tea.KeyMsg{Type: tea.KeyEnter})
	tm.WaitFinished(t, teatest.WithFinalTimeout(time.Minute))
	if res.Exit != cli.ExitHardStop {
		t.Errorf("exit %d", res.Exit)
	}
	var names []string
	if _, err := journal.Facts(s.Dir, func(f run.Fact) error {
		switch b := f.Body.(type) {
		case run.StopRequested:
			if b.Run {
				names = append(names, fmt.Sprintf("stop hard=%t", b.Hard))
			}
		case run.StopCancelled:
			if b.Run {
				names = append(names, "taken back")
			}
		case run.RunEnded:
			names = append(names, "ended")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"stop hard=false", "taken back", "stop hard=true", "ended"}, names); diff != "" {
		t.Error(diff)
	}
	if err := replays(s.Dir, res.State); err != nil {
		t.Error(err)
	}
}
