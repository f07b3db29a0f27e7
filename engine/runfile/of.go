package runfile

import (
	"math"
	"slices"
	"strings"
	"time"

	"example.com/layover/engine/run"
)

// Keep is how many ended attempts, ended lanes and old trips a file holds at
// most; those that go on are all in it.
const Keep = 200

// Of is the content of a state's run.json. It shares nothing with the state.
func Of(s *run.State, o Options) *File {
	f := &File{
		RunID: valid(s.ID), Start: instant(s.StartedAt), End: instant(s.EndedAt),
		ParentPID: o.ParentPID, ParentStart: valid(o.ParentStart),
		Limited: limited(s),
		Layover: &Layover{
			Version: Version, Program: valid(s.Program.Name), Phase: s.Phase, Stop: s.Stop, Seq: s.Seq,
			ResetsAt: instant(s.ResetsAt), Windows: windows(s),
			CostUSD: amount(s.Usage.CostUSD), Unpriced: max(0, s.Usage.Unpriced),
		},
	}
	if s.Phase == run.PhaseEnded {
		f.Layover.Exit, f.Layover.ExitWhy = new(s.Exit), valid(run.Untrusted(s.ExitWhy))
		if s.Exit != 0 {
			f.Error, f.Failure = f.Layover.ExitWhy, failure(s)
		}
	}
	f.Agents, f.Layover.OmittedAgents = agents(s, o)
	f.lanes(s)
	return f
}

// failure names the class of the latest lane that did not end well.
func failure(s *run.State) run.Untrusted {
	for _, l := range slices.Backward(s.Lanes) {
		if l.State == run.LaneFailed || l.State == run.LaneBlocked {
			if l.Why != "" { // not for what its last attempt met
				return run.Untrusted(run.ClassFailed.String())
			}
			return run.Untrusted(l.Last.Class.String())
		}
	}
	return ""
}

// limited is the history of trips: the latest ones, and the latest of every family.
func limited(s *run.State) []Limited {
	var all []Limited
	seen := map[run.WindowKey]bool{}
	for _, t := range slices.Backward(s.Trips) {
		key := run.WindowKey{Family: t.Family, Model: t.Model, Sort: run.SortLimit}
		latest := !seen[key]
		seen[key] = true
		if !latest && len(all) >= Keep {
			continue
		}
		if w := s.Window(key); latest && (w == nil || !w.Trip) && t.ResetsAt.After(s.LastAt) {
			t.ResetsAt = closed(s, key, t)
		}
		all = append(all, Limited{
			Family: valid(t.Family), Model: valid(t.Model), Reason: valid(t.Reason),
			TrippedAt: instant(t.TrippedAt), ResetsAt: instant(t.ResetsAt),
		})
	}
	slices.Reverse(all)
	return all
}

func windows(s *run.State) []Window {
	var all []Window
	for _, w := range s.Windows {
		all = append(all, Window{
			Family: valid(w.Family), Model: valid(w.Model), Sort: w.Sort, Kind: w.Kind, How: w.How,
			OpenedAt: instant(w.OpenedAt), Until: instant(w.Until), NextTry: instant(w.NextTry),
			Reason: valid(w.Reason),
		})
	}
	return all
}

// closed is when a window was closed before its time: when it last settled good,
// or else some instant up to the last fact.
func closed(s *run.State, key run.WindowKey, t run.Trip) time.Time {
	if fam := s.Family(key.Family); fam != nil && fam.Good[key].After(t.TrippedAt) {
		return fam.Good[key]
	}
	return s.LastAt
}

// valid replaces what is no UTF-8, which JSON cannot hold.
func valid[T ~string](s T) T { return T(strings.ToValidUTF8(string(s), "\uFFFD")) }

// amount is a sum of money; one that cannot be meant is none.
func amount(v float64) float64 {
	if v > 0 && v <= math.MaxFloat64 {
		return v
	}
	return 0
}

// instant is an instant in UTC; one that cannot be meant is none.
func instant(t time.Time) time.Time {
	if !plausible(t) {
		return time.Time{}
	}
	return t.UTC()
}
