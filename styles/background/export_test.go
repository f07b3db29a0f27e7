package background

import "os"

// The tests are all outside the package, and this file imports nothing new: a test
// file inside with more imports would initialise the package later than a program
// does, and TestNothingIsAskedBeforeMain would judge another order.

// AnswerMax is answerMax, for tests.
const AnswerMax = answerMax

// ParseDark parses the body of an answer and reports whether its colour is dark.
func ParseDark(body []byte) (dark, ok bool, parts [3]float64) {
	c, ok := parse(body)
	return c.dark(), ok, c
}

// NewInput makes an Input as Ask leaves it.
func NewInput(file *os.File, kept string, awaiting bool) *Input {
	return &Input{file: file, kept: []byte(kept), awaiting: awaiting}
}
