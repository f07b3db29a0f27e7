package journal_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
)

// Whoever counts the system calls of a process does so for each of its threads. The
// main goroutine stays on the first one only if it is bound to that before main.
func init() {
	if os.Getenv(role) != "" {
		runtime.LockOSThread()
	}
}

// role is the variable that turns the test binary into another process.
const role = "LAYOVER_JOURNAL_ROLE"

// quickExit keeps the race detector from holding an ended child for a second.
const quickExit = "GORACE=atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "guard":
		os.Exit(guard(os.Args[1]))
	case "saver":
		os.Exit(saver(os.Args[1]))
	}
	os.Exit(2)
}

// guard does without a pause what the guards of agents do when their owner has
// died, until its standard input ends.
func guard(path string) int {
	f, err := os.Open(path)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for looks := 0; ; looks++ {
		held := syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
		if held && looks == 0 {
			fmt.Println("ready")
		}
	}
}

// guards starts some and waits until they are at it.
func guards(t *testing.T, n int, path string) {
	t.Helper()
	for range n {
		c := exec.Command(os.Args[0], path)
		c.Env = append(os.Environ(), role+"=guard", quickExit)
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = in.Close(), c.Wait() })
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
			t.Fatalf("guard: %q, %v", line, err)
		}
	}
}
