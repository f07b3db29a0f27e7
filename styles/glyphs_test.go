package styles_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/styles"
)

// glyphGroup calls f with each group of glyphs: the fields of one struct, or one list.
func glyphGroup(v reflect.Value, name string, f func(name string, glyphs []string)) {
	var own []string
	for i := range v.NumField() {
		switch field := v.Field(i); field.Kind() {
		case reflect.String:
			own = append(own, field.String())
		case reflect.Struct:
			glyphGroup(field, name+"."+v.Type().Field(i).Name, f)
		case reflect.Slice:
			f(name+"."+v.Type().Field(i).Name, field.Interface().([]string))
		}
	}
	f(name, own)
}

func TestGlyphs(t *testing.T) {
	for set, glyphs := range map[string]styles.Glyphs{"unicode": styles.Unicode(), "ascii": styles.ASCII()} {
		glyphGroup(reflect.ValueOf(glyphs), set, func(name string, glyphs []string) {
			for _, g := range glyphs {
				if ansi.StringWidth(g) != 1 || len([]rune(g)) != 1 {
					t.Errorf("%s: %q is not one character of one cell", name, g)
				}
				if strings.ContainsRune(g, '\uFE0F') {
					t.Errorf("%s: %q asks for an emoji", name, g)
				}
				if set == "ascii" && g[0] >= 0x7F {
					t.Errorf("%s: %q is not ASCII", name, g)
				}
			}
		})
	}
}

func TestStatesHaveGlyphsOfTheirOwn(t *testing.T) {
	for set, glyphs := range map[string]styles.Glyphs{"unicode": styles.Unicode(), "ascii": styles.ASCII()} {
		for _, group := range []any{glyphs.Lane, glyphs.Family, glyphs.Run} {
			glyphGroup(reflect.ValueOf(group), set, func(name string, glyphs []string) {
				seen := map[string]bool{}
				for _, g := range glyphs {
					if seen[g] {
						t.Errorf("%s: %q stands for two states of %T", name, g, group)
					}
					seen[g] = true
				}
			})
		}
	}
}

func TestGlyphsFor(t *testing.T) {
	cases := map[string]struct {
		env   map[string]string
		boxes bool
	}{
		"nothing said":       {map[string]string{}, true},
		"utf-8":              {map[string]string{"LANG": "de_DE.UTF-8"}, true},
		"utf8":               {map[string]string{"LC_CTYPE": "C.utf8"}, true},
		"c":                  {map[string]string{"LANG": "C"}, false},
		"latin":              {map[string]string{"LANG": "de_DE.ISO-8859-1"}, false},
		"lc_all is stronger": {map[string]string{"LC_ALL": "C.UTF-8", "LANG": "C"}, true},
		"and takes away":     {map[string]string{"LC_ALL": "POSIX", "LANG": "C.UTF-8"}, false},
		"linux console":      {map[string]string{"LANG": "C.UTF-8", "TERM": "linux"}, false},
		"dumb":               {map[string]string{"TERM": "dumb"}, false},
		"ordinary terminal":  {map[string]string{"LANG": "C.UTF-8", "TERM": "xterm-256color"}, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := styles.GlyphsFor(func(key string) string { return c.env[key] })
			if got.Boxes != c.boxes {
				t.Errorf("boxes are %v, want %v", got.Boxes, c.boxes)
			}
		})
	}
}

func TestSpell(t *testing.T) {
	const drawn = "a… b↵c \uFFFD ↑/k ↓/j 日本"
	if got := styles.Unicode().Spell(drawn); got != drawn {
		t.Errorf("unicode is spelt %q", got)
	}
	got := styles.ASCII().Spell(drawn)
	if want := "a~ b/c ? ^/k v/j 日本"; got != want || ansi.StringWidth(got) != ansi.StringWidth(drawn) {
		t.Errorf("ascii is spelt %q, want %q", got, want)
	}
}
