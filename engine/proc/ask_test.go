//go:build unix

package proc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A command is asked and its answer taken, as much of it as is of use.
func TestAsk(t *testing.T) {
	for name, tc := range map[string]struct {
		role string
		exit Exit
		said string
	}{
		"an answer":     {"babble", Exit{}, "{}}\n"},
		"none":          {"mute", Exit{}, ""},
		"a failure":     {"seven", Exit{Code: 7}, ""},
		"input":         {"cat", Exit{}, "0 <nil>\n"},
		"one of much":   {"much", Exit{Code: -1, Signal: "broken pipe"}, strings.Repeat("x", maxReply)},
		"one that dies": {"killed", Exit{Code: -1, Signal: "killed"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), childLife)
			defer cancel()
			got, err := Ask(ctx, child(t, tc.role))
			if err != nil || got.Exit != tc.exit || string(got.Output) != tc.said || got.Late || got.Cut != (len(tc.said) == maxReply) {
				t.Errorf("%+v, late %v, %d bytes %.40q; %v", got.Exit, got.Late, len(got.Output), got.Output, err)
			}
		})
	}
}

// One that does not answer is ended with all that it has started, also if that does not
// want to end and holds the pipe; so is what one that has ended left behind.
func TestAskLeavesNothingBehind(t *testing.T) {
	for name, tc := range map[string]struct {
		script string
		late   bool
	}{
		"one that hangs":    {`trap "" TERM; sleep 999 & echo pid=$! >>"$0"; echo said; echo pid=$$ >>"$0"; while :; do sleep 999; done`, true},
		"one that has gone": {`echo said; (trap "" TERM; echo pid=$$ >>"$0"; sleep 999) & echo pid=$! >>"$0"; read x <"$1"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			told, gate := filepath.Join(t.TempDir(), "told"), filepath.Join(t.TempDir(), "gate")
			for _, err := range []error{os.WriteFile(told, nil, 0o600), syscall.Mkfifo(gate, 0o600)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), childLife)
			defer cancel()
			var got Reply
			var err error
			done := make(chan struct{})
			go func() {
				defer close(done)
				got, err = Ask(ctx, Spec{Argv: []string{"/bin/sh", "-c", tc.script, told, gate}, Env: []string{"PATH=/bin:/usr/bin"}})
			}()
			ids := born(t, told, 2)
			if tc.late {
				cancel()
			} else {
				if err := os.WriteFile(gate, []byte("\n"), 0); err != nil {
					t.Fatal(err)
				}
			}
			select {
			case <-done:
			case <-time.After(childLife):
				t.Fatal("it does not end")
			}
			if err != nil || got.Late != tc.late || string(got.Output) != "said\n" {
				t.Errorf("late %v, said %q, %v", got.Late, got.Output, err)
			}
			if left := alive(ids); len(left) > 0 {
				t.Errorf("%v are left", left)
			}
		})
	}
}

func TestAskOfWhatCannotBeStarted(t *testing.T) {
	s := child(t, "mute")
	s.Dir = filepath.Join(t.TempDir(), "none")
	if _, err := Ask(t.Context(), s); err == nil {
		t.Error("it was started in a directory that is not there")
	}
	s.Dir, s.Argv = "", []string{"no-such-command"}
	if _, err := Ask(t.Context(), s); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// An answer that is there is read, also by one who comes to it when the time is up, and
// while somebody else still holds the pipe.
func TestAnAnswerIsReadAfterItsTime(t *testing.T) {
	for name, said := range map[string]string{"some": "1.2.3\n", "none": "", "much": strings.Repeat("x", 3*maxReply)} {
		t.Run(name, func(t *testing.T) {
			out, theirs, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = theirs.Close() }()
			if _, err := theirs.WriteString(said); err != nil {
				t.Fatal(err)
			}
			if err := out.SetReadDeadline(time.Now().Add(-time.Second)); err != nil {
				t.Fatal(err)
			}
			if got := string(listen(out)); got != said[:min(len(said), maxReply+1)] {
				t.Errorf("%d bytes, %.20q", len(got), got)
			}
		})
	}
}
