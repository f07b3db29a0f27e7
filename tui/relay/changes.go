package relay

import (
	"slices"

	"example.com/layover/engine/run"
)

// changes are several Changes, one after the other, as one.
type changes struct {
	merged run.Changes
	// runs are the newest of each run, order their keys as they came first.
	runs  map[string]run.Watched
	order []string
	gone  map[string]bool
}

func newChanges() *changes {
	return &changes{runs: map[string]run.Watched{}, gone: map[string]bool{}}
}

// merge takes in what came later. A run is either gone or not, as was said last.
func (c *changes) merge(more run.Changes) {
	for _, key := range more.Gone {
		delete(c.runs, key)
		c.gone[key] = true
	}
	for _, w := range more.Runs {
		if _, known := c.runs[w.Key]; !known {
			c.order = append(c.order, w.Key)
		}
		c.runs[w.Key] = w
		delete(c.gone, w.Key)
	}
	c.merged = rest(c.merged, more)
}

// rest is what is said beside the runs, which c has none of, after a later Changes.
func rest(c, more run.Changes) run.Changes {
	c.Usage, c.Reading, c.Notes, c.Complete = more.Usage, more.Reading, more.Notes, more.Complete
	if more.Families != nil {
		c.Families = more.Families
	}
	return c
}

func (c *changes) all() run.Changes {
	all := c.merged
	for _, key := range c.order {
		if w, still := c.runs[key]; still {
			all.Runs = append(all.Runs, w)
			delete(c.runs, key) // it may have come back, and stands in the order twice
		}
	}
	for key := range c.gone {
		all.Gone = append(all.Gone, key)
	}
	slices.Sort(all.Gone)
	return all
}
