package headline

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

const (
	// reasonMax bounds the reason of a trouble, in cells.
	reasonMax = 400
	// reasonMin is what is kept of a reason before the rest is told, and reasonLeast
	// is the least of it that is worth its room.
	reasonMin, reasonLeast = 24, 8
)

// Trouble tells in at most width cells what is wrong, "cannot save:" as a rule, and
// while the run goes on what that means for it. Where there is not enough room the reason loses its
// beginning, since the cause stands at its end; then the meaning becomes brief and
// goes, the reason last. The dot stands between the parts.
func Trouble(what, message string, going bool, width int, dot string) string {
	said := what
	if width < 1 {
		return ""
	}
	rests := []string{""}
	if going {
		rests = []string{" " + dot + " nothing new is started; agents go on", " " + dot + " nothing new starts", ""}
	}
	reason := text.Line(run.Untrusted(message), reasonMax)
	if reason != "" {
		said += " "
	} else {
		said = strings.TrimRight(said, ":")
	}
	wants := ansi.StringWidth(reason)
	for _, least := range []int{wants, min(wants, reasonMin), min(wants, reasonLeast)} {
		for _, rest := range rests {
			room := width - ansi.StringWidth(said) - ansi.StringWidth(rest)
			if room >= least {
				return said + strings.TrimRight(text.FitEnd(reason, min(room, wants)), " ") + rest
			}
		}
	}
	return strings.TrimRight(text.Fit(strings.TrimRight(said, ": "), width), " ")
}

// TroubleLines is [Trouble] in at most height lines of width cells, for a screen that
// has room for nothing else.
func TroubleLines(what, message string, going bool, width, height int, dot string) []string {
	if width < 1 || height < 1 {
		return nil
	}
	for room := min(width*height, 2*reasonMax); ; room -= width {
		said := Trouble(what, message, going, max(room, width), dot)
		lines := strings.Split(ansi.Wrap(said, width, ""), "\n")
		if len(lines) > height && room > width {
			continue
		}
		lines = lines[:min(len(lines), height)]
		for i, line := range lines {
			lines[i] = strings.TrimRight(text.Fit(line, width), " ")
		}
		return lines
	}
}
