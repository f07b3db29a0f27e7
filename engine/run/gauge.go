package run

import (
	"cmp"
	"slices"
	"time"
)

// Gauge is how full a usage window of an account is, as an agent's stream tells it.
type Gauge struct {
	// Limit names what is limited, as the agent does: "five_hour", "codex".
	Limit string `json:"limit"`
	// Used is the part that is used up: one is all of it, and more is possible.
	Used float64 `json:"used"`
	// Window is how long the usage window is; zero if the line does not say.
	Window time.Duration `json:"window_ns,omitempty"`
	// Resets is when it is empty again; zero if the line does not say.
	Resets time.Time `json:"resets,omitzero"`
}

// Full reports whether nothing is left.
func (g Gauge) Full() bool { return g.Used >= 1 }

// Reading is a gauge as it was told at an instant.
type Reading struct {
	Gauge
	At time.Time `json:"at"`
}

// gaugeLasts is how long a gauge counts that tells neither when it is empty again nor
// how long its window is.
const gaugeLasts = time.Hour

// Current reports whether a reading can still be true at an instant. It is not once its
// window has ended: what was used since is not known.
func (r Reading) Current(now time.Time) bool {
	switch {
	case !r.Resets.IsZero():
		return now.Before(r.Resets)
	case r.Window > 0:
		return now.Before(r.At.Add(r.Window))
	}
	return now.Before(r.At.Add(gaugeLasts))
}

// MaxReadings is how many gauges of a family are kept; agents have a handful.
const MaxReadings = 8

// WithReadings returns readings with more, each in the place of that of the same limit and
// length if it is not older. They are sorted by length, then by name, and the oldest go
// if they are too many. The slice that is given is not changed.
func WithReadings(all []Reading, more ...Reading) []Reading {
	for _, r := range more {
		all = withReading(all, r)
	}
	return all
}

func withReading(all []Reading, r Reading) []Reading {
	same := func(x Reading) bool { return x.Limit == r.Limit && x.Window == r.Window }
	all = slices.Clone(all)
	if at := slices.IndexFunc(all, same); at < 0 {
		all = append(all, r)
	} else if !r.At.Before(all[at].At) {
		all[at] = r
	}
	if len(all) > MaxReadings {
		oldest := 0
		for i := range all {
			if all[i].At.Before(all[oldest].At) {
				oldest = i
			}
		}
		all = slices.Delete(all, oldest, oldest+1)
	}
	slices.SortFunc(all, func(a, b Reading) int { return cmp.Or(cmp.Compare(a.Window, b.Window), cmp.Compare(a.Limit, b.Limit)) })
	return all
}
