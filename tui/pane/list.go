package pane

// List is the cursor of a list of which a window is seen. The zero value is an
// empty list.
type List struct {
	// Cursor is the row that is selected, Offset the first that is seen.
	Cursor, Offset int
	count, height  int
}

// Count sets how many rows there are.
func (l List) Count(n int) List {
	l.count = max(0, n)
	return l.settle()
}

// Height sets how many rows are seen.
func (l List) Height(h int) List {
	l.height = max(0, h)
	return l.settle()
}

// To selects a row, or the nearest there is.
func (l List) To(row int) List {
	l.Cursor = row
	return l.settle()
}

// Page is how far a page key moves.
func (l List) Page() int { return max(1, l.height-1) }

// Last is the last row; zero if there is none.
func (l List) Last() int { return max(0, l.count-1) }

// Window is the rows seen: from the first up to, without, the second.
func (l List) Window() (from, to int) { return l.Offset, min(l.Offset+l.height, l.count) }

// settle keeps the cursor on a row and in sight, and no blank rows at the end.
func (l List) settle() List {
	l.Cursor = max(0, min(l.Cursor, l.count-1))
	l.Offset = min(l.Offset, l.Cursor, max(0, l.count-l.height))
	if l.height > 0 {
		l.Offset = max(l.Offset, l.Cursor-l.height+1)
	}
	l.Offset = max(0, l.Offset)
	return l
}
