package pane_test

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
	"example.com/layover/tui/pane"
)

func look(profile termenv.Profile) *styles.Styles {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	return styles.New(r, styles.Dark(), styles.Unicode())
}

func TestFrame(t *testing.T) {
	cases := map[string]struct {
		frame pane.Frame
		w, h  int
		want  []string
	}{
		"plain":          {pane.Frame{Title: "Lanes"}, 14, 3, []string{"╭─ Lanes ────╮", "│one         │", "╰────────────╯"}},
		"with a note":    {pane.Frame{Title: "Lanes", Note: "2 open"}, 22, 3, []string{"╭─ Lanes ─── 2 open ─╮", "│one                 │", "╰────────────────────╯"}},
		"focused":        {pane.Frame{Title: "Lanes", Focused: true}, 14, 3, []string{"╭▌ Lanes ────╮", "│one         │", "╰────────────╯"}},
		"no note fits":   {pane.Frame{Title: "Lanes", Note: "2 open"}, 16, 3, []string{"╭─ Lanes ──────╮", "│one           │", "╰──────────────╯"}},
		"no title fits":  {pane.Frame{Title: "Lanes"}, 6, 3, []string{"╭Lan…╮", "│one │", "╰────╯"}},
		"more than fits": {pane.Frame{Title: "L"}, 8, 4, []string{"╭─ L ──╮", "│one   │", "│two w…│", "╰──────╯"}},
		"with a foot":    {pane.Frame{Title: "L", Foot: "/a/bc"}, 12, 3, []string{"╭─ L ──────╮", "│one       │", "╰─ /a/bc ──╯"}},
		"a long foot":    {pane.Frame{Title: "L", Foot: "/a/bcdefgh"}, 12, 3, []string{"╭─ L ──────╮", "│one       │", "╰─ …defgh ─╯"}},
		"no foot fits":   {pane.Frame{Title: "L", Foot: "/a/b"}, 6, 3, []string{"╭L   ╮", "│one │", "╰────╯"}},
		"no frame fits":  {pane.Frame{Title: "L"}, 8, 2, []string{"one     ", "two wor…"}},
		"nothing":        {pane.Frame{Title: "L"}, 0, 3, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.frame.Styles = look(termenv.Ascii)
			if diff := cmp.Diff(c.want, c.frame.Draw(c.w, c.h, []string{"one", "two words", "three"})); diff != "" {
				t.Errorf("the frame differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOverlay(t *testing.T) {
	cases := map[string]struct {
		screen, box []string
		w           int
		want        []string
	}{
		"in the middle":  {[]string{"aaaaaa", "bbbbbb", "cccccc"}, []string{"##"}, 6, []string{"aaaaaa", "bb##bb", "cccccc"}},
		"wider than all": {[]string{"abcd"}, []string{"######"}, 4, []string{"###…"}},
		"taller":         {[]string{"ab"}, []string{"##", "##"}, 2, []string{"##"}},
		"uneven":         {[]string{"abcdef"}, []string{"#"}, 6, []string{"ab#def"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, pane.Overlay(c.screen, c.box, c.w)); diff != "" {
				t.Errorf("the screen differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOverlayKeepsTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(1, 30).Draw(t, "w")
		line := rapid.StringMatching(`[a-z日本語]{0,30}`)
		marked := rapid.StringMatching("([a-z=日本語][\u0bca\u0301]{0,2}){0,30}")
		screen := pane.Block([]string{marked.Draw(t, "a"), marked.Draw(t, "b"), line.Draw(t, "c")}, w, 3)
		box := []string{line.Draw(t, "box"), line.Draw(t, "box")}
		for _, got := range pane.Overlay(screen, box, w) {
			if ansi.StringWidth(got) != w {
				t.Errorf("%q has %d cells, want %d", got, ansi.StringWidth(got), w)
			}
		}
	})
}

// TestListStaysInSight checks the cursor against all that may be done to a list.
func TestListStaysInSight(t *testing.T) {
	keys := pane.DefaultKeyMap()
	press := []tea.KeyMsg{
		{Type: tea.KeyUp},
		{Type: tea.KeyDown},
		{Type: tea.KeyPgUp},
		{Type: tea.KeyPgDown},
		{Type: tea.KeyHome},
		{Type: tea.KeyEnd},
		{Type: tea.KeyEnter},
	}
	rapid.Check(t, func(t *rapid.T) {
		var l pane.List
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			n, h := rapid.IntRange(-1, 40).Draw(t, "count"), rapid.IntRange(-1, 12).Draw(t, "height")
			l = keys.Moved(l.Count(n).Height(h), rapid.SampledFrom(press).Draw(t, "key"))
			from, to := l.Window()
			if from < 0 || to > max(0, n) || to-from > max(0, h) {
				t.Fatalf("%d to %d of %d rows in %d", from, to, n, h)
			}
			if n > 0 && h > 0 && (l.Cursor < from || l.Cursor >= to) {
				t.Fatalf("cursor %d is out of sight: %d to %d", l.Cursor, from, to)
			}
			if full := min(max(0, n), max(0, h)); to-from != full {
				t.Fatalf("%d rows are seen, %d could be", to-from, full)
			}
		}
	})
}

func TestMoves(t *testing.T) {
	keys, l := pane.DefaultKeyMap(), pane.List{}.Count(20).Height(5).To(9)
	cases := map[string]struct {
		key  tea.KeyMsg
		want int
	}{
		"up": {tea.KeyMsg{Type: tea.KeyUp}, 8}, "down": {tea.KeyMsg{Type: tea.KeyDown}, 10},
		"page up": {tea.KeyMsg{Type: tea.KeyPgUp}, 5}, "page down": {tea.KeyMsg{Type: tea.KeyPgDown}, 13},
		"top": {tea.KeyMsg{Type: tea.KeyHome}, 0}, "bottom": {tea.KeyMsg{Type: tea.KeyEnd}, 19},
		"j": {tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("j")}, 10}, "k": {tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("k")}, 8},
		"another": {tea.KeyMsg{Type: tea.KeyEnter}, 9},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := keys.Moved(l, c.key).Cursor; got != c.want {
				t.Errorf("cursor at %d, want %d", got, c.want)
			}
		})
	}
}

// TestRowHasItsBackgroundEverywhere looks for cells of a selected row that were
// drawn without a background.
func TestRowHasItsBackgroundEverywhere(t *testing.T) {
	s := look(termenv.TrueColor).On(true)
	row := pane.Row(s, 24, []int{1, 0, 8, 6}, []pane.Cell{
		pane.Mark(s, true, true), {Text: "hidden", Look: s.Row.Name}, {Text: "tests", Look: s.Row.Name}, {Text: "41:07", Look: s.Row.Clock, Right: true},
	})
	if got := ansi.Strip(row); got != "▌ tests     41:07       " {
		t.Errorf("the row is %q", got)
	}
	painted := false
	for rest := row; rest != ""; {
		seq, width, n, _ := ansi.DecodeSequence(rest, ansi.NormalState, nil)
		switch {
		case width > 0 && !painted:
			t.Fatalf("%q has no background in %q", seq, row)
		case strings.Contains(seq, "48;2;"):
			painted = true
		case seq == "\x1b[0m":
			painted = false
		}
		rest = rest[n:]
	}
}
