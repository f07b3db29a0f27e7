//go:build unix

package show

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/layover/tui"
)

type left struct{ tea.Model }

func (left) Outcome() tui.Outcome { return tui.OutcomeLeft }

func TestOutcomeOfAnyModel(t *testing.T) {
	for name, c := range map[string]struct {
		final tea.Model
		want  tui.Outcome
	}{
		"one that tells": {guarded{Model: left{}}, tui.OutcomeLeft}, "one that does not": {guarded{Model: failing{}}, 0},
		"a run's": {guarded{Model: tui.Model{}}, 0}, "none": {nil, 0},
	} {
		if got := outcomeOf(c.final); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
