package run

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// earliest is the first of some instants, where zero means never.
func earliest(all ...time.Time) time.Time {
	var first time.Time
	for _, t := range all {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	return first
}

// scanLane says when a lane is due by looking at all it holds.
func scanLane(s *State, l *Lane) time.Time {
	all := []time.Time{l.Deadline, l.StopAt}
	if a := l.Running(); a != nil {
		if a.Ending != 0 {
			return time.Time{}
		}
		all = append(all, a.LookAt)
	}
	if l.Wait != nil {
		all = append(all, l.Wait.LookAt, l.Wait.Ceiling)
		if s.Gate(l) == nil {
			all = append(all, l.Wait.WakeAt)
		}
	}
	if l.State.Final() {
		return time.Time{}
	}
	return earliest(all...)
}

// scanWaiters lists the lanes that wait for a window by looking at every lane.
func scanWaiters(s *State, w *Window) []LaneID {
	var ids []LaneID
	for _, l := range s.Lanes {
		if s.Gate(l) == w {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// scanNext says when anything is due by looking at everything.
func scanNext(s *State, now time.Time) time.Time {
	if s.Phase == PhaseEnded {
		return time.Time{}
	}
	var all, ahead []time.Time
	for _, l := range s.Lanes {
		all = append(all, scanLane(s, l))
	}
	for _, w := range s.Windows {
		switch {
		case w.Permit != nil:
			all = append(all, w.Permit.Lapses)
		case len(scanWaiters(s, w)) > 0:
			all, ahead = append(all, w.NextTry), append(ahead, w.Until)
		default:
			ahead = append(ahead, w.Until, w.NextTry)
		}
	}
	for _, x := range s.Suspicions {
		all = append(all, x.Until)
	}
	for _, t := range append(ahead, s.WaitsFor, s.Deadline()) {
		if t.After(now) {
			all = append(all, t)
		}
	}
	return earliest(all...)
}

// scanDue lists the lanes due at now by looking at every lane.
func scanDue(s *State, now time.Time) []LaneID {
	ids := []LaneID{}
	for _, l := range s.Lanes {
		if d := scanLane(s, l); !d.IsZero() && !d.After(now) {
			ids = append(ids, l.ID)
		}
	}
	slices.SortStableFunc(ids, func(a, b LaneID) int {
		return scanLane(s, s.Lane(a)).Compare(scanLane(s, s.Lane(b)))
	})
	return ids
}

// timeline makes up the facts of a run, sensible and not.
type timeline struct {
	*rapid.T
	s   *State
	now time.Time
}

// at draws an instant around now, or none.
func (r *timeline) at(label string) time.Time {
	n := rapid.IntRange(-1, 120).Draw(r.T, label)
	if n < 0 {
		return time.Time{}
	}
	return r.now.Add(time.Duration(n-10) * time.Second)
}

func (r *timeline) key() WindowKey {
	return WindowKey{Family: rapid.SampledFrom([]string{"claude", "codex"}).Draw(r.T, "family"), Sort: SortLimit}
}

// apply reports whether the fact fitted.
func (r *timeline) apply(lane LaneID, b Body) bool {
	return r.s.Apply(Fact{Seq: r.s.Seq + 1, At: r.now, Lane: lane, Body: b}) == nil
}

// step makes up one fact. A window that closes lets its lanes go, as the core does.
func (r *timeline) step() {
	if len(r.s.Lanes) == 0 || rapid.IntRange(0, 9).Draw(r.T, "open") == 0 {
		r.apply(0, IterationStarted{Iteration: r.s.Iteration + 1})
		job := r.s.Queue[0]
		r.apply(LaneID(len(r.s.Lanes)+1), LaneStarted{Task: "t", Job: job, Deadline: r.at("deadline")})
		return
	}
	l := r.s.Lanes[rapid.IntRange(0, len(r.s.Lanes)-1).Draw(r.T, "lane")]
	key, attempt := r.key(), AttemptID(0)
	if n := len(l.Attempts); n > 0 {
		attempt = l.Attempts[n-1].ID
	}
	window := Window{WindowKey: key, Kind: KindUsage, How: HowStated, Until: r.at("until"), NextTry: r.at("next try")}
	gate := WindowKey{}
	if r.s.Window(key) != nil && rapid.Bool().Draw(r.T, "gated") {
		gate = key
	}
	switch rapid.IntRange(0, 15).Draw(r.T, "fact") {
	case 0:
		if l.State == LaneOpen || l.State == LaneWaiting || l.State == LaneParked {
			r.apply(l.ID, AttemptStarted{Attempt: r.s.Attempts + 1, Deadline: r.at("deadline")})
		}
	case 1:
		r.apply(l.ID, AttemptEnding{Attempt: attempt, Why: EndingStop})
	case 2:
		r.apply(l.ID, AttemptEnded{Attempt: attempt, Verdict: Verdict{Class: ClassTransport}})
	case 3:
		r.apply(l.ID, RetryScheduled{
			Retry: 1, WakeAt: r.at("wake"), LookAt: r.at("look"), Ceiling: r.at("ceiling"), Window: gate,
		})
	case 4:
		r.apply(l.ID, TurnParked{
			Streak: 1, WakeAt: r.at("wake"), LookAt: r.at("look"), Ceiling: r.at("ceiling"), Window: gate,
		})
	case 5:
		r.apply(l.ID, ParkMoved{
			WakeAt: r.at("wake"), LookAt: r.at("look"), Ceiling: r.at("ceiling"), Window: gate,
			Released: rapid.Bool().Draw(r.T, "released"),
		})
	case 6:
		r.apply(l.ID, TurnWoken{Reason: WokenDue})
	case 7:
		if !l.State.Final() && rapid.Bool().Draw(r.T, "end") {
			r.apply(l.ID, LaneEnded{State: LaneDone})
		}
	case 8:
		r.apply(l.ID, StopRequested{Boundary: r.at("boundary")})
	case 9:
		r.apply(l.ID, StopCancelled{})
	case 10:
		r.apply(0, WindowSeen{window})
	case 11:
		if w := r.s.Window(key); w != nil {
			waiting := slices.Clone(w.Waiters)
			r.apply(0, WindowCleared{Key: key, Why: "served"})
			for _, id := range waiting {
				r.apply(id, ParkMoved{WakeAt: r.at("wake"), Window: key, Released: true})
			}
		}
	case 12:
		r.apply(l.ID, PermitGranted{Key: key, Attempt: attempt, Lapses: r.at("lapses")})
	case 13:
		r.apply(l.ID, PermitReleased{Key: key, Attempt: attempt})
	case 14:
		x := Suspicion{Family: key.Family, Attempt: attempt, Until: r.at("until"), LookAt: r.at("look")}
		r.apply(l.ID, FamilySuspected{x})
	default:
		r.apply(l.ID, SuspicionEnded{Family: key.Family, Attempt: attempt})
		r.apply(0, ProgramWaiting{Until: r.at("waits for")})
		r.apply(l.ID, LaneRouted{Why: "patience"})
	}
}

func TestDueAgreesWithAScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &timeline{T: t, s: &State{}, now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
		r.apply(0, RunStarted{Program: Program{
			Order: []Target{{Agent: "claude"}, {Agent: "codex"}}, Deadline: Duration(2 * time.Minute), Tasks: []Task{{Name: "t"}},
		}})
		for range rapid.IntRange(1, 60).Draw(t, "facts") {
			r.step()
			r.now = r.now.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "seconds")) * time.Second)
			if want, got := scanNext(r.s, r.now), r.s.NextDue(r.now); !want.Equal(got) {
				t.Fatalf("NextDue = %v, want %v", got, want)
			}
			for _, w := range r.s.Windows {
				waiters := slices.Sorted(slices.Values(w.Waiters))
				if d := cmp.Diff(scanWaiters(r.s, w), waiters, cmpopts.EquateEmpty()); d != "" {
					t.Fatalf("waiters of %s (-want +got):\n%s", w.WindowKey, d)
				}
			}
			if d := cmp.Diff(scanDue(r.s, r.now), r.s.DueLanes(r.now)); d != "" {
				t.Fatalf("DueLanes (-want +got):\n%s", d)
			}
		}
	})
}
