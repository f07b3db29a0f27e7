// Command layover runs coding agents through their providers' rate limits.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
	_ "time/tzdata" // zones by name, on machines that have none

	"github.com/charmbracelet/x/term"

	"example.com/layover/engine"
	"example.com/layover/engine/agent/scripted"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/ledger"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/program"
	"example.com/layover/engine/redact"
	"example.com/layover/engine/run"
	_ "example.com/layover/styles/background" // before what asks the terminal at start
	"example.com/layover/tui"
	"example.com/layover/tui/cli"
	"example.com/layover/tui/relay"
	"example.com/layover/tui/show"
	"example.com/layover/watcher"
	"example.com/layover/watcher/tail"
)

// scriptedCommand is the hidden command that plays an agent of the demo.
const scriptedCommand = "__scripted"

// stuckAfter is how long a terminal has to take the last of the screen.
const stuckAfter = 2 * time.Second

// epochOfJumps is when a demo begins whose clock jumps: always at the same time,
// so that one seed gives one run where one lane is open at a time.
var epochOfJumps = time.Date(2026, 1, 5, 21, 0, 0, 0, time.UTC)

//go:embed testdata/demo
var demo embed.FS

func main() { os.Exit(command(os.Args[1:], nil)) }

// ended is told the directory of a run that was hosted and its final state.
type ended func(dir string, live *run.State) error

// command runs the program and gives its exit status.
func command(args []string, then ended) int {
	if len(args) > 0 && args[0] == scriptedCommand {
		return scripted.Main(args[1:], os.Stdin, os.Stdout, os.Stderr)
	}
	signal.Ignore(syscall.SIGPIPE) // a reader that went away is an error of writing
	return cli.Main(context.Background(), args, cli.Ports{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		IsTerminal: func() bool { return term.IsTerminal(os.Stdin.Fd()) && term.IsTerminal(os.Stdout.Fd()) },
		Now:        time.Now, Zone: time.Local, Getenv: os.Getenv, LookPath: exec.LookPath, Build: debug.ReadBuildInfo,
		Run:   func(ctx context.Context, r cli.Request) (int, error) { return host(ctx, r, then) },
		Watch: watch,
	})
}

// host carries out a request: it prepares a run, hosts it, and shows it.
func host(ctx context.Context, r cli.Request, then ended) (int, error) {
	s, err := prepare(r)
	if err != nil {
		return cli.ExitUsage, err
	}
	show := screen
	if r.Headless {
		show = headless
	}
	exit, live, err := show(ctx, r, s)
	if !r.JSON {
		cli.Epilogue(os.Stderr, live, s.store.Dir(), time.Local)
	}
	if then != nil && err == nil {
		err = then(s.store.Dir(), live)
	}
	return exit, errors.Join(err, s.close())
}

// session is a run that is ready to be hosted.
type session struct {
	launch engine.Launch
	ports  engine.Ports
	store  *journal.Journal
	ends   []func() error
}

// close gives back what prepare took, the latest first.
func (s *session) close() error {
	var errs []error
	for _, end := range slices.Backward(s.ends) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

// prepare makes the directory of a run and everything that a host needs. Nothing
// is left open if it fails.
func prepare(r cli.Request) (_ *session, err error) {
	root, err := journal.Root(os.Getenv)
	if err != nil {
		return nil, err
	}
	if r.Demo {
		root = filepath.Join(root, cli.DemoDir) // its windows and runs are its own
	}
	store, err := journal.Create(root, journal.NewID(time.Now(), rand.Uint32()))
	if err != nil {
		return nil, err
	}
	store.Identify(proc.StartTime(os.Getpid()))
	s := &session{store: store, ends: []func() error{store.Close}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	s.launch = engine.Launch{
		ID: store.ID(), Program: r.Program, Missing: r.Missing, Seed: rand.Uint64(), Epoch: time.Now().UTC(), Speed: 1,
	}
	s.ports = engine.Ports{
		Clock: &engine.Real{}, Store: store, Controls: store.Controls, Start: engine.StartProcess,
		Open:    func(path string) (io.ReadCloser, error) { return tail.Open(path) },
		Environ: os.Environ(), Zone: time.Local, Redact: redact.New(os.Environ()).String,
	}
	if r.Demo {
		if s.ports.Clock, err = stage(r, filepath.Join(store.Dir(), "demo"), &s.launch); err != nil {
			return nil, fmt.Errorf("prepare the demo: %w", err)
		}
	}
	if r.NoWait {
		s.launch.Program.NoWait = true
		for i := range s.launch.Program.Tasks {
			s.launch.Program.Tasks[i].Wait = run.WaitNever
		}
	}
	log, err := os.OpenFile(filepath.Join(store.Dir(), "layover.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	level := slog.LevelWarn
	if r.Debug {
		level = slog.LevelDebug
	}
	s.ports.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: level}))
	complain := func(err error) { s.ports.Log.Warn("ledger", "error", err) }
	if r.Demo { // its limits are nobody else's
		s.ports.Ledger = engine.Solo{}
	} else {
		shared, err := ledger.Open(root, account, ledger.WithRun(store.ID(), proc.StartTime(os.Getpid())), ledger.WithReport(complain))
		if err != nil {
			return nil, err
		}
		shared.Inherit(os.Environ())
		s.ports.Ledger = ledger.Share(shared, complain)
		s.ends = append(s.ends, shared.Close)
	}
	follower := tail.New()
	s.ports.Follower = follower
	s.ends = append(s.ends, log.Close, func() error { follower.Close(); return nil })
	return s, nil
}

// account tells apart the accounts of a family by what its command is logged in
// with. Nothing of it can be read back.
func account(family string) string {
	names := map[string][]string{
		"claude": {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR"},
		"codex":  {"OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"},
	}[family]
	var values []string
	for _, name := range names {
		values = append(values, os.Getenv(name))
	}
	return ledger.Fingerprint(values...)
}

// stage prepares the demo's world and the program that meets it.
func stage(r cli.Request, dir string, l *engine.Launch) (engine.Clock, error) {
	files, err := fs.Sub(demo, "testdata/demo")
	if err != nil {
		return nil, err
	}
	plan, err := fs.ReadFile(files, "plan.toml")
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(files, "world.toml")
	if err != nil {
		return nil, err
	}
	world, err := scripted.Read(text)
	if err != nil {
		return nil, err
	}
	loaded, err := program.Parse("plan.toml", plan, program.Options{Presets: cli.Presets()})
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for name, a := range loaded.Program.Agents {
		a.Command = []string{self, scriptedCommand, a.Family, dir}
		loaded.Program.Agents[name] = a
	}
	if r.Parallel > 0 {
		loaded.Program.Parallel = r.Parallel
	}
	world.Seed += r.Seed
	l.Program, l.Missing, l.Seed, l.Speed = loaded.Program, nil, r.Seed, r.Speed
	if r.Speed == 0 {
		l.Epoch = epochOfJumps
	}
	if r.Speed < 0 {
		l.Speed = world.Speed
	}
	if err := scripted.Create(dir, world, scripted.Params{Epoch: l.Epoch, Real: time.Now(), Speed: l.Speed}); err != nil {
		return nil, err
	}
	return scripted.OpenClock(dir)
}

// headless hosts a run and prints it line by line.
func headless(ctx context.Context, r cli.Request, s *session) (int, *run.State, error) {
	lines := cli.NewLines(r, os.Stdout, os.Stderr, time.Local)
	s.ports.Facts, s.ports.Observe = lines.Facts, lines.Observe
	h := engine.Start(ctx, s.launch, s.ports)
	signals := make(chan os.Signal, 2) // two interrupts in a row both count
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	var stop interrupts
	for {
		select {
		case caught := <-signals:
			switch {
			case caught == syscall.SIGHUP: // the terminal went away; the run goes on
			case caught == syscall.SIGTERM:
				h.Leave()
				res := h.Wait()
				return cli.ExitTerminated, res.State, errors.Join(res.Err, lines.Close())
			default:
				stop.ask(h)
			}
		case <-h.Done():
			res := h.Wait()
			err := lines.Close()
			if res.Left && res.Err == nil {
				return cli.ExitStopped, res.State, err
			}
			return res.Exit, res.State, errors.Join(res.Err, err)
		}
	}
}

// screen hosts a run and shows it. The order of stopping is: the screen, the host.
func screen(ctx context.Context, _ cli.Request, s *session) (int, *run.State, error) {
	way := relay.New()
	s.ports.Facts, s.ports.Observe = way.Facts, way.Observe
	h := engine.Start(ctx, s.launch, s.ports)
	scr := show.Open(ctx, tui.Options{
		Zone: time.Local, Now: s.ports.Clock.Now, Send: h.Command, Leave: h.Leave,
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
		var stop interrupts
		for caught := range signals {
			switch caught {
			case os.Interrupt: // from outside: a key press does not come as a signal
				stop.ask(h)
				continue
			case syscall.SIGTERM, syscall.SIGQUIT: // also after a hangup, when the screen is gone
				terminated.Store(true)
				h.Leave()
				time.AfterFunc(stuckAfter, func() {
					scr.GiveBack()
					os.Exit(cli.ExitTerminated)
				})
			}
			scr.Close()
		}
	})
	outcome, err := scr.Run()
	if broken, ok := errors.AsType[*show.PanicError](err); ok {
		s.ports.Log.Error("panic", "in", broken.Who, "value", broken.Value, "stack", string(broken.Stack))
		broken.Remedy = "the agents at work go on; the files of the run are in " + s.store.Dir()
	}
	if err != nil || outcome == tui.OutcomeLeft {
		h.Leave()
	}
	res := h.Wait() // after a hangup the run goes on without its screen
	switch {
	case err != nil || res.Err != nil:
		return cli.ExitFailed, res.State, errors.Join(err, res.Err)
	case terminated.Load():
		return cli.ExitTerminated, res.State, nil
	case res.Left:
		return cli.ExitStopped, res.State, nil
	}
	return res.Exit, res.State, nil
}

// watch shows a run of another process.
func watch(ctx context.Context, r cli.WatchRequest) (int, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	follower := tail.New()
	defer follower.Close()
	pace := watcher.NewPace(time.Now)
	ended := func(f run.Fact) bool { _, is := f.Body.(run.RunEnded); return is }
	if r.Headless {
		lines := cli.NewLines(cli.Request{JSON: r.JSON}, os.Stdout, os.Stderr, time.Local)
		go watcher.Held(ctx, r.Dir, func() { cancel(&cli.GoneError{Dir: r.Dir}) })
		err := watcher.Facts(ctx, r.Dir, follower, func(fs []run.Fact) {
			lines.Facts(fs)
			if slices.ContainsFunc(fs, ended) {
				cancel(context.Canceled)
			}
		})
		return cli.ExitDone, errors.Join(err, lines.Close())
	}
	way := relay.New()
	scr := show.Open(ctx, tui.Options{
		Zone: time.Local, Now: pace.Now, Watching: true,
		Send: func(c run.Command) { _ = journal.Send(r.Dir, journal.Wish(c)) },
	}, way)
	scr.Go("the look at the run's lock", func() {
		watcher.Held(ctx, r.Dir, func() { way.Ended(cli.ExitFailed, &cli.GoneError{Dir: r.Dir}) })
	})
	scr.Go("the watcher", func() {
		err := watcher.Facts(ctx, r.Dir, follower, func(fs []run.Fact) {
			pace.Seen(fs)
			way.Facts(fs)
			if slices.ContainsFunc(fs, ended) {
				way.Ended(cli.ExitDone, nil)
			}
		})
		if err != nil {
			way.Ended(cli.ExitFailed, err)
		}
	})
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	var exit atomic.Int64 // cli.ExitDone unless a signal says otherwise
	scr.Go("the wait for signals", func() {
		if caught := <-signals; caught == syscall.SIGTERM || caught == syscall.SIGQUIT {
			exit.Store(cli.ExitTerminated)
		}
		time.AfterFunc(stuckAfter, func() {
			scr.GiveBack()
			os.Exit(int(exit.Load()))
		})
		scr.Close()
	})
	_, err := scr.Run()
	if broken, ok := errors.AsType[*show.PanicError](err); ok {
		broken.Remedy = "the run goes on; watch it again to see it"
	}
	return int(exit.Load()), err
}

// interrupts counts the interrupts from outside: the first stops softly, the
// second hard.
type interrupts int

func (n *interrupts) ask(h *engine.Host) {
	verb := run.VerbHardStop
	if *n == 0 {
		verb = run.VerbSoftStop
	}
	*n++
	h.Command(run.Command{Verb: verb, From: "interrupt"})
}
