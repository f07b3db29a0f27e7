// Command layover runs coding agents through their providers' rate limits.
package main

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	_ "time/tzdata" // zones by name, on machines that have none

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/term"
	"github.com/fsnotify/fsnotify"
	"github.com/muesli/termenv"

	"example.com/layover/engine"
	"example.com/layover/engine/agent/handoff"
	"example.com/layover/engine/agent/scripted"
	"example.com/layover/engine/demo"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/redact"
	"example.com/layover/engine/run"
	"example.com/layover/engine/session"
	"example.com/layover/styles"
	"example.com/layover/styles/background" // before what asks the terminal at start
	"example.com/layover/tui"
	"example.com/layover/tui/cli"
	"example.com/layover/tui/relay"
	"example.com/layover/tui/show"
	"example.com/layover/tui/watch"
)

// The hidden commands: one plays an agent of the demo, one guards any agent.
const (
	scriptedCommand = "__scripted"
	guardCommand    = "__guard"
)

//go:embed testdata/demo
var demoFiles embed.FS

func main() { os.Exit(command(os.Args[1:], nil)) }

// ended is told the directory of a run that was hosted and its final state.
type ended func(dir string, live *run.State) error

// command runs the program and gives its exit status.
func command(args []string, then ended) int {
	switch {
	case len(args) > 0 && args[0] == scriptedCommand:
		return scripted.Main(args[1:], os.Stdin, os.Stdout, os.Stderr)
	case len(args) > 0 && args[0] == guardCommand:
		return proc.GuardMain(os.Stdin)
	}
	// A reader that went away is an error of writing. Not by Ignore: what we start would
	// inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // nobody reads it
	return cli.Main(context.Background(), args, cli.Ports{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		IsTerminal: func() bool {
			return term.IsTerminal(os.Stdin.Fd()) && term.IsTerminal(os.Stdout.Fd()) && os.Getenv("TERM") != "dumb"
		},
		Now: time.Now, Zone: time.Local, Getenv: os.Getenv, LookPath: exec.LookPath, Build: debug.ReadBuildInfo,
		Keep:    keep,
		Machine: cli.Machine{Ask: ask, Terminal: terminal, ReadFile: os.ReadFile, Notices: notices, Disk: cli.DiskOf},
		Run:     func(ctx context.Context, r cli.Request) (int, error) { return host(ctx, r, then) },
		Watch: func(ctx context.Context, r cli.WatchRequest) (int, error) {
			return watch.Run(ctx, r, keep)
		},
	})
}

// secrets are those that our own environment tells of. Most commands need them not.
var secrets = sync.OnceValue(func() *redact.Redactor { return redact.New(os.Environ()) })

// keep takes them out of foreign text.
func keep(text string) string { return handoff.Kept(text, secrets().String) }

// ask asks a command something that it answers at once, and for nothing new of it.
func ask(ctx context.Context, argv ...string) (cli.Answer, error) {
	env := append(os.Environ(), "NO_UPDATE_NOTIFIER=1", "DISABLE_AUTOUPDATER=1")
	r, err := proc.Ask(ctx, proc.Spec{Argv: argv, Env: env})
	return cli.Answer{Said: run.Untrusted(r.Output), Exit: run.Exit(r.Exit), Cut: r.Cut, Late: r.Late}, err
}

// terminal tells what the terminal can do, which it is asked.
func terminal() cli.Terminal {
	if !term.IsTerminal(os.Stdin.Fd()) || !term.IsTerminal(os.Stdout.Fd()) {
		return cli.Terminal{}
	}
	t := cli.Terminal{Is: true, Boxes: styles.GlyphsFor(os.Getenv).Boxes}
	t.Width, t.Height, _ = term.GetSize(os.Stdout.Fd()) // zero: it does not tell
	switch lipgloss.NewRenderer(os.Stdout).ColorProfile() {
	case termenv.TrueColor:
		t.Colours = 1 << 24
	case termenv.ANSI256:
		t.Colours = 256
	case termenv.ANSI:
		t.Colours = 16
	}
	_, t.Answers, _ = background.Ask(os.Stdin, os.Stdout, time.Second)
	return t
}

// notices tries whether the changes in a directory can be watched.
func notices(dir string) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	return errors.Join(w.Add(dir), w.Close())
}

// host carries out a request: it prepares a run, hosts it, and shows it.
func host(ctx context.Context, r cli.Request, then ended) (int, error) {
	s, err := prepare(r)
	if err != nil {
		return cli.ExitUsage, err
	}
	if s.Over { // there is nothing to take up
		cli.Epilogue(os.Stderr, s.Launch.State, s.Launch.State.Exit, s.Dir, time.Local)
		return s.Launch.State.Exit, s.Close()
	}
	show := screen
	if r.Headless {
		show = headless
	}
	exit, live, err := show(ctx, r, s)
	if !r.JSON {
		cli.Epilogue(os.Stderr, live, exit, s.Dir, time.Local)
	}
	if then != nil && err == nil {
		err = then(s.Dir, live)
	}
	closed := s.Close()
	if _, told := errors.AsType[*engine.UnsavedError](err); told {
		closed = nil // it could not save them either
	}
	return exit, errors.Join(err, closed)
}

// prepare makes ready what a request asks for.
func prepare(r cli.Request) (*session.Session, error) {
	o := session.Options{
		Program: r.Program, Missing: r.Missing, Resume: r.Resume, NoWait: r.NoWait, Debug: r.Debug, Guard: guardCommand,
	}
	if r.Demo {
		files, err := fs.Sub(demoFiles, "testdata/demo")
		if err != nil {
			return nil, err
		}
		o.Demo = &session.Demo{Files: files, Player: scriptedCommand, Options: demo.Options{
			Presets: cli.Presets(), Parallel: r.Parallel, Speed: r.Speed, Seed: r.Seed, Now: time.Now(),
		}}
	}
	return session.Open(o)
}

// headless hosts a run and prints it line by line.
func headless(ctx context.Context, r cli.Request, s *session.Session) (int, *run.State, error) {
	lines := cli.NewLines(r, os.Stdout, os.Stderr, time.Local)
	lines.Recall(s.Past)
	s.Ports.Facts, s.Ports.Observe = lines.Facts, lines.Observe
	h := engine.Start(ctx, s.Launch, s.Ports)
	terminated := session.Attend(h)
	return outcome(h.Wait(), terminated, lines.Close())
}

// outcome is the exit status of a run that was hosted; err is what went wrong with
// showing it.
func outcome(res engine.Result, terminated bool, err error) (int, *run.State, error) {
	exit := res.Exit
	switch {
	case terminated:
		exit = cli.ExitTerminated
	case res.Err != nil:
		exit = cli.ExitFailed
	case res.Left:
		exit = cli.ExitStopped
	}
	return exit, res.State, errors.Join(res.Err, err)
}

// screen hosts a run and shows it. The order of stopping is: the screen, the host.
func screen(ctx context.Context, _ cli.Request, s *session.Session) (int, *run.State, error) {
	way := relay.New()
	way.Facts(s.Past)
	s.Ports.Facts, s.Ports.Observe = way.Facts, way.Observe
	s.Ports.Shown = func() []run.LaneID { return nil } // a screen counts waits down by itself
	h := engine.Start(ctx, s.Launch, s.Ports)
	scr := show.Open(ctx, tui.Options{
		Zone: time.Local, Now: s.Ports.Clock.Now, Send: h.Command, Leave: h.Leave,
	}, way)
	scr.Go("the wait for the run", func() {
		res := h.Wait()
		way.Ended(res.Exit, res.Err)
	})
	signals := make(chan os.Signal, 2) // two interrupts in a row both count
	signal.Notify(signals, os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	var terminated atomic.Bool
	scr.Go("the wait for signals", func() {
		var stop session.Interrupts
		for caught := range signals {
			switch caught {
			case os.Interrupt: // from outside: a key press does not come as a signal
				stop.Ask(h)
				continue
			case syscall.SIGTERM, syscall.SIGQUIT: // also after a hangup, when the screen is gone
				terminated.Store(true)
				h.Leave()
				time.AfterFunc(show.StuckAfter, func() {
					scr.GiveBack()
					os.Exit(cli.ExitTerminated)
				})
			}
			scr.Close()
		}
	})
	how, err := scr.Run()
	if broken, ok := errors.AsType[*show.PanicError](err); ok {
		s.Ports.Log.Error("panic", "in", broken.Who, "value", broken.Value, "stack", string(broken.Stack))
		id := s.Launch.ID
		broken.Remedy = "the run goes on without a screen: layover watch " + id + " shows it, layover stop " + id + " ends it"
		cli.Report(os.Stderr, broken)
		signal.Stop(signals)
		terminated.Store(session.Attend(h))
		return outcome(h.Wait(), terminated.Load(), nil)
	}
	if err != nil || how == tui.OutcomeLeft {
		h.Leave()
	}
	exit, state, errs := outcome(h.Wait(), terminated.Load(), err) // after a hangup the run goes on
	if err != nil {
		exit = cli.ExitFailed
	}
	return exit, state, errs
}
