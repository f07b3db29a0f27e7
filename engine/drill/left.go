//go:build unix

package drill

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"example.com/layover/engine/proc"
)

// EndAgents ends by force whatever agents of a run are left, with their guards, and
// waits until they are gone; dir is the directory of the run.
func EndAgents(dir string, within time.Duration) error {
	workers, _ := filepath.Glob(filepath.Join(dir, "workers", "*")) // a pattern without faults
	var errs []error
	for _, w := range workers {
		g, _, err := proc.Adopt(proc.AdoptSpec{
			Lock: filepath.Join(w, "lock"), Exit: filepath.Join(w, "exit.json"), Grace: time.Second,
		})
		if errors.Is(err, proc.ErrNoTrace) {
			continue
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		g.Kill()
		select {
		case <-g.Done():
		case <-time.After(within):
			errs = append(errs, fmt.Errorf("the agent in %s does not end", w))
		}
	}
	return errors.Join(errs...)
}
