package cli

import (
	"context"
	"io"
	"runtime/debug"
	"time"

	"example.com/layover/engine/run"
)

// Ports are what the commands need of the world. All but Zone must be set.
type Ports struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// IsTerminal reports whether input and output are a terminal that a screen can
	// be shown on.
	IsTerminal func() bool
	// Now is the wall clock.
	Now func() time.Time
	// Zone is the zone that instants are shown in; nil means UTC.
	Zone *time.Location
	// Getenv gives a variable of the environment, as os does.
	Getenv func(name string) string
	// Keep takes secrets out of foreign text that is printed. What a run prints has been
	// through it before.
	Keep func(text string) string
	// LookPath finds a command, as os/exec does.
	LookPath func(command string) (string, error)
	// Build tells what the binary was built from, as runtime/debug does.
	Build func() (*debug.BuildInfo, bool)
	// Machine is what doctor looks at.
	Machine Machine
	// Run carries a request out, and blocks until that is over. Its exit code is
	// one of this package's; an error is shown, with its hint if it has a method
	// Hint() string, and makes an exit code of zero [ExitFailed].
	Run func(ctx context.Context, r Request) (exit int, err error)
	// Watch shows a run of another process, and blocks until that is over.
	Watch func(ctx context.Context, r WatchRequest) (exit int, err error)
}

// Request is a run that the operator asked for.
type Request struct {
	// Program is what to run. It is empty for a demo, which has its own.
	Program run.Program
	// Missing are the agents of the program that are not installed.
	Missing []string
	// Resume is the directory of the run to be taken up; empty starts a new one. Its
	// program is its own then.
	Resume string
	// Demo asks for the built-in program with scripted agents.
	Demo bool
	// Parallel is how many lanes the demo opens at once; zero leaves it to the demo.
	Parallel int
	// Speed is how fast the demo's clock goes: 1 is real time, 0 jumps from one due
	// instant to the next, and a negative number leaves it to the demo.
	Speed float64
	// Seed makes the demo repeatable.
	Seed uint64

	// Headless asks for lines instead of the screen.
	Headless bool
	// JSON asks for one JSON object per line; it is set only with Headless.
	JSON bool
	// NoWait ends a run that would have to wait for a provider (design.md §6).
	NoWait bool
	// Debug asks for a detailed log.
	Debug bool
}
