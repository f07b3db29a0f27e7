package session

import (
	"io/fs"
	"path/filepath"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/agent/scripted"
	"example.com/layover/engine/demo"
	"example.com/layover/engine/proc"
)

// Demo chooses a demo.
type Demo struct {
	demo.Options
	// Files are its plan.toml and world.toml.
	Files fs.FS
	// Player is how this program is told to run [scripted.Main]: its argument.
	Player string
}

// stage prepares the demo's world, or goes on with it.
func (s *Session) stage(d *Demo, self string) error {
	dir := filepath.Join(s.Dir, "demo")
	start := s.Ports.Start
	s.Ports.Start = func(g proc.GuardSpec) (engine.Process, error) {
		g.Argv = demo.Command(g.Argv, []string{self, d.Player}, dir)
		return start(g)
	}
	if state := s.Launch.State; state != nil {
		if err := demo.Resume(dir, state.LastAt, time.Now()); err != nil {
			return err
		}
	} else {
		show, err := demo.Create(d.Files, dir, d.Options)
		if err != nil {
			return err
		}
		l := &s.Launch
		l.Program, l.Epoch, l.Speed, l.Seed = show.Program, show.Epoch, show.Speed, d.Seed
	}
	clock, err := scripted.OpenClock(dir)
	if err != nil {
		return err
	}
	s.Ports.Clock = clock
	return nil
}
