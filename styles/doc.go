// Package styles says how things look: a theme of colour tokens, the styles made of
// it by the role that they play, and the glyphs that stand for a state.
//
// It owns every colour and every lipgloss style; others ask for s.Row.Parked, not
// for yellow. Looks are calm: what is healthy is muted, the sentence of state is the
// brightest line, and only what needs the operator has a warm colour. A state is
// always shown by glyph and word as well, so nothing is lost without colour.
//
// It never asks the terminal anything: how many colours there are is the renderer's
// affair (none with NO_COLOR), which theme and which glyphs are the caller's.
package styles
