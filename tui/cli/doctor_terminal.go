package cli

import "fmt"

// The smallest screen on which everything has its place, in cells.
const (
	roomyWidth  = 80
	roomyHeight = 24
)

// examineTerminal looks at what the screen can be shown on.
func examineTerminal(p Ports, t Terminal) []finding {
	const about = "terminal"
	name := p.Getenv("TERM")
	switch {
	case !t.Is:
		return []finding{{gradeOK, about, "none here: plain lines are printed", ""}}
	case name == "" || name == "dumb":
		return []finding{{gradeWarn, about, fmt.Sprintf("TERM is %q: plain lines are printed", name), "set TERM to what the terminal is, such as xterm-256color"}}
	}
	said := fmt.Sprintf("%s, %s", name, colours(t.Colours))
	all := []finding{{gradeOK, about, said, ""}}
	switch {
	case t.Width == 0 || t.Height == 0:
		all = append(all, finding{gradeWarn, "size", "the terminal does not tell its size", "stty cols 80 rows 24"})
	case t.Width < roomyWidth || t.Height < roomyHeight:
		all = append(all, finding{gradeWarn, "size", fmt.Sprintf("%d x %d cells: some of the screen has no place", t.Width, t.Height), fmt.Sprintf("make it %d x %d or larger", roomyWidth, roomyHeight)})
	default:
		all = append(all, finding{gradeOK, "size", fmt.Sprintf("%d x %d cells", t.Width, t.Height), ""})
	}
	if t.Boxes {
		all = append(all, finding{gradeOK, "locale", "UTF-8" + unset(p.Getenv), ""})
	} else {
		all = append(all, finding{gradeWarn, "locale", "not UTF-8, or a font without its marks: the screen is drawn in ASCII", "export LC_ALL=C.UTF-8, if the terminal shows it"})
	}
	if t.Answers {
		return append(all, finding{gradeOK, "background", "the terminal tells its colour", ""})
	}
	return append(all, finding{gradeWarn, "background", "the terminal does not tell its colour: it is taken for dark", "nothing if it is dark; else see if a multiplexer keeps the question back"})
}

func colours(n int) string {
	switch {
	case n <= 0:
		return "no colours"
	case n >= 1<<24:
		return "16 million colours"
	}
	return fmt.Sprintf("%d colours", n)
}

// unset says so if no locale is set.
func unset(getenv func(string) string) string {
	if getenv("LC_ALL")+getenv("LC_CTYPE")+getenv("LANG") == "" {
		return " is taken, as none is set"
	}
	return ""
}
