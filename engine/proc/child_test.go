//go:build unix

package proc

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/layover/engine/proc/hydra"
)

// role is the variable that turns the test binary into a child.
const role = "LAYOVER_PROC_ROLE"

// quickExit keeps the race detector from holding an ended child for a second.
const quickExit = "GORACE=atexit_sleep_ms=0"

// childLife ends a child that a failed test has forgotten.
const childLife = time.Minute

// guardCommand turns the test binary into a guard.
const guardCommand = "__guard"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == guardCommand {
		os.Exit(GuardMain(os.Stdin))
	}
	if len(os.Args) > 1 && os.Args[1] == hydra.Command {
		os.Exit(hydra.Main(os.Args[2:]))
	}
	name, ok := os.LookupEnv(role)
	if !ok {
		os.Exit(m.Run())
	}
	os.Exit(children()[name]())
}

// children are what the test binary can be, by role; each gives its exit status.
func children() map[string]func() int {
	return map[string]func() int{
		"seven": func() int { return 7 },
		"killed": func() int {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			return linger()
		},
		"cat": func() int {
			n, err := io.Copy(os.Stdout, os.Stdin)
			fmt.Fprintln(os.Stderr, n, err)
			return 0
		},
		"environment": func() int {
			fmt.Print(strings.Join(os.Environ(), "\n"))
			return 0
		},
		"where": func() int {
			dir, err := os.Getwd()
			fmt.Print(dir)
			fmt.Fprint(os.Stderr, err)
			return 0
		},
		"much": func() int {
			block := []byte(strings.Repeat("x", 1<<16))
			for range 1 << 7 {
				_, _ = os.Stdout.Write(block)
			}
			return 0
		},
		"polite": func() int { report(); return linger() },
		"stubborn": func() int {
			signal.Ignore(syscall.SIGTERM)
			report()
			return linger()
		},
		"nasty": func() int {
			signal.Ignore(syscall.SIGTERM)
			put("stubborn", false)
			put("stubborn", true)
			_ = put("parent", false).Wait() // its child is an orphan now
			put("mother", true)             // a session with a child in it
			report()
			return linger()
		},
		"parent": func() int { put("stubborn", false); return 0 },
		"mother": func() int { put("stubborn", false); report(); return linger() },
		"owner":  owner,
		"hydra":  func() int { return hydra.Main(nil) },
		"double": func() int { put("stubborn", true); return 0 },
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
				_ = put("brief", false).Wait()
			}
			report()
			return linger()
		},
		"brief": func() int { put("seven", false); return 0 },
		"mute":  func() int { return 0 },
		"babble": func() int {
			fmt.Println("{}}")
			return 0
		},
	}
}

// report writes the child's number as a line of its own.
func report() { fmt.Printf("pid=%d\n", os.Getpid()) }

func linger() int {
	<-time.After(childLife)
	return 0
}

// owner is a process that owns a run with one agent, and dies of a signal.
func owner() int {
	var s GuardSpec
	if err := json.NewDecoder(os.Stdin).Decode(&s); err != nil {
		return 2
	}
	lock, err := tryLock(s.RunLock)
	if err != nil {
		return 3
	}
	defer func() { _ = lock.Close() }()
	self, _ := os.Executable()
	if _, err := StartGuarded([]string{self, guardCommand}, s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 4
	}
	report()
	return linger()
}

// command is a child in a role, to be started by other means than ours.
func command(name string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{role + "=" + name, quickExit}
	return cmd
}

// put starts a child that shares our output, in a session of its own or in ours.
func put(name string, session bool) *exec.Cmd {
	cmd := command(name)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return cmd
}
