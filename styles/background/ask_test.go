//go:build unix

package background_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	// Linked as the program links it: its init is what must not ask.
	_ "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"example.com/layover/styles/background"
)

// childEnv tells the test binary to play a program on a terminal.
const childEnv = "LAYOVER_BACKGROUND_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case "":
		os.Exit(m.Run())
	case "args":
		fmt.Printf("main runs with %d arguments", len(os.Args))
	case "patient":
		ask(time.Minute)
	case "hasty":
		ask(time.Millisecond)
	}
}

// ask plays the program that opens a screen: it asks, then reads keys until "q".
func ask(timeout time.Duration) {
	before, _ := term.GetState(os.Stdin.Fd())
	dark, ok, input := background.Ask(os.Stdin, os.Stdout, timeout)
	after, _ := term.GetState(os.Stdin.Fd())
	_, _ = term.MakeRaw(input.Fd())
	fmt.Printf("<dark=%v ok=%v restored=%v>", dark, ok, *before == *after)
	var keys []byte
	for buf := make([]byte, 256); !bytes.Contains(keys, []byte("q")); {
		n, err := input.Read(buf)
		if err != nil {
			return
		}
		keys = append(keys, buf[:n]...)
	}
	fmt.Printf("<keys=%q>", keys)
}

// play runs the test binary on a pseudo-terminal whose other end answers only what
// replies say: text to send once the output contains its key.
func play(t *testing.T, role string, replies ...[2]string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), childEnv+"="+role, "TERM=xterm-256color", "COLORFGBG=")
	terminal, err := pty.Start(child)
	if err != nil {
		t.Fatalf("start on a pseudo-terminal: %v", err)
	}
	defer func() { _ = terminal.Close() }()
	var seen strings.Builder
	buf := make([]byte, 1024)
	for {
		n, err := terminal.Read(buf)
		seen.Write(buf[:n])
		for len(replies) > 0 && strings.Contains(seen.String(), replies[0][0]) {
			if _, err := terminal.WriteString(replies[0][1]); err != nil {
				t.Fatalf("reply: %v", err)
			}
			replies = replies[1:]
		}
		if err != nil {
			break
		}
	}
	if err := child.Wait(); err != nil {
		t.Fatalf("child: %v; it wrote %q", err, seen.String())
	}
	return seen.String()
}

// TestNothingIsAskedBeforeMain guards the order of initialisation: on a terminal
// that never answers, a binary that links bubbletea writes no question.
func TestNothingIsAskedBeforeMain(t *testing.T) {
	got := play(t, "args")
	if want := "main runs with 2 arguments"; got != want {
		t.Errorf("the binary wrote %q, want only %q", got, want)
	}
}

func TestAsk(t *testing.T) {
	const asked = "\x1b]11;?"
	cases := map[string]struct {
		role    string
		replies [][2]string
		want    []string
	}{
		"light": {
			"patient",
			[][2]string{{asked, answerLight}, {"ok=", "q"}},
			[]string{"<dark=false ok=true restored=true>", `<keys="q">`},
		},
		"dark, ended by bel": {
			"patient",
			[][2]string{{asked, "\x1b]11;rgb:0/0/0\a"}, {"ok=", "q"}},
			[]string{"<dark=true ok=true restored=true>", `<keys="q">`},
		},
		"keys pressed before the answer are kept": {
			"patient",
			[][2]string{{asked, "j\x1b[B" + answerLight + "k"}, {"ok=", "q"}},
			[]string{"<dark=false ok=true restored=true>", `<keys="j\x1b[Bkq">`},
		},
		"mute": {
			"hasty",
			[][2]string{{"ok=", "q"}},
			[]string{"<dark=true ok=false restored=true>", `<keys="q">`},
		},
		"late answer is no key press": {
			"hasty",
			[][2]string{{"ok=", "a" + answerLight + "q"}},
			[]string{"<dark=true ok=false restored=true>", `<keys="aq">`},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := play(t, c.role, c.replies...)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("the terminal shows %q, want it to contain %q", got, want)
				}
			}
		})
	}
}

func TestAskWithoutTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	dark, ok, input := background.Ask(r, w, time.Minute)
	if !dark || ok || input == nil {
		t.Errorf("Ask on a pipe gives dark %v, ok %v, input %v; want true, false, an Input", dark, ok, input)
	}
	_ = w.Close()
	var buf [64]byte
	if n, _ := input.Read(buf[:]); n != 0 {
		t.Errorf("the pipe was asked: %q", buf[:n])
	}
}
