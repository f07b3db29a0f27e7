package styles

import (
	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/lipgloss"
)

// build makes all styles upon a base, which has a background or none.
func build(base lipgloss.Style, theme Theme, glyphs Glyphs) *Styles {
	text := Text{
		Plain:  base.Foreground(theme.Fg),
		Strong: base.Foreground(theme.Strong).Bold(true),
		Muted:  base.Foreground(theme.Muted),
		Ok:     base.Foreground(theme.Ok),
		Warn:   base.Foreground(theme.Warn),
		Bad:    base.Foreground(theme.Bad),
		Accent: base.Foreground(theme.Accent),
		Faint:  base.Foreground(theme.Faint),
	}
	return &Styles{
		Theme: theme,
		Glyph: glyphs,
		Text:  text,
		Header: Header{
			Title:        text.Muted,
			Sentence:     text.Strong,
			SentenceWarn: text.Warn.Bold(true),
			SentenceBad:  text.Bad.Bold(true),
			Detail:       text.Muted,
			Clock:        text.Plain,
		},
		Row: Row{
			Queued:  text.Muted,
			Working: text.Ok,
			Inline:  text.Muted,
			Parked:  text.Warn,
			Done:    text.Muted,
			Failed:  text.Bad.Bold(true),
			Stopped: text.Muted,
			Blocked: text.Warn,
			Name:    text.Plain,
			Target:  text.Muted,
			Detail:  text.Muted,
			Clock:   text.Plain,
		},
		Family: Family{
			Free:      text.Muted,
			Suspected: text.Warn,
			Tripped:   text.Warn.Bold(true),
			Blocked:   text.Bad.Bold(true),
			Probing:   text.Accent,
			Name:      text.Plain,
			Detail:    text.Muted,
			Clock:     text.Plain,
		},
		Event: Event{
			Time: text.Muted,
			Name: text.Muted,
			Warn: text.Warn,
			Bad:  text.Bad,
			Text: text.Plain,
		},
		Bar:      bar(base, theme, theme.Accent),
		BarWarn:  bar(base, theme, theme.Warn),
		BarBad:   bar(base, theme, theme.Bad),
		Key:      Key{Key: text.Accent, Desc: text.Muted, Separator: text.Faint},
		Pane:     pane(base, text, theme, glyphs),
		Dialog:   dialog(base, text, theme, glyphs),
		Notice:   Notice{Info: text.Accent, Warn: text.Warn, Bad: text.Bad.Bold(true)},
		Selected: text.Accent.Bold(true),
		Gap:      base.Foreground(theme.Fg),
		Help: help.Styles{
			Ellipsis:       text.Faint,
			ShortKey:       text.Accent,
			ShortDesc:      text.Muted,
			ShortSeparator: text.Faint,
			FullKey:        text.Accent,
			FullDesc:       text.Muted,
			FullSeparator:  text.Faint,
		},
	}
}

// bar makes a bar of one colour. The track is painted in front and behind alike: its
// glyph shows only where there is no colour.
func bar(base lipgloss.Style, theme Theme, full Color) Bar {
	return Bar{
		Full:  base.Foreground(full),
		Part:  base.Foreground(full).Background(theme.Track),
		Empty: base.Foreground(theme.Track).Background(theme.Track),
	}
}

func pane(base lipgloss.Style, text Text, theme Theme, glyphs Glyphs) Pane {
	return Pane{
		Border:        base.Border(frame(glyphs)).BorderForeground(theme.Border),
		BorderFocused: base.Border(frame(glyphs)).BorderForeground(theme.Accent),
		Title:         text.Muted,
		TitleFocused:  text.Accent.Bold(true),
		Rule:          base.Foreground(theme.Border),
		Empty:         text.Muted,
	}
}

func dialog(base lipgloss.Style, text Text, theme Theme, glyphs Glyphs) Dialog {
	return Dialog{
		Box:           base.Border(frame(glyphs)).BorderForeground(theme.Accent).Padding(1, 2),
		Title:         text.Strong,
		Text:          text.Plain,
		Choice:        text.Muted,
		ChoiceFocused: text.Accent.Bold(true).Background(theme.SelectionBg),
	}
}

func frame(glyphs Glyphs) lipgloss.Border {
	if glyphs.Boxes {
		return lipgloss.RoundedBorder()
	}
	return lipgloss.ASCIIBorder()
}
