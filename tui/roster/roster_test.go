package roster_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
	"example.com/layover/tui/roster"
)

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func keys(r *roster.Roster) []string {
	var all []string
	for i := range r.Len() {
		row, _ := r.At(i)
		all = append(all, row.Key)
	}
	return all
}

func at(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }

func TestOrder(t *testing.T) {
	r := roster.New()
	r.Now(start)
	r.Apply([]run.Watched{
		{Key: "listed, old", State: run.StandingListed, At: at(-900)},
		{Key: "listed, new", State: run.StandingListed, At: at(-800)},
		{Key: "done, old", State: run.StandingDone, At: at(-700)},
		{Key: "failed, new", State: run.StandingFailed, At: at(-600)},
		{Key: "stopped", State: run.StandingStopped, At: at(-650)},
		{Key: "unreadable", State: run.StandingUnreadable},
		{Key: "orphaned", State: run.StandingOrphaned},
		{Key: "idle", State: run.StandingIdle},
		{Key: "asking", State: run.StandingAsking},
		{Key: "limited, who knows", State: run.StandingLimited, Began: at(-1)},
		{Key: "limited, later", State: run.StandingLimited, Until: at(30)},
		{Key: "limited, soon", State: run.StandingLimited, Until: at(20)},
		{Key: "working, old", State: run.StandingWorking, Began: at(-60), At: at(0)},
		{Key: "working, new", State: run.StandingWorking, Began: at(-50), At: at(-1)},
	}, nil)
	want := []string{
		"working, new", "working, old", "limited, soon", "limited, later", "limited, who knows", "asking", "idle", "orphaned", "unreadable",
		"failed, new", "stopped", "done, old", "listed, new", "listed, old",
	}
	if diff := gocmp.Diff(want, keys(r)); diff != "" {
		t.Errorf("order differs (-want +got):\n%s", diff)
	}
	if next, ok := r.NextLimit(); !ok || next.Key != "limited, soon" {
		t.Errorf("the next limit is that of %q, %v", next.Key, ok)
	}
}

// A run that shows signs of life keeps its place among those that do.
func TestSignsOfLifeMoveNothing(t *testing.T) {
	r := roster.New()
	r.Now(start)
	w := run.Watched{Key: "b", State: run.StandingWorking, At: at(0)}
	r.Apply([]run.Watched{{Key: "a", State: run.StandingWorking, At: at(-5)}, w, {Key: "c", State: run.StandingWorking}}, nil)
	w.At, w.Doing = at(9), "edits"
	r.Apply([]run.Watched{w}, nil)
	if diff := gocmp.Diff([]string{"a", "b", "c"}, keys(r)); diff != "" {
		t.Errorf("order differs (-want +got):\n%s", diff)
	}
	if row, _ := r.Get("b"); row.Doing != "edits" {
		t.Errorf("it does %q", row.Doing)
	}
}

func TestTimePasses(t *testing.T) {
	r := roster.New()
	r.Apply([]run.Watched{ // before it is known what time it is
		{Key: "works", Origin: run.OriginSession, State: run.StandingWorking, At: start},
		{Key: "waits", Origin: run.OriginStream, State: run.StandingLimited, At: start, Until: at(10)},
		{Key: "other", Origin: run.OriginLayover, State: run.StandingWorking, At: start},
	}, nil)
	for _, c := range []struct {
		minutes int
		want    string
	}{
		{0, "other working, works working, waits limited"},
		{9, "other working, works working, waits limited"},
		{10, "other working, works working, waits your turn"},
		{30, "other working, waits your turn, works silent"},
		{60, "other working, waits failed, works silent"},
		{5, "other working, works working, waits limited"}, // the clock was set back
	} {
		r.Now(at(c.minutes))
		var got []string
		for i := range r.Len() {
			row, _ := r.At(i)
			got = append(got, row.Key+" "+row.Standing.String())
		}
		if said := strings.Join(got, ", "); said != c.want {
			t.Errorf("after %d minutes: %s, want %s", c.minutes, said, c.want)
		}
	}
}

// naive is the same list, made anew each time.
type naive struct {
	now  time.Time
	runs map[string]run.Watched
}

// order is as the documents tell it, by words instead of numbers.
func (n naive) order() []string {
	grouped := []string{"working", "limited", "your turn", "waiting", "orphaned", "unreadable", "done failed stopped silent", "listed"}
	place := func(w run.Watched) int {
		return slices.IndexFunc(grouped, func(g string) bool { return strings.Contains(g, w.Standing(n.now).String()) })
	}
	var all []run.Watched
	for _, w := range n.runs {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b run.Watched) int {
		g, by := place(a), 0
		switch {
		case g == 1 && a.Until.IsZero() != b.Until.IsZero():
			by = 1
			if b.Until.IsZero() {
				by = -1
			}
		case g == 1:
			by = a.Until.Compare(b.Until)
		case g == 0 || g == 2 || g == 3:
			by = b.Began.Compare(a.Began)
		default:
			by = b.At.Compare(a.At)
		}
		return cmp.Or(cmp.Compare(g, place(b)), by, strings.Compare(a.Key, b.Key))
	})
	var keys []string
	for _, w := range all {
		keys = append(keys, w.Key)
	}
	return keys
}

// TestAnyChanges lets anything change and time pass: order, rows and counts are those of
// a list that is sorted anew each time.
func TestAnyChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, n := roster.New(), naive{now: start, runs: map[string]run.Watched{}}
		r.Now(start)
		instant := func(what string) time.Time {
			if m := rapid.IntRange(-100, 100).Draw(t, what); m != 0 {
				return at(m)
			}
			return time.Time{}
		}
		for range rapid.IntRange(1, 20).Draw(t, "messages") {
			var runs []run.Watched
			var gone []string
			for range rapid.IntRange(0, 5).Draw(t, "gone") {
				gone = append(gone, fmt.Sprint(rapid.IntRange(0, 12).Draw(t, "which")))
			}
			for range rapid.IntRange(0, 8).Draw(t, "changed") {
				runs = append(runs, run.Watched{
					Key: fmt.Sprint(rapid.IntRange(0, 12).Draw(t, "key")), Origin: run.Origin(rapid.IntRange(1, 5).Draw(t, "origin")),
					State: run.Standing(rapid.IntRange(1, 10).Draw(t, "state")), Until: instant("until"), Began: instant("began"), At: instant("at"),
				})
			}
			for _, key := range gone {
				delete(n.runs, key)
			}
			for _, w := range runs {
				n.runs[w.Key] = w
			}
			r.Apply(runs, gone)
			if rapid.Bool().Draw(t, "time passes") {
				n.now = n.now.Add(time.Duration(rapid.IntRange(-10, 60).Draw(t, "minutes")) * time.Minute)
				r.Now(n.now)
			}
			want := n.order()
			if diff := gocmp.Diff(want, keys(r)); diff != "" {
				t.Fatalf("order differs (-want +got):\n%s", diff)
			}
			counts := map[run.Standing]int{}
			for i, key := range want {
				row, _ := r.Get(key)
				if row.Standing != n.runs[key].Standing(n.now) || r.Find(key) != i {
					t.Fatalf("%s stands %s in row %d, want %s in %d", key, row.Standing, r.Find(key), n.runs[key].Standing(n.now), i)
				}
				counts[row.Standing]++
			}
			for s := run.StandingListed; s <= run.StandingUnreadable; s++ {
				if r.Count(s) != counts[s] {
					t.Fatalf("%d are %s, want %d", r.Count(s), s, counts[s])
				}
			}
		}
	})
}
