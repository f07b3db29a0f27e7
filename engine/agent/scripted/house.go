package scripted

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// house is the directory in which the processes of one world meet. world.json says
// what the world is and how its clock runs, state.json what has happened in it,
// clock how late it is at speed 0; lock guards the last two.
type house struct {
	dir   string
	World World  `json:"world"`
	Clock Params `json:"clock"`
}

// Books is all that providers and agents remember.
type Books struct {
	// Accounts holds what each provider remembers, by family.
	Accounts map[string]Account `json:"accounts"`
	// Sessions holds the sessions by family and session id, as in "claude/…".
	Sessions map[string]Session `json:"sessions"`
	// Fresh counts the fresh sessions by family and task, as in "claude/tests".
	Fresh map[string]int `json:"fresh"`
}

// Session is one conversation of an agent, which can be resumed.
type Session struct {
	ID   string `json:"id"`
	Task string `json:"task"`
	// Number counts the sessions of this task and family from one.
	Number int `json:"number"`
	// Steps is how many steps the work takes, Done how many are done.
	Steps int `json:"steps"`
	Done  int `json:"done"`
	// Runs counts the processes that have worked on it.
	Runs int `json:"runs"`
	// Tokens is what all its calls took.
	Tokens Tokens `json:"tokens"`
}

// Create makes the directory of a world, which must not hold one yet, and sets its
// clock to the epoch.
func Create(dir string, w World, p Params) error {
	if _, err := os.Stat(filepath.Join(dir, "world.json")); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fs.ErrExist
		}
		return fmt.Errorf("create world in %s: %w", dir, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create world: %w", err)
	}
	h := house{dir: dir, World: w, Clock: p}
	if err := h.tape().write(p.Epoch); err != nil {
		return err
	}
	if err := writeJSON(h.file("state.json"), Books{}); err != nil {
		return err
	}
	return writeJSON(h.file("world.json"), h)
}

// Restart sets the clock of an existing world to run on from real: the simulated
// instant at is now. What has happened in the world stays, and so do its epoch and
// speed, so that brownouts stay where they are. At speed 0 the clock is moved on
// to at, never back.
func Restart(dir string, at, real time.Time) error {
	h, err := openHouse(dir)
	if err != nil {
		return err
	}
	if h.Clock.Speed == 0 {
		_, err := h.tape().advance(at)
		return err
	}
	h.Clock.Real = real.Round(0).Add(-h.Clock.real(at.Sub(h.Clock.Epoch)))
	return writeJSON(h.file("world.json"), h)
}

func openHouse(dir string) (house, error) {
	h := house{dir: dir}
	if err := readJSON(h.file("world.json"), &h); err != nil {
		return house{}, fmt.Errorf("open world: %w", err)
	}
	return h, nil
}

// update changes the books under the lock. If f fails, nothing is changed.
func (h house) update(f func(*Books) error) error {
	return locked(h.file("lock"), func() error {
		var b Books
		if err := readJSON(h.file("state.json"), &b); err != nil {
			return fmt.Errorf("read books: %w", err)
		}
		b.fill()
		if err := f(&b); err != nil {
			return err
		}
		return writeJSON(h.file("state.json"), b)
	})
}

func (b *Books) fill() {
	if b.Accounts == nil {
		b.Accounts = map[string]Account{}
	}
	if b.Sessions == nil {
		b.Sessions = map[string]Session{}
	}
	if b.Fresh == nil {
		b.Fresh = map[string]int{}
	}
}

func (h house) file(name string) string { return filepath.Join(h.dir, name) }

func (h house) tape() tape { return tape{path: h.file("clock"), lock: h.file("lock")} }

func readJSON(path string, v any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// writeJSON replaces a file by rename. Callers see to it that nobody else writes
// it meanwhile.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	next := path + ".next"
	if err := os.WriteFile(next, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	if err := os.Rename(next, path); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	return nil
}
