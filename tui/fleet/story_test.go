package fleet_test

import (
	"fmt"
	"io"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui"
	"example.com/layover/tui/fleet"
)

// start is shown as 13:00.
var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

var zone = time.FixedZone("CET", 3600)

const deaf = "team-harness takes no orders from Layover"

// busy is a machine with runs of every origin and standing.
func busy() run.Changes {
	ago := func(d time.Duration) time.Time { return start.Add(-d) }
	return run.Changes{
		Runs: []run.Watched{
			{
				Key: "/s/runs/night", Origin: run.OriginLayover, ID: "20261130_110000_7f44a784", Name: "night", Family: "claude",
				State: run.StandingWorking, Began: ago(time.Hour), At: ago(2 * time.Second), Doing: "edits tui/fleet/row.go",
				Lanes: run.LaneCounts{Working: 2, Waiting: 1, Queued: 3, Done: 4}, Usage: run.Usage{Input: 1_204_000, CostUSD: 3.2},
			},
			{
				Key: "/h/runs/a", Origin: run.OriginHarness, ID: "a", Name: "refactor", Family: "codex",
				State: run.StandingWorking, Began: ago(2 * time.Hour), At: ago(time.Minute), Doing: "$ go test ./...",
				Lanes: run.LaneCounts{Working: 1}, Usage: run.Usage{Input: 88_000}, Unheard: deaf,
			},
			{
				Key: "/l/runs/a", Origin: run.OriginLoop, ID: "l", Name: "polish", Family: "claude",
				State: run.StandingLimited, Began: ago(3 * time.Hour), At: ago(20 * time.Minute), Why: "5-hour limit reached",
				Until: start.Add(41*time.Minute + 7*time.Second), How: run.HowText, Lanes: run.LaneCounts{Waiting: 1}, Unheard: "loopy-loop takes no orders from Layover",
			},
			{
				Key: "/c/projects/web/1.jsonl", Origin: run.OriginSession, ID: "1f", Name: "web", Dir: "/home/me/web", Family: "claude", Model: "opus",
				State: run.StandingAsking, Began: ago(30 * time.Minute), At: ago(4 * time.Minute), Doing: "Shall I also delete the old handler?",
				Usage: run.Usage{Input: 420_000}, Unheard: "a session takes no orders",
			},
			{
				Key: "/x/sessions/r.jsonl", Origin: run.OriginSession, ID: "2f", Name: "api", Family: "codex",
				State: run.StandingAsking, Began: ago(40 * time.Minute), At: ago(35 * time.Minute), Doing: "Done. All tests pass.",
				Usage: run.Usage{Input: 99_900}, Unheard: "a session takes no orders",
			},
			{
				Key: "/s/runs/idle", Origin: run.OriginLayover, ID: "i", Name: "docs", Family: "codex", State: run.StandingIdle,
				Began: ago(50 * time.Minute), At: ago(9 * time.Second), Why: "connection failed, tries again", Lanes: run.LaneCounts{Waiting: 1},
			},
			{
				Key: "/h/runs/b", Origin: run.OriginHarness, Name: "import", Family: "gemini", State: run.StandingOrphaned,
				At: ago(26 * time.Hour), Why: "its process is gone", Unheard: deaf,
			},
			{Key: "/tmp/out.jsonl", Origin: run.OriginStream, State: run.StandingUnreadable, At: ago(5 * time.Minute), Why: "permission denied"},
			{
				Key: "/s/runs/old", Origin: run.OriginLayover, ID: "o", Name: "yesterday", Family: "claude", State: run.StandingDone,
				At: ago(20 * time.Hour), Doing: "All green.", Usage: run.Usage{Input: 9_800_000, CostUSD: 20},
			},
			{
				Key: "/s/runs/mine", Origin: run.OriginLayover, ID: "20261129_150000_0badcafe", Name: "migrate", Family: "claude", State: run.StandingStopped,
				At: ago(3 * time.Hour), Why: "stopped by the operator", Unheard: "the run has ended", Lanes: run.LaneCounts{Done: 2, Failed: 1},
			},
			{
				Key: "/c/projects/x/2.jsonl", Origin: run.OriginSession, Name: "scratch", Family: "claude", State: run.StandingWorking,
				At: ago(2 * time.Hour), Doing: "reads main.go", Usage: run.Usage{Input: 5}, Unheard: "a session takes no orders",
			},
			{Key: "/c/projects/y/3.jsonl", Origin: run.OriginSession, Name: "attic", Family: "claude", State: run.StandingListed, At: ago(400 * time.Hour)},
		},
		Families: []run.FamilySeen{
			{
				Name: "claude", Working: 2,
				Windows: []run.Window{{
					WindowKey: run.WindowKey{Family: "claude", Sort: run.SortLimit}, Kind: run.KindUsage, Trip: true,
					OpenedAt: ago(time.Hour), Until: start.Add(3 * time.Hour), How: run.HowStated, Reason: "Claude usage limit reached",
				}},
				Suspicions: []run.Suspicion{{Family: "claude", Model: "opus", Why: "polish says: weekly limit", Since: ago(time.Hour), Until: start.Add(50 * time.Hour)}},
				Readings: []run.Reading{
					{Gauge: run.Gauge{Limit: "five_hour", Used: 1, Window: 5 * time.Hour, Resets: start.Add(3 * time.Hour)}, At: start},
					{Gauge: run.Gauge{Limit: "seven_day", Used: 0.41, Window: 168 * time.Hour, Resets: start.Add(50 * time.Hour)}, At: start},
				},
			},
			{
				Name: "codex", Working: 1,
				Suspicions: []run.Suspicion{{Family: "codex", Why: "a session was refused", Since: ago(time.Minute), Until: start.Add(8 * time.Minute)}},
				Readings:   []run.Reading{{Gauge: run.Gauge{Limit: "codex", Used: 0.83, Window: 5 * time.Hour, Resets: start.Add(time.Hour)}, At: start}},
			},
			{Name: "gemini"},
		},
		Usage: run.Usage{Input: 48_200_000, CostUSD: 123.4, Unpriced: 4000},
		Notes: []string{"~/.codex/sessions is on a network disk: looked at every 5 s", "another"},
	}
}

// many are n runs, of which every tenth is at work.
func many(n int) run.Changes {
	var c run.Changes
	for i := range n {
		w := run.Watched{
			Key: fmt.Sprintf("/c/%05d", i), Origin: run.OriginSession, Name: run.Untrusted(fmt.Sprintf("project-%d", i)), Family: "claude",
			State: run.StandingDone, At: start.Add(-time.Duration(i) * time.Minute), Usage: run.Usage{Input: int64(i) * 1000},
		}
		if i%10 == 0 {
			w.State, w.At, w.Doing = run.StandingWorking, start.Add(-time.Duration(i)*time.Millisecond), "edits a file"
			w.Began = start.Add(-time.Duration(i) * time.Minute)
		}
		c.Runs = append(c.Runs, w)
	}
	return c
}

// hostile has names and words that would break a screen.
func hostile() run.Changes {
	nasty := []run.Untrusted{
		"\x1b[2J\x1b]0;owned\x07clean", "abc\u202ecba", "日本語の長い名前のプロジェクト日本語の長い名前", "a\r\nb\tc\x00d", "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301", "\U0001F468\u200d\U0001F469\u200d\U0001F467 family",
		"\u009b31mred", "\xff\xfe",
	}
	var c run.Changes
	for i, n := range nasty {
		c.Runs = append(c.Runs, run.Watched{
			Key: fmt.Sprintf("/k/%d", i), Origin: run.OriginSession, Name: n, Doing: n, Family: string(n), State: run.StandingWorking,
			Began: start.Add(-time.Duration(i) * time.Minute), At: start, Why: n, Unheard: string(n),
		})
	}
	c.Families = []run.FamilySeen{{
		Name:       string(nasty[1]),
		Windows:    []run.Window{{WindowKey: run.WindowKey{Family: string(nasty[0]), Model: string(nasty[2]), Sort: run.SortLimit}, Until: start.Add(time.Hour), Reason: nasty[3]}},
		Suspicions: []run.Suspicion{{Family: string(nasty[5]), Why: string(nasty[6]), Until: start.Add(time.Hour)}},
		Readings:   []run.Reading{{Gauge: run.Gauge{Limit: string(nasty[4]), Used: 7}, At: start}},
	}}
	c.Notes = []string{string(nasty[0])}
	return c
}

// shown is a screen that has been told changes, at a size, without colour.
func shown(o fleet.Options, w, h int, changes ...run.Changes) fleet.Model {
	if o.Styles == nil {
		o.Styles = look(styles.Unicode())
	}
	o.Zone = zone
	m := fleet.New(o)
	m, _ = m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	m, _ = m.Update(tui.TickMsg{Now: start})
	for _, c := range changes {
		m, _ = m.Update(tui.ChangesMsg{Changes: c})
	}
	return m
}

// look is without colour.
func look(glyphs styles.Glyphs) *styles.Styles {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.Ascii)
	return styles.New(renderer, styles.Dark(), glyphs)
}

// press makes the message of a key: a letter, or a name that bubbletea knows.
func press(name string) tea.KeyMsg {
	named := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "ctrl+c": tea.KeyCtrlC,
		"ctrl+z": tea.KeyCtrlZ, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	if k, ok := named[name]; ok {
		return tea.KeyMsg{Type: k}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	m.Run()
}

func fleetOptions() fleet.Options { return fleet.Options{Styles: look(styles.Unicode())} }
