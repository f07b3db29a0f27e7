package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/layover/engine/journal"
)

// findRun finds the directory of a run by what somebody calls it.
func findRun(getenv func(string) string, name string) (string, error) {
	root, err := journal.Root(getenv)
	if err != nil {
		return "", err
	}
	var found []string
	for _, root := range []string{root, filepath.Join(root, journal.DemoDir)} {
		ids, err := journal.List(root)
		if err != nil {
			return "", err
		}
		for _, id := range ids {
			if dir, err := journal.Dir(root, id); err == nil && (name == "latest" || strings.Contains(id, name)) {
				found = append(found, dir)
			}
		}
	}
	slices.SortFunc(found, byAge)
	switch {
	case len(found) == 0 && name == "latest":
		return "", &UsageError{"there are no runs yet", "start one with layover run, or look at layover demo"}
	case len(found) == 0:
		return "", &UsageError{fmt.Sprintf("there is no run %q", name), "runs are in " + filepath.Join(root, journal.RunsDir) +
			", those of the demo in " + filepath.Join(root, journal.DemoDir, journal.RunsDir)}
	case name == "latest", len(found) == 1:
		return found[len(found)-1], nil
	}
	return "", &UsageError{fmt.Sprintf("%q fits %d runs", name, len(found)), "the newest of them is " + filepath.Base(found[len(found)-1])}
}

// named is what a command calls the run that it is about: the newest if it names none.
func named(args []string) string {
	if len(args) == 1 && args[0] != "" {
		return args[0]
	}
	return "latest"
}

// byAge orders the directories of runs by the second in which they began, and those of
// one second by when they were last written to.
func byAge(a, b string) int {
	return cmp.Or(strings.Compare(second(a), second(b)), written(a).Compare(written(b)), strings.Compare(a, b))
}

// second is the part of a run's id that tells when it began.
func second(dir string) string {
	id := filepath.Base(dir)
	return id[:strings.LastIndex(id, "_")]
}

func written(dir string) time.Time {
	info, err := os.Stat(filepath.Join(dir, journal.EventsFile))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
