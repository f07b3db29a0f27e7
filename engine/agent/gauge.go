package agent

import (
	"strings"

	"example.com/layover/engine/run"
)

// fullGauge tells why a gauge that is full makes a family suspected.
func fullGauge(g run.Gauge) string {
	name := "usage"
	if plain := plainName(g.Limit); plain != "" {
		name = strings.ReplaceAll(plain, "_", "-")
	}
	return "the gauge of the " + name + " limit is full"
}
