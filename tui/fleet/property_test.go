package fleet_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
)

// TestAnyChangesCanBeShown tells a screen anything, in any size and with any keys: the run
// that was selected stays so while it is there, and every line is as wide as the terminal.
func TestAnyChangesCanBeShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 200).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h")
		m := shown(fleetOptions(), w, h)
		now, tag, moved := start, 1, false
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			before, _ := m.Selected()
			gone := false
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				c := anyChanges(t)
				gone = slices.Contains(c.Gone, before.Key) && !slices.ContainsFunc(c.Runs, func(w run.Watched) bool { return w.Key == before.Key })
				m, _ = m.Update(tui.ChangesMsg{Changes: c})
			case 2:
				now = now.Add(time.Duration(rapid.IntRange(0, 40).Draw(t, "minutes")) * time.Minute)
				m, _ = m.Update(tui.TickMsg{Now: now, Tag: tag})
				tag++
			case 3:
				k := rapid.SampledFrom([]string{"up", "down", "pgup", "pgdown", "home", "end", "s", "S", "w", "c", "y", "esc", "?", "tab", "enter"}).Draw(t, "key")
				m, _ = m.Update(press(k))
				moved = moved || before.Key != ""
				before, _ = m.Selected()
				if rapid.Bool().Draw(t, "resized") {
					w, h = rapid.IntRange(1, 200).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h")
					m, _ = m.Update(tea.WindowSizeMsg{Width: w, Height: h})
				}
			}
			if after, _ := m.Selected(); moved && !gone && before.Key != "" && after.Key != before.Key {
				t.Fatalf("%q was selected, now %q", before.Key, after.Key)
			}
			checkSize(fatal{t}, m.View(), w, h)
		}
	})
}

// TestEveryRunIsCountedOnce tells a screen anything: what the title of the runs counts adds
// up to all that there are, or where there is no room for it nothing is counted.
func TestEveryRunIsCountedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(30, 160).Draw(t, "w")
		m := shown(fleetOptions(), w, 24)
		now, there := start, map[string]bool{}
		for tag := range rapid.IntRange(1, 6).Draw(t, "steps") {
			c := anyChanges(t)
			for _, key := range c.Gone {
				delete(there, key)
			}
			for i, w := range c.Runs {
				there[w.Key] = true
				c.Runs[i].State = run.Standing(rapid.IntRange(0, 12).Draw(t, "state of any kind"))
			}
			m, _ = m.Update(tui.ChangesMsg{Changes: c})
			now = now.Add(time.Duration(rapid.IntRange(0, 40).Draw(t, "minutes")) * time.Minute)
			m, _ = m.Update(tui.TickMsg{Now: now, Tag: tag + 1})
		}
		sum := 0
		view := ansi.Strip(m.View())
		for _, n := range counted.FindAllStringSubmatch(titleOf(view), -1) {
			one, _ := strconv.Atoi(n[1])
			sum += one
		}
		if sum != len(there) && (sum > 0 || w >= 90) {
			t.Fatalf("%d of %d runs are counted:\n%s", sum, len(there), view)
		}
	})
}

var counted = regexp.MustCompile(`(\d+) (?:live|orphaned|unreadable|ended|listed)`)

// titleOf is the upper edge of the pane of the runs.
func titleOf(view string) string {
	for line := range strings.SplitSeq(view, "\n") {
		if strings.Contains(line, " Runs ") {
			return line
		}
	}
	return ""
}

type fatal struct{ *rapid.T }

func (f fatal) Errorf(format string, args ...any) { f.Fatalf(format, args...) }

func anyChanges(t *rapid.T) run.Changes {
	var c run.Changes
	instant := func(what string) time.Time {
		if m := rapid.IntRange(-3000, 3000).Draw(t, what); m != 0 {
			return start.Add(time.Duration(m) * time.Minute)
		}
		return time.Time{}
	}
	said := func(what string) run.Untrusted { return run.Untrusted(rapid.String().Draw(t, what)) }
	for range rapid.IntRange(0, 8).Draw(t, "runs") {
		c.Runs = append(c.Runs, run.Watched{
			Key: fmt.Sprint("k", rapid.IntRange(0, 30).Draw(t, "key")), Origin: run.Origin(rapid.IntRange(0, 5).Draw(t, "origin")),
			Name: said("name"), Family: string(said("family")), State: run.Standing(rapid.IntRange(1, 10).Draw(t, "state")),
			Why: said("why"), Doing: said("doing"), Until: instant("until"), Began: instant("began"), At: instant("at"),
			How: run.How(rapid.IntRange(0, 3).Draw(t, "how")), Usage: run.Usage{Input: rapid.Int64Min(0).Draw(t, "tokens")},
			Lanes:   run.LaneCounts{Working: rapid.IntRange(0, 3).Draw(t, "working"), Waiting: rapid.IntRange(0, 3).Draw(t, "waiting")},
			Unheard: rapid.SampledFrom([]string{"", "no"}).Draw(t, "unheard"), Stop: run.Stop(rapid.IntRange(0, 2).Draw(t, "stop")),
		})
	}
	for range rapid.IntRange(0, 4).Draw(t, "gone") {
		c.Gone = append(c.Gone, fmt.Sprint("k", rapid.IntRange(0, 30).Draw(t, "which")))
	}
	for range rapid.IntRange(0, 3).Draw(t, "families") {
		name := string(said("name"))
		c.Families = append(c.Families, run.FamilySeen{
			Name: name, Working: rapid.IntRange(0, 3).Draw(t, "working"),
			Windows: []run.Window{{
				WindowKey: run.WindowKey{Family: name, Sort: run.Sort(rapid.IntRange(1, 3).Draw(t, "sort"))}, Kind: run.Kind(rapid.IntRange(0, 5).Draw(t, "kind")),
				Until: instant("until"), Reason: said("reason"),
			}},
			Suspicions: []run.Suspicion{{Family: name, Why: string(said("why")), Until: instant("until")}},
			Readings:   []run.Reading{{Gauge: run.Gauge{Limit: string(said("limit")), Used: rapid.Float64().Draw(t, "used")}, At: start}},
		})
	}
	for range rapid.IntRange(0, 2).Draw(t, "notes") {
		c.Notes = append(c.Notes, string(said("note")))
	}
	c.Reading = run.Progress{Done: rapid.Int64().Draw(t, "done"), Total: rapid.Int64().Draw(t, "total")}
	return c
}
