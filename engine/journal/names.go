package journal

import (
	"fmt"
	"path/filepath"
	"time"
)

// The names inside the state directory and inside the directory of a run.
const (
	RunsDir    = "runs"
	LockFile   = "run.lock"
	RunFile    = "run.json"
	EventsFile = "events.jsonl"
	WorkersDir = "workers"
	ControlDir = "control"
	LogFile    = "layover.log"
)

// DemoDir is where the demo keeps its own runs, below the state directory.
const DemoDir = "demo"

// Root is the state directory, from $XDG_STATE_HOME or else from $HOME, as env
// gives them. It creates nothing. As the XDG rules ask, a relative path counts as
// unset. It fails if neither variable holds an absolute path.
func Root(env func(string) string) (string, error) {
	if d := env("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "layover"), nil
	}
	if d := env("HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, ".local", "state", "layover"), nil
	}
	return "", fmt.Errorf("no place for the state directory: set XDG_STATE_HOME or HOME to an absolute path")
}

const idLayout = "20060102_150405"

// NewID makes the id of a run that starts now: the second in UTC, so that ids sort
// by age, and eight hexadecimal digits of the caller's randomness.
func NewID(now time.Time, random uint32) string {
	return fmt.Sprintf("%s_%08x", now.UTC().Format(idLayout), random)
}

// ValidID reports whether a text has the form of a run's id; no such text leads
// out of the directory of the runs.
func ValidID(id string) bool {
	if len(id) != len(idLayout)+9 || id[len(idLayout)] != '_' || !isHex(id[len(idLayout)+1:]) {
		return false
	}
	_, err := time.Parse(idLayout, id[:len(idLayout)])
	return err == nil
}

// Dir is the directory of a run. It fails on an id that is none.
func Dir(root, id string) (string, error) {
	if !ValidID(id) {
		return "", fmt.Errorf("%q is not the id of a run", id)
	}
	return filepath.Join(root, RunsDir, id), nil
}

func isHex(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
