package styles

import "github.com/charmbracelet/lipgloss"

// Color is one colour for each sort of terminal: TrueColor, ANSI256 and the sixteen
// ANSI ones, whose look the operator chose. An empty one is the terminal's default.
type Color = lipgloss.CompleteColor

// Theme is a set of colour tokens. A new theme is a new value, no code.
type Theme struct {
	// Name is the word for it in the configuration.
	Name string
	// Dark tells for which sort of background it was made.
	Dark bool
	// Bg is the background it was made for. It is never painted; terminals may
	// differ from it a little.
	Bg Color
	// Fg is for text, Strong for the one line that must be met first, Muted for
	// text that can wait. All text tokens stand out from Bg and SelectionBg.
	Fg, Strong, Muted Color
	// Ok is for what goes well, Warn for what waits or is limited, Bad for what
	// went wrong, Accent for what the operator may act on.
	Ok, Warn, Bad, Accent Color
	// Faint is for lines and marks that carry no meaning, Border for frames, Track
	// for the empty part of a bar. None of them is for text.
	Faint, Border, Track Color
	// SelectionBg is painted behind the row that is selected.
	SelectionBg Color
}

// Dark is the theme for dark backgrounds, and the default.
func Dark() Theme {
	return Theme{
		Name: "dark", Dark: true,
		Bg:          Color{TrueColor: "#1b1d23", ANSI256: "234", ANSI: "0"},
		Fg:          Color{TrueColor: "#cdd1d9", ANSI256: "252", ANSI: ""},
		Strong:      Color{TrueColor: "#f3f5f8", ANSI256: "255", ANSI: "15"},
		Muted:       Color{TrueColor: "#949ba8", ANSI256: "247", ANSI: "7"},
		Ok:          Color{TrueColor: "#86b38b", ANSI256: "108", ANSI: "2"},
		Warn:        Color{TrueColor: "#e3bd73", ANSI256: "179", ANSI: "3"},
		Bad:         Color{TrueColor: "#f2858c", ANSI256: "210", ANSI: "9"},
		Accent:      Color{TrueColor: "#85b7dc", ANSI256: "110", ANSI: "6"},
		Faint:       Color{TrueColor: "#545b67", ANSI256: "240", ANSI: "8"},
		Border:      Color{TrueColor: "#3d434e", ANSI256: "238", ANSI: "8"},
		Track:       Color{TrueColor: "#31363f", ANSI256: "237", ANSI: "8"},
		SelectionBg: Color{TrueColor: "#2b303a", ANSI256: "236", ANSI: ""},
	}
}

// Light is the theme for light backgrounds.
func Light() Theme {
	return Theme{
		Name:        "light",
		Bg:          Color{TrueColor: "#f8f6f1", ANSI256: "255", ANSI: "15"},
		Fg:          Color{TrueColor: "#30343b", ANSI256: "237", ANSI: ""},
		Strong:      Color{TrueColor: "#0e1014", ANSI256: "232", ANSI: "0"},
		Muted:       Color{TrueColor: "#5c626c", ANSI256: "241", ANSI: ""},
		Ok:          Color{TrueColor: "#2f6b3a", ANSI256: "22", ANSI: "2"},
		Warn:        Color{TrueColor: "#865200", ANSI256: "94", ANSI: "5"},
		Bad:         Color{TrueColor: "#ae2430", ANSI256: "124", ANSI: "1"},
		Accent:      Color{TrueColor: "#1d5f8f", ANSI256: "24", ANSI: "4"},
		Faint:       Color{TrueColor: "#a3a199", ANSI256: "247", ANSI: "7"},
		Border:      Color{TrueColor: "#cac7be", ANSI256: "250", ANSI: "7"},
		Track:       Color{TrueColor: "#dfdcd3", ANSI256: "252", ANSI: "7"},
		SelectionBg: Color{TrueColor: "#e9e5da", ANSI256: "254", ANSI: ""},
	}
}

// Themes lists every theme once, the default first.
func Themes() []Theme { return []Theme{Dark(), Light()} }

// ThemeNamed returns the theme of that name, and whether there is one.
func ThemeNamed(name string) (Theme, bool) {
	for _, t := range Themes() {
		if t.Name == name {
			return t, true
		}
	}
	return Theme{}, false
}

// ThemeFor returns the first theme made for a dark or a light background.
func ThemeFor(dark bool) Theme {
	for _, t := range Themes() {
		if t.Dark == dark {
			return t
		}
	}
	return Dark()
}
