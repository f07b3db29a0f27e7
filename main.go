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
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
	_ "time/tzdata" // zones by name, on machines that have none

	"github.com/charmbracelet/x/term"

	"example.com/layover/engine"
	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/scripted"
	"example.com/layover/engine/demo"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/ledger"
	"example.com/layover/engine/proc"
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

// The hidden commands: one plays an agent of the demo, one guards any agent.
const (
	scriptedCommand = "__scripted"
	guardCommand    = "__guard"
)

// stuckAfter is how long a terminal has to take the last of the screen.
const stuckAfter = 2 * time.Second

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
	if s.over { // there is nothing to take up
		cli.Epilogue(os.Stderr, s.launch.State, s.store.Dir(), time.Local)
		return s.launch.State.Exit, s.close()
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
	// over is set if it was to be taken up, but has ended with nothing left to do.
	over bool
	past []run.Fact // the facts of earlier owners
	ends []func() error
}

// close gives back what prepare took, the latest first.
func (s *session) close() error {
	var errs []error
	for _, end := range slices.Backward(s.ends) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

// prepare takes the directory of a run, and everything that a host needs. Nothing is
// left open if it fails.
func prepare(r cli.Request) (_ *session, err error) {
	root, err := journal.Root(os.Getenv)
	if err != nil {
		return nil, err
	}
	if r.Demo {
		root = filepath.Join(root, cli.DemoDir) // its windows and runs are its own
	}
	s := &session{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if r.Resume != "" {
		err = s.takeUp(root, r)
	} else {
		err = s.begin(root, r)
	}
	if err != nil || s.over {
		return s, err
	}
	s.store.Identify(proc.StartTime(os.Getpid()))
	self, err := executable()
	if err != nil {
		return nil, err
	}
	s.ports = engine.Ports{
		Clock: &engine.Real{}, Store: s.store, Controls: s.store.Controls,
		Open:    func(path string) (io.ReadCloser, error) { return tail.Open(path) },
		Environ: os.Environ(), Zone: time.Local, Redact: redact.New(os.Environ()).String,
	}
	s.ports.Start, s.ports.Adopt = engine.Guards([]string{self, guardCommand}, filepath.Join(s.store.Dir(), journal.LockFile))
	if r.Demo {
		if err := s.stage(r, filepath.Join(s.store.Dir(), "demo"), self); err != nil {
			return nil, err
		}
	}
	log, err := os.OpenFile(filepath.Join(s.store.Dir(), "layover.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	s.ends = append(s.ends, log.Close)
	level := slog.LevelWarn
	if r.Debug {
		level = slog.LevelDebug
	}
	s.ports.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: level}))
	complain := func(err error) { s.ports.Log.Warn("ledger", "error", err) }
	if r.Demo { // its limits are nobody else's
		s.ports.Ledger = engine.Solo{}
	} else {
		shared, err := ledger.Open(root, account, ledger.WithRun(s.store.ID(), proc.StartTime(os.Getpid())), ledger.WithReport(complain))
		if err != nil {
			return nil, err
		}
		shared.Inherit(os.Environ())
		s.ports.Ledger = ledger.Share(shared, complain)
		s.ends = append(s.ends, shared.Close)
	}
	follower := tail.New()
	s.ports.Follower = follower
	s.ends = append(s.ends, func() error { follower.Close(); return nil })
	return s, nil
}

// executable is the path of this program, good also once the file is replaced.
func executable() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// begin makes the directory of a new run.
func (s *session) begin(root string, r cli.Request) (err error) {
	s.store, err = journal.Create(root, journal.NewID(time.Now(), rand.Uint32()))
	if err != nil {
		return err
	}
	s.ends = append(s.ends, s.store.Close)
	s.launch = engine.Launch{
		ID: s.store.ID(), Program: r.Program, Missing: r.Missing, Seed: rand.Uint64(), Epoch: time.Now().UTC(), Speed: 1,
	}
	if r.NoWait {
		s.launch.Program.NoWait = true
		for i := range s.launch.Program.Tasks {
			s.launch.Program.Tasks[i].Wait = run.WaitNever
		}
	}
	return nil
}

// takeUp takes the directory of a run that nobody owns, and its state.
func (s *session) takeUp(root string, r cli.Request) error {
	store, state, report, err := journal.Resume(root, filepath.Base(r.Resume))
	if err != nil {
		return err
	}
	s.store, s.ends = store, append(s.ends, store.Close)
	s.launch = engine.Launch{ID: store.ID(), State: state, Notice: cut(report)}
	if !r.Demo {
		s.launch.Missing = agent.Missing(state.Program, exec.LookPath)
	}
	s.over = !state.Resumable()
	_, err = journal.Facts(store.Dir(), func(f run.Fact) error {
		s.past = append(s.past, f)
		return nil
	})
	return err
}

// cut tells of a last fact that was not written to its end.
func cut(r journal.Report) string {
	if r.Torn == 0 {
		return ""
	}
	return fmt.Sprintf("%d bytes of a last fact that was not written to its end were cut off; nothing was done on its word", r.TornBytes)
}

// account tells apart the accounts of a family by what its command is logged in
// with. Nothing of it can be read back.
func account(family string) string {
	var values []string
	for _, name := range agent.Presets() {
		if p, _ := agent.Lookup(name); p.Family == family {
			for _, v := range p.Login {
				values = append(values, os.Getenv(v))
			}
		}
	}
	return ledger.Fingerprint(values...)
}

// stage prepares the demo's world, or goes on with it.
func (s *session) stage(r cli.Request, dir, self string) error {
	start := s.ports.Start
	s.ports.Start = func(g proc.GuardSpec) (engine.Process, error) {
		g.Argv = demo.Command(g.Argv, []string{self, scriptedCommand}, dir)
		return start(g)
	}
	if state := s.launch.State; state != nil {
		if err := demo.Resume(dir, state.LastAt, time.Now()); err != nil {
			return err
		}
	} else {
		files, err := fs.Sub(demoFiles, "testdata/demo")
		if err != nil {
			return err
		}
		show, err := demo.Create(files, dir, demo.Options{
			Presets: cli.Presets(), Parallel: r.Parallel, Speed: r.Speed, Seed: r.Seed, Now: time.Now(),
		})
		if err != nil {
			return err
		}
		s.launch.Program, s.launch.Epoch, s.launch.Speed, s.launch.Seed = show.Program, show.Epoch, show.Speed, r.Seed
	}
	clock, err := scripted.OpenClock(dir)
	s.ports.Clock = clock
	return err
}

// headless hosts a run and prints it line by line.
func headless(ctx context.Context, r cli.Request, s *session) (int, *run.State, error) {
	lines := cli.NewLines(r, os.Stdout, os.Stderr, time.Local)
	lines.Recall(s.past)
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
	way.Facts(s.past)
	s.ports.Facts, s.ports.Observe = way.Facts, way.Observe
	h := engine.Start(ctx, s.launch, s.ports)
	scr := show.Open(ctx, tui.Options{
		Zone: time.Local, Now: s.ports.Clock.Now, Send: h.Command, Leave: h.Leave,
	}, way)
	go func() {
		res := h.Wait()
		way.Ended(res.Exit, res.Err)
	}()
	signals := make(chan os.Signal, 2) // two interrupts in a row both count
	signal.Notify(signals, os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	var terminated atomic.Bool
	go func() {
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
	}()
	outcome, err := scr.Run()
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
	go watcher.Held(ctx, r.Dir, func() { way.Ended(cli.ExitFailed, &cli.GoneError{Dir: r.Dir}) })
	go func() {
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
	}()
	_, err := show.Open(ctx, tui.Options{
		Zone: time.Local, Now: pace.Now, Watching: true,
		Send: func(c run.Command) { _ = journal.Send(r.Dir, journal.Wish(c)) },
	}, way).Run()
	return cli.ExitDone, err
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
