package board_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"example.com/layover/engine/run"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/exp/teatest"
	"github.com/muesli/termenv"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/styles"
	"example.com/layover/tui"
	"example.com/layover/tui/board"
	"example.com/layover/tui/fleet"
	"example.com/layover/tui/relay"
)

// TestProgram runs the screen as a program, fed by a relay: a run is seen, opened, shown,
// begun anew and left.
func TestProgram(t *testing.T) {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.Ascii)
	way, left := relay.New(), make(chan string, 1) // one run is left
	feeds := make(chan *relay.Feed, 1)             // one is opened
	tm := teatest.NewTestModel(t, board.New(board.Options{
		Options: fleet.Options{Styles: styles.New(renderer, styles.Dark(), styles.Unicode()), Now: func() time.Time { return start }},
		Open: func(key string, _ run.Origin) error {
			f := way.Feed(key)
			f.Facts(facts())
			feeds <- f
			return nil
		},
		Leave: func(key string) { left <- key },
	}), teatest.WithInitialTermSize(80, 24))
	go way.Run(t.Context(), tm.Send)
	see := func(what string) {
		t.Helper()
		teatest.WaitFor(t, tm.Output(), func(b []byte) bool { return bytes.Contains(b, []byte(what)) },
			teatest.WithDuration(10*time.Second), teatest.WithCheckInterval(10*time.Millisecond))
	}
	way.Changes(machine())
	see("night")
	tm.Send(tea.KeyMsg{Type: tea.KeyEnter})
	see("starts codex")
	f := <-feeds
	f.Restart()
	see("no lane yet")
	f.Facts(facts())
	see("starts codex")
	tm.Send(tea.KeyMsg{Type: tea.KeyEsc})
	see("what it does")
	if key := <-left; key != "mine" {
		t.Errorf("%q was left", key)
	}
	tm.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q")})
	final := tm.FinalModel(t, teatest.WithFinalTimeout(10*time.Second)).(board.Model)
	if final.Outcome() != tui.OutcomeLeft {
		t.Errorf("outcome is %q", final.Outcome())
	}
}
