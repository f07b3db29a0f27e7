package scripted

import (
	"fmt"
	"strings"
	"time"
)

// fault is how claude ends an attempt that its provider ended.
type fault struct {
	text   string
	word   string
	status *int
	limits []claudeLimitInfo
}

// claudeFault puts an answer that is no service into the words of claude. A wait
// that goes with a 429 is stated in the event, as an instant.
func claudeFault(ans Answer) fault {
	switch ans.Kind {
	case Spent:
		f := fault{word: "rate_limit", status: new(429)}
		var last Gauge
		for _, g := range ans.Gauges {
			if g.Used < 1 {
				continue
			}
			f.limits = append(f.limits, rejected(g.Name, g.ResetsAt))
			if g.ResetsAt.After(last.ResetsAt) {
				last = g
			}
		}
		f.text = fmt.Sprintf("You've hit your %slimit · resets %s", limitWord(last.Name), claudeTime(last.ResetsAt, last.Name))
		return f
	case Throttled:
		f := fault{word: "rate_limit", status: new(429)}
		f.text = "API Error: Request rejected (429) · This request would exceed your account's rate limit. Please try again later."
		if !ans.Until.IsZero() {
			f.limits = []claudeLimitInfo{rejected("", ans.Until)}
		}
		return f
	case Overloaded:
		return fault{
			word: "overloaded", status: new(529),
			text: "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.",
		}
	default:
		return fault{word: "server_error", text: "API Error: Connection closed mid-response"}
	}
}

func rejected(window string, until time.Time) claudeLimitInfo {
	info := claudeLimitInfo{Status: "rejected", ResetsAt: ceil(until, time.Second).Unix(), Window: window}
	if window != "" {
		info.Utilization, info.Overage, info.OverageWhy = 1, "rejected", "out_of_credits"
	}
	return info
}

// gaugeInfo tells of the fullest window, as claude does now and then.
func gaugeInfo(gauges []Gauge) claudeLimitInfo {
	g := gauges[0]
	for _, other := range gauges[1:] {
		if other.Used > g.Used {
			g = other
		}
	}
	info := claudeLimitInfo{
		Status: "allowed", ResetsAt: ceil(g.ResetsAt, time.Second).Unix(), Window: g.Name,
		Overage: "rejected", OverageWhy: "out_of_credits",
	}
	// A window that this very call filled is not told as full: it was allowed.
	if used := min(g.Used, 0.99); used >= 0.75 {
		info.Status, info.Utilization, info.Surpassed = "allowed_warning", used, 0.75
	}
	return info
}

func limitWord(window string) string {
	switch {
	case window == "five_hour":
		return "session "
	case strings.HasPrefix(window, "seven_day"):
		return "weekly "
	default:
		return ""
	}
}

// claudeTime is a reset in claude's words, to the minute, rounded up. A window
// shorter than a day is told by the clock alone.
func claudeTime(t time.Time, window string) string {
	t = ceil(t.UTC(), time.Minute)
	clock := "3:04pm"
	if t.Minute() == 0 {
		clock = "3pm"
	}
	if strings.HasPrefix(window, "seven_day") {
		clock = "Jan 2 at " + clock
	}
	return t.Format(clock) + " (UTC)"
}
