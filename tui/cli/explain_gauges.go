package cli

import (
	"fmt"
	"time"

	"example.com/layover/engine/run"
)

// gauges are the usage windows that a stream showed to be full, and when each is empty
// again.
type gauges map[gaugeKey]time.Time

type gaugeKey struct {
	limit  string
	length time.Duration
}

// maxGauges bounds them; agents have a handful.
const maxGauges = 32

func (g gauges) see(s run.Sight) {
	for _, gauge := range s.Gauges {
		key := gaugeKey{gauge.Limit, gauge.Window}
		if _, known := g[key]; gauge.Limit != "" && gauge.Full() && (known || len(g) < maxGauges) {
			g[key] = gauge.Resets
		}
	}
}

// at names the window that is empty again at an instant, as the agent does or, where that
// is but the family's name, by its length; empty if there is none, or there are several.
func (g gauges) at(reset time.Time, family string) string {
	found := ""
	for key, at := range g {
		if reset.IsZero() || !at.Equal(reset) {
			continue
		}
		if found != "" {
			return ""
		}
		if found = key.limit; found == family {
			found = lengthOf(key.length)
		}
	}
	return found
}

// lengthOf words the length of a usage window, as in "5_hour"; empty if it is not known.
func lengthOf(d time.Duration) string {
	switch hours := int(d.Round(time.Hour) / time.Hour); {
	case hours == 0:
		return ""
	case hours%24 == 0:
		return fmt.Sprintf("%d_day", hours/24)
	default:
		return fmt.Sprintf("%d_hour", hours)
	}
}
