// Package session makes ready what a run is hosted with: its directory, new or taken
// up, and the log, the ledger, the follower, the guards and, for a demo, the world.
//
// It owns what it opens until [Session.Close]. It never hosts a run and shows nothing.
package session

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/agent"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/ledger"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/redact"
	"example.com/layover/engine/run"
	"example.com/layover/watcher/tail"
)

// Options choose a run.
type Options struct {
	// Program is that of a new run, and Missing are its agents that are not installed.
	Program run.Program
	Missing []string
	// Resume is the directory of a run to be taken up; empty begins a new one.
	Resume string
	// Demo is set for a demo, new or taken up.
	Demo *Demo
	// NoWait keeps a new run from waiting for providers; Debug asks for a detailed log.
	NoWait, Debug bool
	// Guard is how this program is told to run [proc.GuardMain]: its argument.
	Guard string
}

// Session is a run that can be hosted. Of the ports, Facts and Observe are still to be
// set.
type Session struct {
	Launch engine.Launch
	Ports  engine.Ports
	// Dir is the directory of the run.
	Dir string
	// Over is set if the run was to be taken up and has ended with nothing left to do:
	// then Launch.State is all there is.
	Over bool
	// Past are the facts of earlier owners.
	Past []run.Fact

	store *journal.Journal
	ends  []func() error
}

// Close gives back what Open took, the latest first.
func (s *Session) Close() error {
	var errs []error
	for _, end := range slices.Backward(s.ends) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

// Open takes the directory of a run, and everything that a host needs. Nothing is left
// open, and nothing new is left behind, if it fails.
func Open(o Options) (_ *Session, err error) {
	root, err := journal.Root(os.Getenv)
	if err != nil {
		return nil, err
	}
	if o.Demo != nil {
		root = filepath.Join(root, journal.DemoDir) // its windows and runs are its own
	}
	s := &Session{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if o.Resume != "" {
		err = s.takeUp(root, o)
	} else {
		err = s.begin(root, o)
	}
	if err != nil || s.Over {
		return s, err
	}
	self, err := executable()
	if err != nil {
		return nil, err
	}
	start := proc.StartTime(os.Getpid())
	s.store.Identify(start)
	s.Ports = engine.Ports{
		Clock: &engine.Real{}, Store: s.store, Controls: s.store.Controls, Obeyed: s.store.Obeyed, Ledger: engine.Solo{},
		Open:    func(path string) (io.ReadCloser, error) { return tail.Open(path) },
		Environ: os.Environ(), Zone: time.Local, Redact: redact.New(os.Environ()).String,
	}
	s.Ports.Start, s.Ports.Adopt = engine.Guards([]string{self, o.Guard}, filepath.Join(s.Dir, journal.LockFile))
	if o.Demo != nil {
		err = s.stage(o.Demo, self)
	}
	if err == nil {
		err = s.openLog(o.Debug)
	}
	if err == nil && o.Demo == nil {
		s.Ports.Login = login(s.program(), os.Getenv)
		err = s.share(root, start)
	}
	if err != nil {
		return nil, err
	}
	follower := tail.New()
	s.Ports.Follower = follower
	s.ends = append(s.ends, func() error { follower.Close(); return nil })
	return s, nil
}

// program is that of the run, new or taken up.
func (s *Session) program() run.Program {
	if s.Launch.State != nil {
		return s.Launch.State.Program
	}
	return s.Launch.Program
}

// executable is the path of this program, good also once the file is replaced.
func executable() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// begin makes the directory of a new run.
func (s *Session) begin(root string, o Options) error {
	store, err := journal.Create(root, journal.NewID(time.Now(), rand.Uint32()))
	if err != nil {
		return err
	}
	s.own(store)
	s.Launch = engine.Launch{
		ID: store.ID(), Program: o.Program, Missing: o.Missing, Seed: rand.Uint64(), Epoch: time.Now().UTC(), Speed: 1,
	}
	s.Launch.Notice = unpriced(o.Program)
	if o.NoWait {
		s.Launch.Program.NoWait = true
		for i := range s.Launch.Program.Tasks {
			s.Launch.Program.Tasks[i].Wait = run.WaitNever
		}
	}
	return nil
}

// takeUp takes the directory of a run that nobody owns, and its state.
func (s *Session) takeUp(root string, o Options) error {
	store, state, report, err := journal.Resume(root, filepath.Base(o.Resume))
	if err != nil {
		return err
	}
	s.own(store)
	s.Launch = engine.Launch{ID: store.ID(), State: state}
	var notes []string
	if report.TornBytes > 0 {
		notes = append(notes, fmt.Sprintf("cut off %d bytes of a last decision that was not written to its end; nothing was done on its word", report.TornBytes))
	}
	left, err := store.Controls() // they were for the last owner
	var verbs []string
	for _, w := range left {
		verbs = append(verbs, w.Verb.String())
	}
	if len(left) > 0 || err != nil {
		notes = append(notes, strings.TrimSpace("dropped what was asked for before, which may not have been obeyed: "+strings.Join(verbs, ", ")))
	}
	s.Launch.Notice = strings.Join(notes, "; ")
	if o.Demo == nil {
		s.Launch.Missing = agent.Missing(state.Program, exec.LookPath)
	}
	if err := installed(state, s.Launch.Missing); err != nil {
		return err
	}
	if end := state.Deadline(); state.Phase == run.PhaseEnded && state.Resumable() && !end.IsZero() && o.Demo == nil && !time.Now().Before(end) {
		return &LateError{Deadline: end}
	}
	if s.Over = !state.Resumable(); s.Over {
		// Its owner may have died before it told others of the end.
		return store.Export(state, time.Now(), true)
	}
	_, err = journal.Facts(s.Dir, func(f run.Fact) error {
		s.Past = append(s.Past, f)
		return nil
	})
	return err
}

// LateError says that the budget of time of a run that has ended is over: nothing of what
// is left would be started.
type LateError struct{ Deadline time.Time }

func (e *LateError) Error() string {
	return "its budget of time ended at " + e.Deadline.Local().Format("Mon 2 Jan 15:04:05")
}

// Hint says what to do.
func (e *LateError) Hint() string {
	return "run its program anew, with a longer deadline if it needs one"
}

// MissingError says that nothing of a run's order is installed any more.
type MissingError struct{ Agents []string }

func (e *MissingError) Error() string {
	return strings.Join(e.Agents, ", ") + ": not installed, and the run has no other agent"
}

// Hint says what to do.
func (e *MissingError) Hint() string { return "install it, or put it into your PATH, and resume again" }

// installed fails if some task of a run could not be started on any target.
func installed(s *run.State, missing []string) error {
	for i := range s.Program.Tasks {
		there := func(t run.Target) bool { return !slices.Contains(missing, t.Agent) }
		if s.Resumable() && !slices.ContainsFunc(s.Program.OrderOf(i), there) {
			return &MissingError{missing}
		}
	}
	return nil
}

func (s *Session) own(store *journal.Journal) {
	s.store, s.Dir, s.ends = store, store.Dir(), append(s.ends, store.Close)
}

func (s *Session) openLog(debug bool) error {
	log, err := s.store.Log()
	if err != nil {
		return err
	}
	s.ends = append(s.ends, log.Close)
	level := slog.LevelWarn
	if debug {
		level = slog.LevelDebug
	}
	s.Ports.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: level}))
	return nil
}

// share opens the ledger that all processes of the user share.
func (s *Session) share(root, start string) error {
	complain := func(err error) { s.Ports.Log.Warn("ledger", "error", err) }
	shared, err := ledger.Open(root, account, ledger.WithRun(s.store.ID(), start), ledger.WithReport(complain))
	if err != nil {
		return err
	}
	shared.Inherit(os.Environ())
	s.Ports.Ledger = ledger.Share(shared, complain)
	s.ends = append(s.ends, shared.Close)
	return nil
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
