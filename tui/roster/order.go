package roster

import (
	"cmp"
	"strings"
	"time"

	"example.com/layover/engine/run"
)

// group is the place of a standing among all; those that have ended share one.
func group(s run.Standing) int {
	switch s {
	case run.StandingWorking:
		return 1
	case run.StandingLimited:
		return 2
	case run.StandingAsking:
		return 3
	case run.StandingIdle:
		return 4
	case run.StandingOrphaned:
		return 5
	case run.StandingUnreadable:
		return 6
	case run.StandingDone, run.StandingFailed, run.StandingStopped, run.StandingSilent:
		return 7
	}
	return 8
}

// place is where a run belongs in the list.
type place struct {
	group int
	// at orders within the group, the smaller first.
	at  int64
	key string
}

// placeOf is the place of a run with a standing. What is limited is ordered by when its
// limit lifts, what is alive by when it began, since its signs of life never stop, and the
// rest by the last of them; the latest first.
func placeOf(w run.Watched, s run.Standing) place {
	p := place{group: group(s), key: w.Key}
	switch p.group {
	case 2:
		p.at = 1<<63 - 1 // when is not known
		if !w.Until.IsZero() {
			p.at = w.Until.Unix()
		}
	case 1, 3, 4:
		p.at = -seconds(w.Began)
	default:
		p.at = -seconds(w.At)
	}
	return p
}

// seconds is an instant to the second, which is enough to order by; zero if it is not known.
func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.group, q.group), cmp.Compare(p.at, q.at), strings.Compare(p.key, q.key))
}
