package foreign_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/foreign"
)

// picture words what a viewer sees of a run: the summary, then the state of its facts.
func picture(w run.Watched, s *run.State, told foreign.Told) string {
	var out strings.Builder
	summary, err := json.MarshalIndent(w, "", "  ")
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(&out, "%s\n\n%s %s, exit %d %q, %d open, families", summary, s.ID, s.Phase, s.Exit, s.ExitWhy, len(s.Open))
	for _, f := range s.Families {
		fmt.Fprintf(&out, " %s", f.Name)
	}
	fmt.Fprintf(&out, "\nused %s, %d windows, %d trips, %d queued\n", tokens(s.Usage), len(s.Windows), len(s.Trips), len(s.Queue))
	for _, l := range s.Lanes {
		fmt.Fprintf(&out, "lane %d %s on %s %s, %s to %s, used %s, %s %q %q\n", l.ID, s.Label(l), l.Target, l.State,
			clock(l.StartedAt), clock(l.EndedAt), tokens(l.Usage), l.Last.Class, l.Last.Message, l.Why)
		for _, a := range l.Attempts {
			fmt.Fprintf(&out, "  attempt %d %s to %s, served %s, pid %d, session %s, model %s, suspected %v\n", a.ID, clock(a.StartedAt),
				clock(a.EndedAt), clock(a.ServedAt), a.PID, a.Session, a.Model, a.Suspected)
		}
	}
	for _, x := range s.Suspicions {
		fmt.Fprintf(&out, "suspected %s:%s by %d from %s to %s: %q\n", x.Family, x.Model, x.Lane, clock(x.Since), clock(x.Until), x.Why)
	}
	for _, o := range told.Seen {
		line, _ := o.MarshalJSON()
		fmt.Fprintf(&out, "%s\n", line)
	}
	return out.String()
}

func clock(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("01-02 15:04:05")
}

func tokens(u run.Usage) string {
	return fmt.Sprintf("%d+%d+%d+%d $%.4f", u.Input, u.CacheRead, u.CacheWrite, u.Output, u.CostUSD)
}

func TestPictures(t *testing.T) {
	const running = "20261201_100000_c0ffee42"
	for name, tt := range map[string]struct {
		id    string
		now   time.Time
		alive foreign.Alive
	}{
		"old":      {"20260111_090000_00aa11bb", at("2026-12-01 10:30"), foreign.Unknown},
		"finished": {"20260718_210000_5f3c9a10", at("2026-07-18 23:30"), foreign.Unknown},
		"failed":   {"20260801_080000_77e0d1c2", at("2026-08-01 08:45"), foreign.Gone},
		"running":  {running, at("2026-12-01 10:30"), foreign.Living},
		"orphan":   {running, at("2026-12-01 10:30"), foreign.Gone},
		"silent":   {running, at("2026-12-01 12:30"), foreign.Unknown},
		"odd":      {"20261201_101500_0dd0dd0d", at("2026-12-01 10:25"), foreign.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			k := known(t, tt.id, at("2026-12-01 10:29"))
			k.Alive = tt.alive
			var teller foreign.Teller
			s := &run.State{}
			told := teller.Tell(k, tt.now)
			replay(t, s, told.Facts)
			got := picture(k.Watched(tt.now), s, told)
			path := filepath.Join("testdata", "pictures", name+".golden")
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if again := teller.Tell(k, tt.now); len(again.Facts)+len(again.Seen) > 0 || again.Restarted {
				t.Errorf("told twice: %+v", again)
			}
		})
	}
}
