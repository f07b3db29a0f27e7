package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/layover/engine/journal"
)

const (
	// wantedWatches and wantedInstances are what is enough beside what others use: a watch
	// for the directory of each agent at work, and an instance for each process of ours.
	wantedWatches   = 1024
	wantedInstances = 16
)

// examineNotices looks whether the changes of files are told by the system. Where they
// are not, files are looked at again and again.
func examineNotices(p Ports) []finding {
	const about = "file notices"
	const lost = "files are looked at every 250 ms instead"
	limits := map[string]int64{}
	for _, name := range []string{"max_user_watches", "max_user_instances", "max_queued_events"} {
		if b, err := p.Machine.ReadFile("/proc/sys/fs/inotify/" + name); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil {
				limits[name] = n
			}
		}
	}
	said := fmt.Sprintf("%d watches, %d instances, a queue of %d; a run needs one instance, and a watch for each agent at work",
		limits["max_user_watches"], limits["max_user_instances"], limits["max_queued_events"])
	if len(limits) < 3 {
		said = "the system does not tell its limits"
	}
	more := func(name string, n int64) string {
		return fmt.Sprintf("sysctl fs.inotify.%s=%d, or end what uses them up", name, n)
	}
	dir, _ := os.Getwd()
	if root, err := journal.Root(p.Getenv); err == nil {
		dir = existing(root)
	}
	err := p.Machine.Notices(dir)
	watches, knownWatches := limits["max_user_watches"]
	instances, knownInstances := limits["max_user_instances"]
	switch {
	case err != nil:
		return []finding{{gradeWarn, about, fmt.Sprintf("cannot be had: %v: %s", err, lost), more("max_user_instances", max(2*instances, 512))}}
	case knownWatches && watches < wantedWatches:
		return []finding{{gradeWarn, about, fmt.Sprintf("only %d watches for all programs: if they are used up, %s", watches, lost), more("max_user_watches", 65536)}}
	case knownInstances && instances < wantedInstances:
		return []finding{{gradeWarn, about, fmt.Sprintf("only %d instances for all programs: if they are used up, %s", instances, lost), more("max_user_instances", 512)}}
	}
	return []finding{{gradeOK, about, said, ""}}
}

// existing is the nearest directory above a path that is there, or the path itself.
func existing(path string) string {
	for {
		if info, err := os.Stat(path); err == nil && info.IsDir() || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}
