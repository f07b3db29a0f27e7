package question_test

import (
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"example.com/layover/styles"
	"example.com/layover/tui/question"
)

func ask() question.Model {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	return question.New(styles.New(r, styles.Dark(), styles.ASCII()), "Go?", []string{"It is late."}, []question.Choice{
		{ID: "yes", Key: "y", Label: "go", Hint: "now"}, {ID: "later", Key: "l", Label: "go later"}, {Key: "esc", Label: "cancel"},
	})
}

func TestAnswers(t *testing.T) {
	letter := func(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }
	key := func(k tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: k} }
	cases := map[string]struct {
		keys []tea.KeyMsg
		id   string
		done bool
	}{
		"by letter":           {[]tea.KeyMsg{letter('l')}, "later", true},
		"the first by enter":  {[]tea.KeyMsg{key(tea.KeyEnter)}, "yes", true},
		"the second by enter": {[]tea.KeyMsg{key(tea.KeyDown), key(tea.KeyEnter)}, "later", true},
		"down goes round":     {[]tea.KeyMsg{key(tea.KeyTab), key(tea.KeyDown), letter('j'), key(tea.KeyEnter)}, "yes", true},
		"up goes round":       {[]tea.KeyMsg{key(tea.KeyUp), letter('k'), key(tea.KeyEnter)}, "later", true},
		"cancel by choice":    {[]tea.KeyMsg{key(tea.KeyUp), key(tea.KeyEnter)}, "", true},
		"esc":                 {[]tea.KeyMsg{key(tea.KeyEsc)}, "", true},
		"q":                   {[]tea.KeyMsg{letter('q')}, "", true},
		"another letter":      {[]tea.KeyMsg{letter('x')}, "", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m, id, done := ask(), "", false
			for _, k := range c.keys {
				m, id, done = m.Update(k)
			}
			if id != c.id || done != c.done || m.Open() == c.done {
				t.Errorf("%q, done %v, open %v; want %q, done %v", id, done, m.Open(), c.id, c.done)
			}
		})
	}
}

func TestView(t *testing.T) {
	cases := map[string]struct {
		w, h int
		want []string
	}{
		"roomy": {40, 12, []string{
			"+------------------------+",
			"|                        |",
			"|  Go?                   |",
			"|  It is late.           |",
			"|                        |",
			"|  > y    go        now  |",
			"|    l    go later       |",
			"|    esc  cancel         |",
			"|                        |",
			"+------------------------+",
		}},
		"low":      {40, 5, []string{"Go?", "It is late.", "> y go", "  l go later", "  esc cancel"}},
		"lower":    {40, 4, []string{"Go?", "> y go", "  l go later", "  esc cancel"}},
		"lowest":   {40, 2, []string{"> y go", "  l go later"}},
		"narrow":   {8, 9, []string{"Go?", "It is l…", "> y go", "  l go …", "  esc c…"}},
		"no width": {0, 9, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := ask().View(c.w, c.h)
			for i, line := range got {
				got[i] = strings.TrimRight(line, " ")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("the question differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNobodyAsked(t *testing.T) {
	var m question.Model
	next, id, done := m.Update(tea.KeyMsg{Type: tea.KeyEnter})
	if next.Open() || id != "" || done || m.View(80, 24) != nil {
		t.Error("a question that nobody asked was answered")
	}
}

func TestViewFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(-1, 60).Draw(t, "w"), rapid.IntRange(-1, 15).Draw(t, "h")
		lines := ask().View(w, h)
		if len(lines) > max(0, h) {
			t.Errorf("%d lines of %d", len(lines), h)
		}
		for _, line := range lines {
			if got := ansi.StringWidth(line); got > max(0, w) {
				t.Errorf("%d cells of %d: %q", got, w, line)
			}
		}
	})
}
