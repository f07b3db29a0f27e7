//go:build unix

package proc

import (
	"fmt"
	"io"
	"maps"
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
	all := map[string]func() int{
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
			spawn("stubborn", false)
			spawn("stubborn", true)
			_ = spawn("parent", false).Wait() // its child is an orphan now
			spawn("mother", true)             // a session with a child in it
			report()
			return linger()
		},
		"parent": func() int { spawn("stubborn", false); return 0 },
		"mother": func() int { spawn("stubborn", false); report(); return linger() },
	}
	maps.Copy(all, guardedChildren())
	return all
}

// report writes the child's number as a line of its own.
func report() { fmt.Printf("pid=%d\n", os.Getpid()) }

func linger() int {
	<-time.After(childLife)
	return 0
}

func spawn(name string, session bool) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{role + "=" + name, quickExit}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return cmd
}
