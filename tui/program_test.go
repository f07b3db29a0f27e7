package tui_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/teatest"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

// TestProgram runs the screen as a program: a key becomes a command, the facts that
// follow are seen, and the screen closes by itself once the engine has ended.
func TestProgram(t *testing.T) {
	s := tripped()
	now := s.now
	sent := make(chan run.Command, 1) // one key is pressed at a time
	model := s.shown(tui.Options{
		Now:  func() time.Time { return now },
		Send: func(c run.Command) error { sent <- c; return nil },
	}, 80, 24)
	tm := teatest.NewTestModel(t, model, teatest.WithInitialTermSize(80, 24))
	see := func(what string) {
		t.Helper()
		teatest.WaitFor(t, tm.Output(), func(b []byte) bool { return bytes.Contains(b, []byte(what)) },
			teatest.WithDuration(10*time.Second), teatest.WithCheckInterval(10*time.Millisecond))
	}
	see("2 parked behind a probe")

	tm.Send(press("s"))
	before := len(s.facts)
	s.happen(<-sent)
	tm.Send(tui.FactsMsg{Facts: s.facts[before:]})
	see("stopping softly")

	tm.Send(press("q"))
	see("Quit?")
	tm.Send(press("enter"))
	tm.Send(tui.HostEndedMsg{Exit: 3})
	final := tm.FinalModel(t, teatest.WithFinalTimeout(10*time.Second)).(tui.Model)
	if final.Outcome() != tui.OutcomeFinished {
		t.Errorf("outcome is %q", final.Outcome())
	}
	if got, ended := final.Host(); got.Exit != 3 || !ended {
		t.Errorf("Host = %v, %v", got, ended)
	}
}
