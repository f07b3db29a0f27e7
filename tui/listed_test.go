package tui_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

// A screen that begins anew is as one that has just been opened, in its place and size.
func TestRestart(t *testing.T) {
	for name, s := range map[string]*story{"parked": parked(), "finished": finished()} {
		t.Run(name, func(t *testing.T) {
			m := s.screen(80, 24)
			m, _ = update(m, tui.HostEndedMsg{Exit: 3})
			m, cmd := update(m, tui.RestartMsg{})
			if view := ansi.Strip(m.View()); cmd != nil || !strings.Contains(view, "no lane yet") {
				t.Errorf("the screen has not begun anew:\n%s", view)
			}
			m, _ = update(m, tui.FactsMsg{Facts: s.facts})
			m, _ = update(m, tui.ObservationsMsg{Observations: s.seen})
			if diff := cmp.Diff(s.screen(80, 24).View(), m.View()); diff != "" {
				t.Errorf("told the same, it shows something else (-want +got):\n%s", diff)
			}
			if _, cmd := update(m, tui.TickMsg{Now: s.now, Tag: 1}); cmd == nil {
				t.Error("the clock has stopped")
			}
		})
	}
}

func TestARunThatTakesNoOrders(t *testing.T) {
	const why = "team-harness takes no orders from Layover"
	for _, k := range []string{"s", "S", "w", "c"} {
		var sent []run.Command
		m := parked().shown(tui.Options{Unheard: why, Send: func(c run.Command) error { sent = append(sent, c); return nil }}, 80, 24)
		if view := ansi.Strip(m.View()); !strings.Contains(view, "s S w c not heard here") || strings.Contains(view, "soft stop") {
			t.Errorf("the keys are offered:\n%s", view)
		}
		m, cmd := update(m, press(k))
		if view := ansi.Strip(m.View()); cmd != nil || sent != nil || !strings.Contains(view, "› "+why) {
			t.Errorf("%s: sent %v, and the screen is\n%s", k, sent, view)
		}
	}
}
