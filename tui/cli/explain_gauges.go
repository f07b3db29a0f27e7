package cli

import (
	"fmt"
	"slices"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

// gauges are the usage windows that a stream tells of.
type gauges struct {
	// now is when the stream was written.
	now time.Time
	// keep takes secrets out of their names; nil leaves them as they are.
	keep   func(string) string
	newest []run.Reading
	// full are those that were full at some time, and when each is empty again then.
	full map[gaugeKey]time.Time
}

type gaugeKey struct {
	limit  string
	length time.Duration
}

// maxGauges bounds those that were full; agents have a handful.
const maxGauges = 32

func (g *gauges) see(s run.Sight) {
	for _, gauge := range s.Gauges {
		if gauge.Limit == "" {
			continue
		}
		if g.keep != nil {
			gauge.Limit = g.keep(gauge.Limit)
		}
		if r := (run.Reading{Gauge: gauge, At: g.now}); !slices.Contains(g.newest, r) {
			g.newest = run.WithReadings(g.newest, r)
		}
		key := gaugeKey{gauge.Limit, gauge.Window}
		if _, known := g.full[key]; gauge.Full() && (known || len(g.full) < maxGauges) {
			g.full[key] = gauge.Resets
		}
	}
}

// at names the window that is empty again at an instant, as the agent does or, where that
// is but the family's name, by its length; empty if there is none, or there are several.
func (g *gauges) at(reset time.Time, family string) string {
	found := ""
	for key, at := range g.full {
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

// gauge words how full a usage window was, and when it is, or was, empty again.
func gauge(r run.Reading, now time.Time, zone *time.Location) string {
	said := text.Gauge(r.Gauge)
	switch {
	case r.Resets.IsZero():
		return said
	case r.Current(now):
		return said + ", resets " + instant(r.Resets, now, zone)
	}
	return said + " until " + instant(r.Resets, now, zone)
}

// toldGauge is a gauge in JSON.
type toldGauge struct {
	Limit  string  `json:"limit"`
	Used   float64 `json:"used"`
	Window *int64  `json:"window_s"`
	Resets *int64  `json:"resets"`
}

func (x explanation) toldGauges() []toldGauge {
	var all []toldGauge
	for _, r := range x.Gauges {
		g := toldGauge{Limit: r.Limit, Used: r.Used, Resets: unix(r.Resets)}
		if r.Window > 0 {
			seconds := int64(r.Window / time.Second)
			g.Window = &seconds
		}
		all = append(all, g)
	}
	return all
}
