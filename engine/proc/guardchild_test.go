//go:build unix

package proc

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"example.com/layover/engine/proc/hydra"
)

// guardedChildren are further roles of the test binary, for guards.
func guardedChildren() map[string]func() int {
	return map[string]func() int{
		"owner":  owner,
		"hydra":  func() int { return hydra.Main(nil) },
		"double": func() int { put("stubborn", &syscall.SysProcAttr{Setsid: true}); return 0 },
		"until": func() int { // its input is the path of a file that it waits for
			var path string
			_, _ = fmt.Scanln(&path)
			report()
			for range time.Tick(time.Millisecond) {
				if _, err := os.Stat(path); err == nil {
					return 7
				}
			}
			return 1
		},
		"silent": func() int { return linger() },
		"endless": func() int {
			for range time.Tick(time.Millisecond) {
				fmt.Println("x")
			}
			return 1
		},
		"fleeting": func() int {
			for range 5 {
				_ = put("brief", &syscall.SysProcAttr{}).Wait()
			}
			report()
			return linger()
		},
		"brief": func() int { put("seven", &syscall.SysProcAttr{}); return 0 },
		"mute":  func() int { return 0 },
		"babble": func() int {
			fmt.Println("{}}")
			return 0
		},
	}
}

// owner is a process that owns a run with one agent, and dies of a signal.
func owner() int {
	var s GuardSpec
	if err := json.NewDecoder(os.Stdin).Decode(&s); err != nil {
		return 2
	}
	if _, err := tryLock(s.RunLock); err != nil {
		return 3
	}
	self, _ := os.Executable()
	if _, err := StartGuarded([]string{self, guardCommand}, s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 4
	}
	report()
	return linger()
}

func put(name string, attr *syscall.SysProcAttr) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{role + "=" + name, quickExit}
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = os.Stdout, os.Stderr, attr
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return cmd
}
