// Package demo prepares the built-in program and the world of scripted agents that
// it meets, and goes on with both when its run is resumed.
//
// It owns the directory of that world within the run, and how the demo's agents are
// named in facts: by a word that stands for this program wherever it lies.
//
// It never hosts anything and starts no process.
package demo

import (
	"fmt"
	"io/fs"
	"slices"
	"time"

	"example.com/layover/engine/agent/scripted"
	"example.com/layover/engine/program"
	"example.com/layover/engine/run"
)

// agentName is the command of the demo's agents, as facts name it.
const agentName = "demo-agent"

// EpochOfJumps is when a demo begins whose clock jumps: always at the same time, so
// that one seed gives one run where one lane is open at a time.
var EpochOfJumps = time.Date(2026, 1, 5, 21, 0, 0, 0, time.UTC)

// Options choose a demo.
type Options struct {
	// Presets are those that its program may name.
	Presets []program.Preset
	// Parallel is how many lanes are open at once; zero leaves it to the demo.
	Parallel int
	// Speed is how fast its clock goes: 1 is real time, 0 jumps from one due instant
	// to the next, and a negative number leaves it to the demo.
	Speed float64
	Seed  uint64
	// Now is the real time.
	Now time.Time
}

// Show is a demo that can be hosted.
type Show struct {
	Program run.Program
	Epoch   time.Time
	Speed   float64
}

// Create makes the world of a demo in dir, from the files plan.toml and world.toml.
func Create(files fs.FS, dir string, o Options) (Show, error) {
	show, err := create(files, dir, o)
	if err != nil {
		return Show{}, fmt.Errorf("prepare the demo: %w", err)
	}
	return show, nil
}

func create(files fs.FS, dir string, o Options) (Show, error) {
	text, err := fs.ReadFile(files, "plan.toml")
	if err != nil {
		return Show{}, err
	}
	l, err := program.Parse("plan.toml", text, program.Options{Presets: o.Presets})
	if err != nil {
		return Show{}, err
	}
	if text, err = fs.ReadFile(files, "world.toml"); err != nil {
		return Show{}, err
	}
	world, err := scripted.Read(text)
	if err != nil {
		return Show{}, err
	}
	world.Seed += o.Seed
	show := Show{Program: l.Program, Epoch: o.Now.UTC(), Speed: o.Speed}
	for name, a := range show.Program.Agents {
		a.Command = []string{agentName, a.Family}
		show.Program.Agents[name] = a
	}
	if o.Parallel > 0 {
		show.Program.Parallel = o.Parallel
	}
	switch {
	case o.Speed == 0:
		show.Epoch = EpochOfJumps
	case o.Speed < 0:
		show.Speed = world.Speed
	}
	return show, scripted.Create(dir, world, scripted.Params{Epoch: show.Epoch, Real: o.Now, Speed: show.Speed})
}

// Resume goes on with the world in dir: the instant of its last fact is now.
func Resume(dir string, last, now time.Time) error {
	if err := scripted.Restart(dir, last, now); err != nil {
		return fmt.Errorf("go on with the demo: %w", err)
	}
	return nil
}

// Command is what really starts an agent of the world in dir, for a command as facts
// have it; any other stays as it is. The command that plays agents is player.
func Command(argv, player []string, dir string) []string {
	if len(argv) < 2 || argv[0] != agentName {
		return argv
	}
	return slices.Concat(player, []string{argv[1], dir}, argv[2:])
}
