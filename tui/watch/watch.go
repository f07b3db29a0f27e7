package watch

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui"
	"example.com/layover/tui/board"
	"example.com/layover/tui/cli"
	"example.com/layover/tui/fleet"
	"example.com/layover/tui/relay"
	"example.com/layover/tui/show"
	"example.com/layover/watcher"
	"example.com/layover/watcher/local"
)

// Run shows what is asked for until ctx ends, the operator leaves, or there is no more to
// come. It blocks, and returns the exit status of the command. Keep takes secrets out of
// foreign text; nil leaves it as it is.
func Run(ctx context.Context, r cli.WatchRequest, keep func(text string) string) (int, error) {
	if r.Dir == "" {
		return all(ctx, r, keep)
	}
	if _, _, err := journal.Replay(r.Dir); err != nil { // it can be read, or it is said why not
		return cli.ExitFailed, err
	}
	pace := watcher.NewPace(time.Now)
	if r.Headless {
		t := &told{Lines: cli.NewTold(r.JSON, os.Stdout, time.Local, pace.Now)}
		t.ctx, t.cancel = context.WithCancelCause(ctx)
		local.Follow(t.ctx, r.Dir, t, pace)
		if err := context.Cause(t.ctx); err != context.Canceled { // it ended before its run
			return cli.ExitDone, errors.Join(err, t.Close())
		}
		return cli.ExitDone, t.Close()
	}
	way := relay.New()
	scr := show.Open(ctx, tui.Options{
		Zone: time.Local, Now: pace.Now, Watching: true,
		Send: func(c run.Command) error { return journal.Send(r.Dir, journal.Wish(c)) },
	}, way)
	return look(ctx, scr, func(ctx context.Context) { local.Follow(ctx, r.Dir, way, pace) })
}

// told prints the facts of a run until it ends.
type told struct {
	*cli.Lines
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// Ended implements [local.Tale].
func (t *told) Ended(_ int, err error) { t.cancel(err) }

// all shows all runs there are.
func all(ctx context.Context, r cli.WatchRequest, keep func(text string) string) (int, error) {
	dir, _ := os.Getwd() // without one nothing is looked for in it
	m := local.New(local.Options{
		Paths: r.Paths, More: r.Roots, Once: r.Once, Since: r.Since, Getenv: os.Getenv, Dir: dir, Now: time.Now, Zone: time.Local,
		Keep: keep,
	})
	if r.Headless {
		return cli.ExitDone, printed(ctx, r, m)
	}
	way := relay.New()
	var places []string
	for _, root := range m.Roots {
		places = append(places, root.Path)
	}
	scr := show.OpenModel(ctx, way, func(s *styles.Styles) tea.Model {
		return board.New(board.Options{
			Options: fleet.Options{Styles: s, Zone: time.Local, Roots: places, Send: m.Send},
			Open:    func(key string, o run.Origin) error { m.Open(key, o, way.Feed(key)); return nil },
			Leave:   m.Leave, Clock: m.Clock,
		})
	})
	var watched error
	exit, err := look(ctx, scr, func(ctx context.Context) {
		watched = m.Run(ctx, way.Changes)
		if _, harmless := errors.AsType[*watcher.UnkeptError](watched); watched != nil && !harmless {
			way.Ended(cli.ExitFailed, watched)
		}
	})
	_ = unkept(watched) // any other was shown
	return exit, err
}

// unkept tells that what was read could not be kept, which is no failure; any other error it
// gives back.
func unkept(err error) error {
	if lost, ok := errors.AsType[*watcher.UnkeptError](err); ok {
		cli.Report(os.Stderr, lost)
		return nil
	}
	return err
}

// printed prints all runs there are: once, or as they change until the context ends.
func printed(ctx context.Context, r cli.WatchRequest, m *local.Machine) error {
	asked, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	ctx, cancel := context.WithCancel(asked)
	defer cancel()
	defer context.AfterFunc(asked, func() { // nobody may read what is printed
		time.AfterFunc(show.StuckAfter, func() { os.Exit(cli.ExitTerminated) })
	})()
	b := cli.NewBoard(os.Stdout, r.JSON, time.Local, time.Now)
	if r.Once {
		err := m.Run(ctx, func(c run.Changes) {
			if b.Take(c); c.Complete {
				cancel()
			}
		})
		picture := unread(b.Picture())
		return errors.Join(unkept(err), picture)
	}
	var failed error
	err := m.Run(ctx, func(c run.Changes) {
		if failed == nil {
			if failed = b.Follow(c); failed != nil {
				cancel()
			}
		}
	})
	return errors.Join(unkept(err), unread(failed))
}

// unread is the error of printing, but for a reader that has seen enough.
func unread(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// look shows a screen that is fed by work until it is closed. Nothing stops by that.
func look(ctx context.Context, scr *show.Screen, work func(context.Context)) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	worked := make(chan struct{})
	scr.Go("the watcher", func() {
		defer close(worked)
		work(ctx)
	})
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	var exit atomic.Int64 // cli.ExitDone unless a signal says otherwise
	scr.Go("the wait for signals", func() {
		if caught := <-signals; caught == syscall.SIGTERM || caught == syscall.SIGQUIT {
			exit.Store(cli.ExitTerminated)
		}
		time.AfterFunc(show.StuckAfter, func() {
			scr.GiveBack()
			os.Exit(int(exit.Load()))
		})
		scr.Close()
	})
	_, err := scr.Run()
	if broken, ok := errors.AsType[*show.PanicError](err); ok {
		broken.Remedy = "the run goes on; watch it again to see it"
	}
	cancel()
	<-worked // what it has read is kept
	return int(exit.Load()), err
}
