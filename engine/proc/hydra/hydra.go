//go:build unix

// Package hydra plays a tree of seven processes that will not go, for tests of what
// ends it. Each ignores TERM, HUP and INT, prints "pid=N" on its standard output once
// it is so far, and gives up after two minutes.
//
// They are: the first one; one in its group; one in a group and one in a session of
// its own; a session with a child; and an orphan in a session of its own.
package hydra

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// Command is the first argument that must turn the test's program into a part of the
// tree: it calls Main with the arguments that follow.
const Command = "__hydra"

// Heads is how many processes stay.
const Heads = 7

const life = 2 * time.Minute

// Main is one process of the tree, the first if args name no other. It gives the exit
// status.
func Main(args []string) int {
	part := ""
	if len(args) > 0 {
		part = args[0]
	}
	switch part {
	case "parent": // of an orphan
		put("head", &syscall.SysProcAttr{Setsid: true})
		return 0
	case "neck":
		put("head", &syscall.SysProcAttr{})
	case "head":
	default:
		put("head", &syscall.SysProcAttr{})
		put("head", &syscall.SysProcAttr{Setpgid: true})
		put("head", &syscall.SysProcAttr{Setsid: true})
		put("neck", &syscall.SysProcAttr{Setsid: true})
		_ = put("parent", &syscall.SysProcAttr{Setsid: true}).Wait()
	}
	signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	fmt.Printf("pid=%d\n", os.Getpid())
	<-time.After(life)
	return 0
}

func put(part string, attr *syscall.SysProcAttr) *exec.Cmd {
	cmd := exec.Command(os.Args[0], Command, part)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = os.Stdout, os.Stderr, attr
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return cmd
}
