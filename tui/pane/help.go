package pane

import (
	"strings"

	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"

	"example.com/layover/styles"
	"example.com/layover/tui/text"
)

func helper(s *styles.Styles) help.Model {
	h := help.New()
	h.Styles = s.Help
	h.Ellipsis = s.Glyph.More
	h.ShortSeparator = " " + s.Glyph.Dot + " "
	return h
}

// Footer is the last lines of a screen: a notice if there is one, which is plain, or else
// the keys that are enabled.
func Footer(s *styles.Styles, notice string, keys []key.Binding, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	if notice != "" {
		return Block([]string{" " + s.Notice.Info.Render(s.Glyph.Info+" "+notice)}, w, h)
	}
	m := helper(s)
	m.Width = w - 1
	return Block([]string{" " + m.ShortHelpView(keys)}, w, h)
}

// Help is all keys that are enabled, in columns and a frame for a screen of w columns and
// h rows, or one a line without frame where there is no room.
func Help(s *styles.Styles, columns [][]key.Binding, w, h int) []string {
	lines := append([]string{s.Dialog.Title.Render("Keys"), ""}, strings.Split(helper(s).FullHelpView(columns), "\n")...)
	lines = append(lines, "", s.Dialog.Choice.Render("any key closes"))
	drawn := strings.Split(s.Dialog.Box.Render(strings.Join(lines, "\n")), "\n")
	widest := 0
	for _, line := range drawn {
		widest = max(widest, ansi.StringWidth(line))
	}
	if len(drawn) <= h && widest <= w {
		return drawn
	}
	// One key a line, cut to what there is.
	var bare []string
	for _, column := range columns {
		for _, k := range column {
			if k.Enabled() {
				bare = append(bare, s.Key.Key.Render(text.Fit(k.Help().Key, 10))+s.Key.Desc.Render(k.Help().Desc))
			}
		}
	}
	return Block(bare, w, min(len(bare), h))
}
