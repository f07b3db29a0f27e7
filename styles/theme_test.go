package styles_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/muesli/termenv"

	"example.com/layover/styles"
)

// contrast is the ratio by which two colours stand out from each other, as WCAG
// defines it.
func contrast(t *testing.T, profile termenv.Profile, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, profile, a), luminance(t, profile, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, profile termenv.Profile, color string) float64 {
	t.Helper()
	parsed := profile.Color(color)
	if parsed == nil {
		t.Fatalf("%q is no colour", color)
	}
	rgb := termenv.ConvertToRGB(parsed)
	linear := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(rgb.R) + 0.7152*linear(rgb.G) + 0.0722*linear(rgb.B)
}

// textTokens are the tokens in which words are written.
func textTokens(theme styles.Theme) map[string]styles.Color {
	return map[string]styles.Color{
		"fg": theme.Fg, "strong": theme.Strong, "muted": theme.Muted, "ok": theme.Ok,
		"warn": theme.Warn, "bad": theme.Bad, "accent": theme.Accent,
	}
}

func TestTextStandsOut(t *testing.T) {
	const least = 4.5
	for _, theme := range styles.Themes() {
		for name, token := range textTokens(theme) {
			for on, bg := range map[string]styles.Color{"background": theme.Bg, "selection": theme.SelectionBg} {
				if got := contrast(t, termenv.TrueColor, token.TrueColor, bg.TrueColor); got < least {
					t.Errorf("%s: %s on the %s has a contrast of %.2f, want at least %.1f", theme.Name, name, on, got, least)
				}
				if got := contrast(t, termenv.ANSI256, token.ANSI256, bg.ANSI256); got < least {
					t.Errorf("%s: %s on the %s has a contrast of %.2f in 256 colours, want at least %.1f", theme.Name, name, on, got, least)
				}
			}
		}
	}
}

// TestTextStandsOutOnOtherBackgrounds takes backgrounds that are common and less
// extreme than the theme's own.
func TestTextStandsOutOnOtherBackgrounds(t *testing.T) {
	const least = 4.5
	others := map[bool][]string{true: {"#000000", "#282c34", "#002b36"}, false: {"#ffffff", "#fdf6e3"}}
	for _, theme := range styles.Themes() {
		for name, token := range textTokens(theme) {
			for _, bg := range others[theme.Dark] {
				if got := contrast(t, termenv.TrueColor, token.TrueColor, bg); got < least {
					t.Errorf("%s: %s on %s has a contrast of %.2f, want at least %.1f", theme.Name, name, bg, got, least)
				}
			}
		}
	}
}

// TestBrightness checks the order in which the eye meets the text.
func TestBrightness(t *testing.T) {
	for _, theme := range styles.Themes() {
		of := func(c styles.Color) float64 { return contrast(t, termenv.TrueColor, c.TrueColor, theme.Bg.TrueColor) }
		if of(theme.Strong) <= of(theme.Fg) || of(theme.Fg) <= of(theme.Muted) || of(theme.Muted) <= of(theme.Faint) {
			t.Errorf("%s: strong, fg, muted and faint are not in order of contrast", theme.Name)
		}
	}
}

func TestEveryTokenIsSet(t *testing.T) {
	for _, theme := range styles.Themes() {
		v := reflect.ValueOf(theme)
		for i := range v.NumField() {
			if color, ok := v.Field(i).Interface().(styles.Color); ok && (color.TrueColor == "" || color.ANSI256 == "") {
				t.Errorf("%s: %s lacks a colour", theme.Name, v.Type().Field(i).Name)
			}
		}
	}
}

func TestThemesAreFound(t *testing.T) {
	for _, theme := range styles.Themes() {
		got, ok := styles.ThemeNamed(theme.Name)
		if !ok || got != theme {
			t.Errorf("ThemeNamed(%q) = %v, %v", theme.Name, got, ok)
		}
	}
	if _, ok := styles.ThemeNamed("no such theme"); ok {
		t.Error("a theme that does not exist was found")
	}
	for _, dark := range []bool{true, false} {
		if got := styles.ThemeFor(dark); got.Dark != dark {
			t.Errorf("ThemeFor(%v) = %s", dark, got.Name)
		}
	}
}
