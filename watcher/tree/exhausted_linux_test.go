package tree

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// exhausted names what a test process is to run out of.
const exhausted = "LAYOVER_TEST_EXHAUSTED"

// TestExhausted runs in a user namespace of its own, as what it runs out of is counted for
// each.
func TestExhausted(t *testing.T) {
	for name, c := range map[string]struct {
		limit   string
		watched int
		reason  string
	}{
		"max_inotify_watches":   {"3", 3, "fs.inotify.max_user_watches"},
		"max_inotify_instances": {"0", 0, "gives no notifier"},
	} {
		if os.Getenv(exhausted) == name {
			check(t, os.WriteFile("/proc/sys/user/"+name, []byte(c.limit), 0))
			lookOnly(t, New(sparing(Options{})), c.watched, c.reason)
		}
		if os.Getenv(exhausted) != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestExhausted$")
			cmd.Env = append(os.Environ(), exhausted+"="+name)
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
			}
			out, err := cmd.CombinedOutput()
			if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
				t.Skip("the system allows no user namespace")
			}
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
