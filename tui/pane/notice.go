package pane

import (
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

// noticeFor is how long a notice stays, in real time.
const noticeFor = 8 * time.Second

// Notice is a line that stands in the footer for a while. The zero value is none.
type Notice struct {
	Text string
	// ticks is how many ticks it stays.
	ticks int
}

// NewNotice makes a notice of what is said, for a screen that ticks that often.
func NewNotice(said string, tick time.Duration) Notice {
	return Notice{Text: text.Line(run.Untrusted(said), 200), ticks: int(noticeFor / tick)}
}

// Aged is the notice after another tick.
func (n Notice) Aged() Notice {
	if n.ticks--; n.ticks < 0 {
		return Notice{}
	}
	return n
}
