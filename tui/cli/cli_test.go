package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// world is what a command did.
type world struct {
	out, err bytes.Buffer
	requests []Request
	watched  []WatchRequest
}

// now is when the tests take place.
func now() time.Time { return time.Unix(1790856000, 0) }

// do runs a command with claude installed and gives its exit code.
func (w *world) do(stdin string, change func(*Ports), args ...string) int {
	p := Ports{
		Stdin: strings.NewReader(stdin), Stdout: &w.out, Stderr: &w.err,
		IsTerminal: func() bool { return true },
		Now:        now,
		Keep:       func(text string) string { return strings.ReplaceAll(text, "hunter2", "***") },
		LookPath: func(c string) (string, error) {
			if c == "claude" {
				return "/bin/claude", nil
			}
			return "", errors.New("not found")
		},
		Build: func() (*debug.BuildInfo, bool) {
			return &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}}, true
		},
		Run: func(_ context.Context, r Request) (int, error) {
			w.requests = append(w.requests, r)
			return ExitDone, nil
		},
		Watch: func(_ context.Context, r WatchRequest) (int, error) {
			w.watched = append(w.watched, r)
			return ExitDone, nil
		},
	}
	if change != nil {
		change(&p)
	}
	return Main(context.Background(), args, p)
}

// write puts a file into a new directory, which becomes the working directory.
func write(t *testing.T, name, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const speedHint = "hint: it is 0, which jumps from event to event, or a number from 0.01 to 10000: 1 is real time, 60 an hour in a minute\n"

func TestErrors(t *testing.T) {
	write(t, "plan.toml", "order = ['claude']\n[[task]]\nprompt = 'x'\n")
	if err := os.Mkdir("dir", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("one.toml", []byte("patiense = '1m'\norder = ['claude']\n[[task]]\nprompt = 'x'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("two.toml", []byte("order = ['claud']\n[[task]]\nwait = 'x'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"binary": "\x7fELF" + strings.Repeat("\x00\x01\xff ab", 1000), "packed": "\x1f\x8b\x08\x00",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("nowhere", "broken"), os.Symlink("loop", "loop")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		args []string
		want string
	}{
		"command":      {[]string{"rnu", "x.toml"}, "layover: unknown command \"rnu\"\nhint: did you mean \"layover run\"?\n"},
		"help":         {[]string{"help", "rnu"}, "layover: unknown command \"rnu\"\nhint: did you mean \"layover run\"?\n"},
		"far":          {[]string{"zzzzzz"}, "layover: unknown command \"zzzzzz\"\nhint: \"layover help\" lists the commands\n"},
		"file":         {[]string{"plan.toml"}, "layover: unknown command \"plan.toml\"\nhint: to run a program file: \"layover run plan.toml\"\n"},
		"flag":         {[]string{"run", "--headles"}, "layover: unknown flag: --headles\nhint: did you mean --headless?\n"},
		"far flag":     {[]string{"demo", "--zzzzzz"}, "layover: unknown flag: --zzzzzz\nhint: \"layover demo --help\" lists the flags\n"},
		"short flag":   {[]string{"run", "-z"}, "layover: unknown shorthand flag: 'z' in -z\nhint: \"layover run --help\" lists the flags\n"},
		"no value":     {[]string{"run", "-p"}, "layover: flag needs an argument: 'p' in -p\nhint: \"layover run --help\" lists the flags\n"},
		"value":        {[]string{"demo", "--parallel", "x"}, "layover: --parallel cannot be \"x\"\nhint: how many lanes are open at once, a number from 1 (default: the demo's own)\n"},
		"digits":       {[]string{"demo", "--parallel", strings.Repeat("9", 400)}, "layover: --parallel cannot be \"" + strings.Repeat("9", 59) + "…\"\nhint: how many lanes are open at once, a number from 1 (default: the demo's own)\n"},
		"parallel":     {[]string{"demo", "--parallel", "0"}, "layover: --parallel cannot be 0\nhint: it is a number from 1 to 1000\n"},
		"speed":        {[]string{"demo", "--speed", "-1"}, "layover: --speed cannot be -1\n" + speedHint},
		"nan speed":    {[]string{"demo", "--speed", "NaN"}, "layover: --speed cannot be NaN\n" + speedHint},
		"slow speed":   {[]string{"demo", "--speed", "0.009"}, "layover: --speed cannot be 0.009\n" + speedHint},
		"tiny speed":   {[]string{"demo", "--speed", "1e-300"}, "layover: --speed cannot be 1e-300\n" + speedHint},
		"fast speed":   {[]string{"demo", "--speed", "10000.1"}, "layover: --speed cannot be 10000.1\n" + speedHint},
		"huge speed":   {[]string{"demo", "--speed", "1e9"}, "layover: --speed cannot be 1e+09\n" + speedHint},
		"no end speed": {[]string{"demo", "--speed", "+Inf"}, "layover: --speed cannot be +Inf\n" + speedHint},
		"argument":     {[]string{"demo", "x"}, "layover: demo takes no arguments, but got \"x\"\nhint: \"layover demo --help\" shows how to use it\n"},
		"nothing":      {[]string{"run"}, "layover: run needs a program file or a prompt\nhint: layover run plan.toml, or layover run -p \"what to do\"\n"},
		"both":         {[]string{"run", "plan.toml", "-p", "x"}, "layover: both a program file, plan.toml, and --prompt are given\nhint: leave one of them out; a prompt of several words needs quotes\n"},
		"two files":    {[]string{"run", "a", "b"}, "layover: run takes one program file, but got 2\nhint: put the tasks of all into one file\n"},
		"order":        {[]string{"run", "plan.toml", "--order", "codex"}, "layover: --order, --deadline, --max-cost-usd and --max-tokens go with --prompt\nhint: set them in plan.toml\n"},
		"budget":       {[]string{"run", "plan.toml", "--max-tokens", "5"}, "layover: --order, --deadline, --max-cost-usd and --max-tokens go with --prompt\nhint: set them in plan.toml\n"},
		"no file":      {[]string{"run", "none.toml"}, "layover: read program: open none.toml: no such file or directory\nhint: check the path; \"layover run --help\" shows how to run a program file\n"},
		"hostile":      {[]string{"run", "\x1b[2Jnone"}, "layover: read program: open none: no such file or directory\nhint: check the path; \"layover run --help\" shows how to run a program file\n"},
		"one fault":    {[]string{"run", "one.toml"}, "layover: one.toml:1: unknown key \"patiense\"\nhint: did you mean \"patience\"?\n"},
		"faults": {[]string{"run", "two.toml"}, `layover: two.toml has 3 faults:
  two.toml:1: unknown agent "claud" (did you mean "claude"?)
  two.toml:2: task has neither prompt nor prompt_file (add prompt = "what to do")
  two.toml:3: wait is "x", but must be "park", "inline" or "never"
hint: nothing was started; mend the lines above and run it again
`},
		"flag faults": {[]string{"run", "-p", "", "--deadline", "soon"}, `layover: the command line has 2 faults:
  --prompt is empty
  --deadline is "soon", which is no duration (such as "90s", "10m" or "8h")
hint: nothing was started; mend the lines above and run it again
`},
		"explain":        {[]string{"explain"}, "layover: explain needs a file\nhint: name the agent's output, - for the standard input, or give --text \"message\"\n"},
		"explain dir":    {[]string{"explain", "dir"}, "layover: explain dir: there is no agent's output below it\nhint: name a file, or the directory that agents write to\n"},
		"explain pipe":   {[]string{"explain", "pipe"}, "layover: explain pipe: is not a regular file\nhint: pipe it to \"-\", such as: layover explain - < pipe\n"},
		"explain device": {[]string{"explain", "--family", "claude", "/dev/zero"}, "layover: explain /dev/zero: is not a regular file\nhint: pipe it to \"-\", such as: layover explain - < /dev/zero\n"},
		"run pipe":       {[]string{"run", "pipe"}, "layover: read program: read pipe: is not a regular file\nhint: check the path; \"layover run --help\" shows how to run a program file\n"},
		"explain none":   {[]string{"explain", "none"}, "layover: explain none: no such file or directory\nhint: check the path and who may read it\n"},
		"explain prose":  {[]string{"explain", "plan.toml"}, "layover: explain plan.toml: cannot tell whose output it is\nhint: name it, such as --family claude; an error message by itself is explained by --text\n"},
		"explain binary": {[]string{"explain", "binary"}, "layover: explain binary: it holds binary data, not an agent's output\nhint: name the file that the agent's standard output went to\n"},
		"explain packed": {[]string{"explain", "packed"}, "layover: explain packed: it is compressed, not an agent's output\nhint: unpack it, such as: zcat FILE | layover explain -\n"},
		"explain broken": {[]string{"explain", "broken"}, "layover: explain broken: no such file or directory\nhint: check the path and who may read it\n"},
		"explain loop":   {[]string{"explain", "loop"}, "layover: explain loop: too many levels of symbolic links\nhint: check the path and who may read it\n"},
		"explain family": {[]string{"explain", "--family", "cloud", "x"}, "layover: --family cannot be \"cloud\"\nhint: it is one of " + list(origins()) + "\n"},
		"explain now":    {[]string{"explain", "--now", "today", "x"}, "layover: --now cannot be \"today\"\nhint: it is unix seconds, as \"date +%s\" prints them\n"},
		"explain zone":   {[]string{"explain", "--tz", "Mars/Olympus", "x"}, "layover: --tz cannot be \"Mars/Olympus\"\nhint: it is UTC, Local or a name such as Europe/Berlin\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var w world
			if code := w.do("", nil, tt.args...); code != ExitUsage {
				t.Errorf("exit code %d", code)
			}
			if diff := cmp.Diff(tt.want, w.err.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if w.out.Len() > 0 || len(w.requests) > 0 {
				t.Errorf("printed %q, ran %d", w.out.String(), len(w.requests))
			}
		})
	}
}

func TestDemo(t *testing.T) {
	tests := map[string]struct {
		args     []string
		terminal bool
		want     Request
	}{
		"plain":   {[]string{"demo"}, true, Request{Demo: true, Speed: -1, Seed: 1}},
		"no tty":  {[]string{"demo"}, false, Request{Demo: true, Speed: -1, Seed: 1, Headless: true}},
		"json":    {[]string{"demo", "--json"}, true, Request{Demo: true, Speed: -1, Seed: 1, Headless: true, JSON: true}},
		"numbers": {[]string{"demo", "--parallel=8", "--speed=0", "--seed=7", "--headless", "--debug"}, true, Request{Demo: true, Parallel: 8, Seed: 7, Headless: true, Debug: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var w world
			code := w.do("", func(p *Ports) { p.IsTerminal = func() bool { return tt.terminal } }, tt.args...)
			if diff := cmp.Diff([]Request{tt.want}, w.requests); diff != "" || code != ExitDone || w.err.Len() > 0 {
				t.Errorf("exit code %d, %s (-want +got)\n%s", code, w.err.String(), diff)
			}
		})
	}
}

func TestRun(t *testing.T) {
	write(t, "plan.toml", "order = ['claude', 'codex']\n[[task]]\nprompt = 'mend'\n")
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p := run.Defaults()
	p.Order = []run.Target{{Agent: "claude"}, {Agent: "codex"}}
	p.Agents = map[string]run.Agent{
		"claude": {Preset: "claude", Family: "claude"}, "codex": {Preset: "codex", Family: "codex"},
	}
	p.Tasks = []run.Task{{Name: "task-1", Prompt: "mend", Dir: dir, Wait: run.WaitPark}}
	named := func(name string) run.Program { q := p; q.Name = name; return q }
	limited := named("run")
	limited.Deadline = run.Duration(6 * time.Hour)
	bound := named("run")
	bound.Limits.Budget = run.Budget{MaxCostUSD: 2.5, MaxTokens: 5_000_000}
	missing := []string{"codex"}
	tests := map[string]struct {
		args  []string
		stdin string
		want  Request
	}{
		"file":    {[]string{"run", "plan.toml"}, "", Request{Program: named("plan"), Missing: missing, Speed: 1}},
		"no wait": {[]string{"run", "plan.toml", "--no-wait", "--json"}, "", Request{Program: named("plan"), Missing: missing, Speed: 1, NoWait: true, Headless: true, JSON: true}},
		"prompt":  {[]string{"run", "-p", "mend"}, "", Request{Program: named("run"), Missing: missing, Speed: 1}},
		"order":   {[]string{"run", "-p", "mend", "--order", "claude,codex", "--deadline", "6h"}, "", Request{Program: limited, Missing: missing, Speed: 1}},
		"budget":  {[]string{"run", "-p", "mend", "--max-cost-usd", "2.5", "--max-tokens", "5000000"}, "", Request{Program: bound, Missing: missing, Speed: 1}},
		"stdin":   {[]string{"run", "-p", "-"}, "mend", Request{Program: named("run"), Missing: missing, Speed: 1}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var w world
			code := w.do(tt.stdin, nil, tt.args...)
			if diff := cmp.Diff([]Request{tt.want}, w.requests); diff != "" || code != ExitDone {
				t.Errorf("exit code %d, %s (-want +got)\n%s", code, w.err.String(), diff)
			}
		})
	}
}

// hinted is an error with a hint of its own.
type hinted struct{}

func (hinted) Error() string { return "no room" }
func (hinted) Hint() string  { return "make some" }

func TestExitCodes(t *testing.T) {
	tests := map[string]struct {
		code int
		err  error
		want int
		said string
	}{
		"done":            {ExitDone, nil, 0, ""},
		"limited":         {ExitLimited, nil, 75, ""},
		"stopped":         {ExitHardStop, nil, 130, ""},
		"failed":          {ExitDone, errors.New("open state: disk full"), 1, "layover: open state: disk full\n"},
		"nothing":         {ExitNothing, errors.New("no runs"), 4, "layover: no runs\n"},
		"hint":            {ExitFailed, hinted{}, 1, "layover: no room\nhint: make some\n"},
		"one line":        {ExitFailed, errors.New("a\nb\x1b[2J"), 1, "layover: a↵b\n"},
		"usage of others": {ExitTerminated, &UsageError{Message: "x"}, 143, "layover: x\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var w world
			code := w.do("", func(p *Ports) {
				p.Run = func(context.Context, Request) (int, error) { return tt.code, tt.err }
			}, "demo")
			if code != tt.want || w.err.String() != tt.said {
				t.Errorf("exit code %d, want %d; said %q", code, tt.want, w.err.String())
			}
		})
	}
}

func TestVersion(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}} {
		var w world
		if code := w.do("", nil, args...); code != ExitDone || w.out.String() != "layover version v1.2.3 (go1.26)\n" {
			t.Errorf("%q: exit code %d, %q", args, code, w.out.String())
		}
	}
	dirty := &debug.BuildInfo{GoVersion: "go1.26", Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"},
	}}
	if got := version(dirty, true); got != "(devel) (commit 0123456789ab, changed, go1.26)" {
		t.Errorf("got %q", got)
	}
	if got := version(nil, false); got != "unknown" {
		t.Errorf("got %q", got)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help"}} {
		var w world
		code := w.do("", nil, args...)
		if code != ExitDone || w.err.Len() > 0 {
			t.Errorf("%q: exit code %d, %q", args, code, w.err.String())
		}
		for _, word := range []string{"demo ", "run ", "explain ", "doctor ", "version ", "layover run plan.toml"} {
			if !strings.Contains(w.out.String(), word) {
				t.Errorf("%q: no %q in\n%s", args, word, w.out.String())
			}
		}
	}
}

func TestEveryCommandHasExamples(t *testing.T) {
	var w world
	for _, name := range []string{"demo", "run", "watch", "status", "explain", "doctor"} {
		w.out.Reset()
		w.do("", nil, name, "--help")
		help := w.out.String()
		w.out.Reset()
		w.do("", nil, "help", name)
		if !strings.Contains(help, "Examples:") || w.out.String() != help {
			t.Errorf("%s has no examples, or help says something else:\n%s", name, help)
		}
	}
}

func TestHelpFitsTheTerminal(t *testing.T) {
	for _, name := range []string{"watch", "status", "explain", "doctor"} {
		var w world
		w.do("", nil, name, "--help")
		for line := range strings.Lines(w.out.String()) {
			if n := ansi.StringWidth(line); n > 80 {
				t.Errorf("%s: %d cells: %q", name, n, line)
			}
		}
	}
}
