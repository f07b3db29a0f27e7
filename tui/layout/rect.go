package layout

// Rect is a part of the screen, in cells; its upper left corner is X, Y. The zero
// value is nowhere and empty.
type Rect struct{ X, Y, W, H int }

// Empty reports whether the rectangle has no cell; then nothing is to be drawn.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Inner is what a frame leaves that takes the given numbers of columns and rows in
// all, half of them on each side, as lipgloss styles give them. It is never negative.
func (r Rect) Inner(frameW, frameH int) Rect {
	return Rect{
		X: r.X + frameW/2, Y: r.Y + frameH/2,
		W: max(0, r.W-frameW), H: max(0, r.H-frameH),
	}
}

// top cuts h rows off the top, fewer if there are not so many.
func (r Rect) top(h int) (cut, rest Rect) {
	h = min(max(0, h), r.H)
	return Rect{r.X, r.Y, r.W, h}, Rect{r.X, r.Y + h, r.W, r.H - h}
}

// left cuts w columns off the left, fewer if there are not so many.
func (r Rect) left(w int) (cut, rest Rect) {
	w = min(max(0, w), r.W)
	return Rect{r.X, r.Y, w, r.H}, Rect{r.X + w, r.Y, r.W - w, r.H}
}
