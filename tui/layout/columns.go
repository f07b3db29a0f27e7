package layout

// Column is one column of a pane's rows. Widths are in cells.
type Column struct {
	// Min is the least width at which the column is of use, Want what it would like.
	// Want below Min counts as Min.
	Min, Want int
	// Rank is the order in which columns go when there is no room: the greatest
	// first, of equal ones the rightmost. It is also the order in which they get
	// what they want, the smallest first.
	Rank int
	// Grow lets the column take what is left over.
	Grow bool
}

// Columns gives the width of each column in rows of the given width, gap cells
// apart; zero for one that is not shown. The widths and the gaps between columns
// shown never exceed the width, and are exactly it if a shown column may grow. The
// last column to stay is cut rather than dropped.
func Columns(width, gap int, columns []Column) []int {
	widths := make([]int, len(columns))
	left, shown := width, 0
	for i, c := range columns {
		widths[i] = max(1, c.Min)
		left -= widths[i]
		shown++
	}
	left -= gap * (shown - 1)
	for ; left < 0 && shown > 1; shown-- {
		last := pick(columns, widths, func(a, b Column) bool { return a.Rank >= b.Rank })
		left += widths[last] + gap
		widths[last] = 0
	}
	if shown == 0 {
		return widths
	}
	if left < 0 {
		only := pick(columns, widths, func(_, _ Column) bool { return false })
		widths[only] = max(0, width)
		return widths
	}
	served := make([]int, len(columns))
	copy(served, widths)
	for range shown {
		next := pick(columns, served, func(a, b Column) bool { return a.Rank < b.Rank })
		served[next] = 0
		more := min(left, max(0, columns[next].Want-widths[next]))
		widths[next] += more
		left -= more
	}
	for i, c := range columns {
		if c.Grow && widths[i] > 0 {
			widths[i] += left
			break
		}
	}
	return widths
}

// pick returns the index of the column, among those with a width, that is before
// all the others.
func pick(columns []Column, widths []int, before func(a, b Column) bool) int {
	best := -1
	for i, c := range columns {
		if widths[i] > 0 && (best < 0 || before(c, columns[best])) {
			best = i
		}
	}
	return best
}
