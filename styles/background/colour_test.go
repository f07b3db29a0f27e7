package background_test

import (
	"testing"

	"example.com/layover/styles/background"
)

func TestParse(t *testing.T) {
	cases := map[string]struct {
		body     string
		dark, ok bool
	}{
		"four digits":    {"rgb:1c1c/1c1c/1c1c", true, true},
		"two digits":     {"rgb:ff/ff/ff", false, true},
		"one digit":      {"rgb:f/f/e", false, true},
		"with alpha":     {"rgba:0000/0000/0000/ffff", true, true},
		"hash":           {"#fdf6e3", false, true},
		"solarized dark": {"rgb:0000/2b2b/3636", true, true},
		"pure blue":      {"rgb:0000/0000/ffff", true, true},
		"pure green":     {"rgb:0000/ffff/0000", false, true},
		"empty":          {"", true, false},
		"question":       {"?", true, false},
		"two parts":      {"rgb:00/00", true, false},
		"five digits":    {"rgb:00000/00/00", true, false},
		"no digits":      {"rgb:zz/00/00", true, false},
		"short hash":     {"#fff", true, false},
		"signs":          {"rgb:+f/0/0", true, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dark, ok, _ := background.ParseDark([]byte(c.body))
			if ok != c.ok || dark != c.dark {
				t.Errorf("%q is dark %v, ok %v; want dark %v, ok %v", c.body, dark, ok, c.dark, c.ok)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("rgb:1c1c/1c1c/1c1c"))
	f.Add([]byte("#fdf6e3"))
	f.Fuzz(func(t *testing.T, body []byte) {
		_, ok, parts := background.ParseDark(body)
		for _, v := range parts {
			if ok && (v < 0 || v > 1) {
				t.Errorf("%q gives %v, which is out of range", body, parts)
			}
		}
	})
}
