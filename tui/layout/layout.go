package layout

// The sizes at which the screen changes, in cells.
const (
	// WideFrom is the width from which there are two columns.
	WideFrom = 110
	// PaneMin is the least height of a pane, its frame or title included.
	PaneMin = 3
	// PanesFrom is the least width at which there is any pane.
	PanesFrom = 20

	headerRoomy = 15 // below, the header is one row
	familiesMin = 38 // width of the right column
	familiesMax = 56
)

// Wants is how many rows each part would like to have, frames included. A part that
// wants none is not shown; a pane that is shown has at least [PaneMin].
type Wants struct {
	// Header wants the sentence of state and what goes with it. It always has a row.
	Header int
	// Lanes and Families want a row for each lane and family, and their frame.
	Lanes, Families int
	// Events wants to be shown if it is positive; it takes the rows that are left.
	Events int
	// Footer wants the keys.
	Footer int
	// Wide is the width from which there are two columns; zero is [WideFrom].
	Wide int
}

func (w Wants) wide() int {
	if w.Wide > 0 {
		return w.Wide
	}
	return WideFrom
}

// Layout is the screen divided. The rectangles do not overlap and cover it exactly;
// parts that are not shown are empty. The zero value is a screen without cells.
type Layout struct {
	Header, Lanes, Families, Events, Footer Rect
	// Wide is set when there are two columns.
	Wide bool
}

// Compute divides a screen of w columns and h rows; a negative size counts as zero.
//
// On a wide screen lanes stand over events and families stand at their right;
// otherwise lanes, families and events are stacked. As rows shrink, the header first
// falls to one row, then panes go: events, families, the footer, lanes. The sentence
// of state is the last to stay, and from fewer than [PanesFrom] columns it is alone.
func Compute(w, h int, wants Wants) Layout {
	w, h = max(0, w), max(0, h)
	screen := Rect{W: w, H: h}
	wants = affordable(w, h, wants)
	var l Layout

	body := screen
	l.Header, body = body.top(headerRows(h, wants))
	body, l.Footer = body.top(body.H - wants.Footer)

	column, beside := wants, 0
	if w >= wants.wide() && wants.Families > 0 && wants.Lanes+wants.Events > 0 {
		l.Wide = true
		column.Families, beside = 0, min(max(familiesMin, w*2/5), familiesMax)
	}
	stack, right := body.left(w - beside)
	rows := share(stack.H, column)
	l.Lanes, stack = stack.top(rows.Lanes)
	l.Families, stack = stack.top(rows.Families)
	l.Events, stack = stack.top(rows.Events)
	if l.Wide {
		l.Families = right
	}
	if !stack.Empty() { // no pane takes it
		l.Header.H += stack.H
	}
	return l.clean()
}

// affordable leaves out, in their order, the parts for which there is no room.
func affordable(w, h int, wants Wants) Wants {
	if w < PanesFrom {
		return Wants{Header: h}
	}
	room := h - 1
	wants.Lanes = need(wants.Lanes, &room)
	wants.Footer = min(max(0, wants.Footer), max(0, room), 1+h/12)
	room -= wants.Footer
	if w >= wants.wide() && wants.Lanes > 0 {
		// Families stand beside the lanes and take no rows of their own.
		beside := room + PaneMin
		wants.Families = need(wants.Families, &beside)
	} else {
		wants.Families = need(wants.Families, &room)
	}
	wants.Events = need(wants.Events, &room)
	return wants
}

// need takes a pane's least height out of room if it is wanted and fits, and returns
// what it wants then: zero or at least PaneMin.
func need(want int, room *int) int {
	if want <= 0 || *room < PaneMin {
		return 0
	}
	*room -= PaneMin
	return max(want, PaneMin)
}

// headerRows is what the header gets: one row, and more only if that costs no pane.
func headerRows(h int, wants Wants) int {
	if h < headerRoomy && wants.Lanes+wants.Families+wants.Events > 0 {
		return min(1, h)
	}
	return min(max(1, wants.Header), max(1, h/5), h)
}

// share gives the panes of one column its rows: each its least, then families and
// lanes what they want, the lanes leaving the events a quarter; the rest goes to the
// events, or to whoever is there.
func share(rows int, wants Wants) Wants {
	least := func(want int) int { return min(want, PaneMin) }
	got := Wants{Lanes: least(wants.Lanes), Families: least(wants.Families), Events: least(wants.Events)}
	left := max(0, rows-got.Lanes-got.Families-got.Events)

	give := func(pane *int, want, most int) {
		more := min(max(0, want-*pane), max(0, most), left)
		*pane += more
		left -= more
	}
	reserve := 0
	if wants.Events > 0 {
		reserve = max(0, rows/4-got.Events)
	}
	if wants.Lanes > 0 {
		give(&got.Families, wants.Families, rows/3-got.Families)
		give(&got.Lanes, wants.Lanes, left-reserve)
	}
	give(&got.Families, wants.Families, left-reserve)
	switch {
	case wants.Events > 0:
		got.Events += left
	case wants.Lanes > 0:
		got.Lanes += left
	case wants.Families > 0:
		got.Families += left
	}
	return got
}

// clean makes every rectangle without cells the zero value.
func (l Layout) clean() Layout {
	for _, r := range []*Rect{&l.Header, &l.Lanes, &l.Families, &l.Events, &l.Footer} {
		if r.Empty() {
			*r = Rect{}
		}
	}
	return l
}
