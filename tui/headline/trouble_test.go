package headline

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTrouble(t *testing.T) {
	const full = "cannot write /var/state/runs/20261130_120000_0a1b2c3d/events.jsonl: no space left on device"
	cases := map[string]struct {
		message string
		over    bool
		width   int
		want    string
	}{
		"all":                {"disk full", false, 80, "cannot save: disk full · nothing new is started; agents go on"},
		"briefer":            {"disk full", false, 50, "cannot save: disk full · nothing new starts"},
		"reason alone":       {"disk full", false, 30, "cannot save: disk full"},
		"end of the reason":  {full, false, 80, "cannot save: …nl: no space left on device · nothing new is started; agents go on"},
		"short and its end":  {full, false, 60, "cannot save: …: no space left on device · nothing new starts"},
		"only the end":       {full, false, 38, "cannot save: … no space left on device"},
		"little of the end":  {full, false, 24, "cannot save: … on device"},
		"no room for why":    {full, false, 18, "cannot save"},
		"no room":            {full, false, 6, "canno…"},
		"nothing":            {full, false, 0, ""},
		"after the run":      {"disk full", true, 80, "cannot save: disk full"},
		"harmless":           {"a\x1b[2J\nb\u202e", false, 30, "cannot save: a↵b�"},
		"nothing to be read": {"\x1b[2J", false, 80, "cannot save · nothing new is started; agents go on"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Trouble("cannot save:", c.message, !c.over, c.width, "·"); got != c.want {
				t.Errorf("\ngot  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestTroubleLines(t *testing.T) {
	cases := map[string]struct {
		w, h int
		want []string
	}{
		"one":     {19, 1, []string{"cannot save"}},
		"some":    {19, 3, []string{"cannot save: no", "space left on", "device"}},
		"all":     {19, 6, []string{"cannot save: no", "space left on", "device · nothing", "new is started;", "agents go on"}},
		"nothing": {0, 6, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := TroubleLines("cannot save:", "no space left on device", true, c.w, c.h, "·")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTroubleFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		message := rapid.String().Draw(t, "message")
		going := rapid.Bool().Draw(t, "going")
		w, h := rapid.IntRange(-1, 120).Draw(t, "w"), rapid.IntRange(-1, 8).Draw(t, "h")
		if got := Trouble("cannot save:", message, going, w, "·"); ansi.StringWidth(got) > max(0, w) || (w > 10 && !strings.HasPrefix(got, "cannot save")) {
			t.Errorf("%q in %d cells", got, w)
		}
		lines := TroubleLines("cannot save:", message, going, w, h, "·")
		if len(lines) > max(0, h) {
			t.Errorf("%d lines of %d", len(lines), h)
		}
		for _, line := range lines {
			if ansi.StringWidth(line) > w {
				t.Errorf("%q in %d cells", line, w)
			}
		}
	})
}
