package styles_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"example.com/layover/styles"
)

func made(theme styles.Theme, glyphs styles.Glyphs, profile termenv.Profile) *styles.Styles {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	return styles.New(r, theme, glyphs)
}

// each calls f with every style in v and its path, such as "Row.Parked".
func each(v reflect.Value, path string, f func(path string, style lipgloss.Style)) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		name := strings.TrimPrefix(path+"."+field.Name, ".")
		switch value := v.Field(i).Interface().(type) {
		case lipgloss.Style:
			f(name, value)
		case styles.Theme, styles.Glyphs:
		default:
			each(v.Field(i), name, f)
		}
	}
}

// swatch shows every style of s by its name, and its glyphs.
func swatch(s *styles.Styles) []byte {
	var b bytes.Buffer
	each(reflect.ValueOf(*s), "", func(path string, style lipgloss.Style) {
		fmt.Fprintf(&b, "%s\n", style.Render(path))
	})
	fmt.Fprintf(&b, "\n%+v\n", s.Glyph)
	return b.Bytes()
}

func TestSwatch(t *testing.T) {
	for _, theme := range styles.Themes() {
		t.Run(theme.Name, func(t *testing.T) {
			golden.RequireEqual(t, swatch(made(theme, styles.Unicode(), termenv.TrueColor)))
		})
		t.Run(theme.Name+"-selected", func(t *testing.T) {
			golden.RequireEqual(t, swatch(made(theme, styles.Unicode(), termenv.TrueColor).On(true)))
		})
	}
	t.Run("ascii", func(t *testing.T) {
		golden.RequireEqual(t, swatch(made(styles.Dark(), styles.ASCII(), termenv.Ascii)))
	})
}

func TestEveryStyleHasColour(t *testing.T) {
	for _, theme := range styles.Themes() {
		for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256} {
			s := made(theme, styles.Unicode(), profile)
			for _, s := range []*styles.Styles{s, s.On(true)} {
				each(reflect.ValueOf(*s), "", func(path string, style lipgloss.Style) {
					if got := style.Render("x"); got == ansi.Strip(got) {
						t.Errorf("%s: %s has no colour", theme.Name, path)
					}
				})
			}
		}
	}
}

// TestEveryPartOfASelectedRowHasItsBackground covers the spaces as well.
func TestEveryPartOfASelectedRowHasItsBackground(t *testing.T) {
	s := made(styles.Dark(), styles.Unicode(), termenv.TrueColor).On(true)
	for _, group := range []any{s.Text, s.Row, s.Family, s.Event} {
		each(reflect.ValueOf(group), "", func(path string, style lipgloss.Style) {
			if style.GetBackground() != styles.Dark().SelectionBg {
				t.Errorf("%T: %s has another background", group, path)
			}
		})
	}
	if got := s.Gap.Render(" "); !strings.Contains(got, "48;2;") {
		t.Errorf("a gap is rendered as %q, without background", got)
	}
	if s.On(true) != s {
		t.Error("selecting twice changes the styles")
	}
}

func TestNoColor(t *testing.T) {
	for name, r := range map[string]*lipgloss.Renderer{
		"no terminal": lipgloss.NewRenderer(io.Discard),
		"NO_COLOR":    lipgloss.NewRenderer(io.Discard, termenv.WithTTY(true), termenv.WithEnvironment(environment{"NO_COLOR": "1", "TERM": "xterm-256color"})),
	} {
		s := styles.New(r, styles.Dark(), styles.Unicode())
		each(reflect.ValueOf(*s), "", func(path string, style lipgloss.Style) {
			if got := style.Render("x"); strings.Contains(got, "\x1b") {
				t.Errorf("%s: %s writes %q", name, path, got)
			}
		})
	}
}

// TestColorFollowsTheEnvironment shows that TestNoColor finds no colour because of
// NO_COLOR, and that none is lost otherwise.
func TestColorFollowsTheEnvironment(t *testing.T) {
	r := lipgloss.NewRenderer(io.Discard, termenv.WithTTY(true), termenv.WithEnvironment(environment{"TERM": "xterm-256color"}))
	if got := styles.New(r, styles.Dark(), styles.Unicode()).Text.Bad.Render("x"); !strings.Contains(got, "38;5;210") {
		t.Errorf("a terminal of 256 colours is sent %q", got)
	}
}

// environment is what a process was given.
type environment map[string]string

func (e environment) Environ() []string { return nil }

func (e environment) Getenv(name string) string { return e[name] }

func TestFramesFollowTheGlyphs(t *testing.T) {
	plain := made(styles.Dark(), styles.ASCII(), termenv.Ascii)
	for name, style := range map[string]lipgloss.Style{"pane": plain.Pane.Border, "focused": plain.Pane.BorderFocused, "dialog": plain.Dialog.Box} {
		if got := style.Render("x"); strings.ContainsFunc(got, func(r rune) bool { return r > '~' }) {
			t.Errorf("the frame of %s is not ASCII:\n%s", name, got)
		}
	}
}
