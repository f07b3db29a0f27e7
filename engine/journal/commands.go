package journal

import (
	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

// commands remembers how the agents were started, which the state does not, for as
// long as the export may list them.
type commands struct {
	of    map[run.AttemptID][]string
	ended []run.AttemptID
}

func (c *commands) see(f run.Fact) {
	switch b := f.Body.(type) {
	case run.AgentSpawned:
		c.of[b.Attempt] = b.Command
	case run.AttemptEnded:
		c.ended = append(c.ended, b.Attempt)
		if n := len(c.ended) - runfile.Keep; n > 0 {
			delete(c.of, c.ended[0])
			c.ended = c.ended[1:]
		}
	}
}
