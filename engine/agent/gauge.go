package agent

import (
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// fullGauge tells why gauges make a family suspected; empty if none of them is full.
func (r Reference) fullGauge(gauges [2]run.Gauge) string {
	for _, g := range gauges {
		switch name := r.limitName(g.Limit); {
		case g.Full() && name == "":
			return "the gauge of a limit is full"
		case g.Full():
			return "the gauge of the " + name + " limit is full"
		}
	}
	return ""
}

// claudeWindows are the usage windows that claude tells of, by its names for them.
var claudeWindows = map[string]time.Duration{"five_hour": 5 * time.Hour, "seven_day": 7 * 24 * time.Hour}

// claudeGauges reads the windows of an event that lists them.
func claudeGauges(windows record.Raw, now time.Time) [2]run.Gauge {
	var all [2]run.Gauge
	n := 0
	record.Members(windows, func(name string, v record.Raw) {
		if g, ok := claudeGauge(name, v.Member("utilization"), v.Member("resetsAt"), now); ok && n < len(all) {
			all[n] = g
			n++
		}
	})
	return all
}

// claudeGauge is how full a window is; false if that is not said.
func claudeGauge(name string, used, resets record.Raw, now time.Time) (run.Gauge, bool) {
	part, ok := used.Number()
	if !ok || part < 0 || part > maxShare || record.PlainName(name) == "" {
		return run.Gauge{}, false
	}
	length := claudeWindows[name]
	if length == 0 && strings.HasPrefix(name, "seven_day_") {
		length = claudeWindows["seven_day"]
	}
	return run.Gauge{Limit: record.PlainName(name), Used: part, Window: length, Resets: reset.Instant(resets, now)}, true
}

// maxShare is how much of a window can be used. Providers count some calls that they go on
// with; more is a misread, or a number of another unit.
const maxShare = 2
