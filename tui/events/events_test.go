package events_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/events"
)

var at = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// state has one lane, which has one attempt under way.
func state() *run.State {
	l := &run.Lane{ID: 1, State: run.LaneWorking, StartedAt: at.Add(-9 * time.Minute), EndedAt: at, Attempts: []run.Attempt{{ID: 1}}}
	return &run.State{Program: run.Program{Handoff: true, Tasks: []run.Task{{Name: "tests"}}}, Lanes: []*run.Lane{l}}
}

func TestWords(t *testing.T) {
	claude, codex := run.Target{Agent: "claude", Model: "opus"}, run.Target{Agent: "codex"}
	key := run.WindowKey{Family: "claude", Sort: run.SortLimit}
	until := at.Add(90 * time.Minute)
	open := func(kind run.Kind, sort run.Sort) run.Window {
		return run.Window{WindowKey: run.WindowKey{Family: "claude", Model: "opus", Sort: sort}, Kind: kind, Until: until, How: run.HowStated}
	}
	limited := run.Verdict{Class: run.ClassRateLimited, Reset: until, How: run.HowText, Message: "limit\x1b[2J reached"}
	const plain, warn, bad = events.TonePlain, events.ToneWarn, events.ToneBad
	cases := map[string]struct {
		body run.Body
		tone events.Tone
		want string
	}{
		"start":         {run.RunStarted{Program: run.Program{Name: "night", Tasks: make([]run.Task, 2)}}, plain, "started night: 2 tasks"},
		"resumed":       {run.RunResumed{}, plain, "taken up again"},
		"end":           {run.RunEnded{Exit: 75, Why: "no target"}, warn, "ended, exit 75: no target"},
		"unseen end":    {run.RunEnded{Exit: run.ExitUnseen, Why: "its file is gone"}, warn, "ended: its file is gone"},
		"good end":      {run.RunEnded{Why: "all tasks have ended"}, plain, "ended, exit 0: all tasks have ended"},
		"iteration":     {run.IterationStarted{Iteration: 2}, plain, "iteration 2"},
		"until":         {run.UntilChecked{Done: true}, plain, "until command says done"},
		"until fails":   {run.UntilChecked{Error: "no such\nfile"}, warn, "until command failed: no such↵file"},
		"waiting":       {run.ProgramWaiting{Until: until}, warn, "no target is free: waiting until 13:30"},
		"paused":        {run.ProgramPaused{}, warn, "paused: no new agents"},
		"unpaused":      {run.ProgramUnpaused{}, plain, "goes on"},
		"soft stop":     {run.StopRequested{Run: true}, warn, "soft stop: what runs now finishes"},
		"hard stop":     {run.StopRequested{Run: true, Hard: true}, warn, "hard stop"},
		"taken back":    {run.StopCancelled{Run: true}, plain, "soft stop taken back"},
		"notice":        {run.Notice{Message: "not woken"}, plain, "not woken"},
		"clock":         {run.ClockStepped{ByMs: 90_000}, warn, "the clock was moved forward by 01:30"},
		"requeued lane": {run.LaneStarted{Job: run.Job{Requeued: 1}}, plain, "taken up again"},
		"done":          {run.LaneEnded{State: run.LaneDone}, plain, "done after 9m"},
		"stopped":       {run.LaneEnded{State: run.LaneStopped}, plain, "stopped"},
		"swap":          {run.ProviderFallback{From: claude, To: codex, Reason: run.ClassRateLimited, Counted: true}, warn, "swapped from claude:opus to codex: rate limited"},
		"return":        {run.ProviderFallback{From: codex, To: claude, Reason: run.ClassCancelled}, warn, "moved from codex to claude:opus"},
		"handoff":       {run.HandoffWritten{Bytes: 12_300}, plain, "is given the work so far, 12.3kB"},
		"handoff, both": {run.HandoffWritten{Bytes: 12_300, Summary: true}, plain, "is given the work so far, 12.3kB, with a summary of what is left out"},
		"summary":       {run.SummaryAsked{Bytes: 250_000}, plain, "summarises first what is left out, 250kB"},
		"no summary":    {run.SummarySkipped{Attempt: 7}, warn, "goes on without a summary"},
		"overflow":      {run.OverflowRung{Rung: 1, Keep: 0.75}, warn, "the conversation is too long, recoverable: starts anew with 3/4 of it (try 1 of 2)"},
		"failed":        {run.Error{Message: "the agent failed"}, bad, "failed: the agent failed"},
		"blocked":       {run.Error{Message: "rate limited", Retryable: true, ResetsAt: until}, warn, "back to the queue: rate limited, resets 13:30"},
		"attempt":       {run.AttemptStarted{Target: claude}, plain, "starts claude:opus"},
		"resume":        {run.AttemptStarted{Target: codex, Resume: "id"}, plain, "resumes codex"},
		"with handoff":  {run.AttemptStarted{Target: codex, Handoff: true}, plain, "starts codex with the work so far"},
		"probe":         {run.AttemptStarted{Target: claude, Permits: []run.WindowKey{key}}, plain, "probes claude with claude:opus"},
		"adopted":       {run.AgentAdopted{}, plain, "follows the agent that still runs"},
		"session lost":  {run.SessionLost{}, warn, "session lost: starts afresh"},
		"ending":        {run.AttemptEnding{Why: run.EndingSwap}, warn, "agent asked to end: swap"},
		"limited":       {run.AttemptEnded{Verdict: limited}, warn, "rate limited until 13:30 (read from text): limit reached"},
		"too much":      {run.AttemptEnded{Verdict: run.Verdict{Class: run.ClassStalled, Evidence: []run.Evidence{{Rule: "codex.output"}}}}, warn, "the agent printed more than max_output_bytes"},
		"agent failed":  {run.AttemptEnded{Verdict: run.Verdict{Class: run.ClassFailed}}, bad, "failed"},
		"retry":         {run.RetryScheduled{DelayMs: 4000}, plain, "tries again in 00:04"},
		"parked":        {run.TurnParked{WakeAt: until, How: run.HowStated, Window: key}, plain, "parked until 13:30 (stated), waits for claude"},
		"held":          {run.TurnParked{}, plain, "parked"},
		"woken":         {run.TurnWoken{Reason: run.WokenOperator, WaitedMs: 60_000}, plain, "woken by the operator after 1m"},
		"gave up":       {run.TurnWoken{Reason: run.WokenDeadline, WaitedMs: 60_000}, plain, "gives up waiting after 1m"},
		"suspected":     {run.FamilySuspected{Suspicion: run.Suspicion{Family: "claude", Why: "429"}}, warn, "claude suspected: 429"},
		"tripped":       {run.FamilyTripped{Family: "claude", ResetsAt: until, How: run.HowAssumed}, warn, "claude tripped until 13:30 (assumed)"},
		"of a model":    {run.WindowOpened{Window: open(run.KindUsage, run.SortLimit)}, warn, "claude:opus: usage limit until 13:30 (stated)"},
		"login":         {run.WindowOpened{Window: open(run.KindAuth, run.SortLogin)}, bad, "claude:opus needs a login; c clears it by hand"},
		"bill":          {run.WindowOpened{Window: open(run.KindBilling, run.SortLogin)}, bad, "claude:opus must be paid for; c clears it by hand"},
		"seen":          {run.WindowSeen{Window: open(run.KindUsage, run.SortLimit)}, warn, "claude:opus limited until 13:30 (stated), says another run"},
		"cleared":       {run.WindowCleared{Key: key, Why: "served"}, plain, "claude is free again"},
		"cleared by us": {run.WindowCleared{Key: key, Why: "operator"}, plain, "claude is free again (operator)"},
		"bad probe":     {run.ProbeSettled{Key: key, Attempt: 1, Why: "no sign in time"}, warn, "probe of claude: no sign in time"},
		"refused":       {run.SpawnRefused{Key: key, Until: until}, warn, "no agent started: claude is limited until 13:30"},
		"health":        {run.HealthOpened{Window: open(run.KindHealth, run.SortHealth)}, warn, "claude rests until 13:30: failed too often"},
		"well again":    {run.HealthClosed{Family: "claude"}, plain, "claude is well again"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := events.Event{At: at, Who: "tests", Text: c.want, Tone: c.tone}
			got, ok := events.Words(state(), run.Fact{At: at, Lane: 1, Body: c.body}, nil)
			if diff := cmp.Diff(want, got); diff != "" || !ok {
				t.Errorf("told %v, differs (-want +got):\n%s", ok, diff)
			}
		})
	}
	if got, _ := events.Words(state(), run.Fact{Body: run.ProgramPaused{}}, nil); got.Who != "run" {
		t.Errorf("a fact about the run is %q's", got.Who)
	}
}

// TestQuietFacts lists every fact whose empty body is not told, so that a new kind
// of fact is thought about.
func TestQuietFacts(t *testing.T) {
	quiet := map[string]bool{
		"iteration_started": true, "until_asked": true, "until_checked": true, "lane_started": true, "lane_routed": true,
		"lane_ended": true, "turn_started": true, "turn_ended": true, "agent_spawned": true, "attempt_served": true,
		"session_learned": true, "park_moved": true, "turn_woken": true, "suspicion_ended": true, "window_extended": true,
		"permit_granted": true, "permit_released": true, "health_failed": true, "usage": true, "usage_incomplete": true,
		"retries_exhausted": true, "stop_requested": true, "stop_cancelled": true, "control_received": true,
		"task_requeued": true, "notice": true, "attempt_ended": true,
	}
	for _, b := range run.Bodies() {
		if b == nil {
			continue
		}
		e, told := events.Words(state(), run.Fact{At: at, Body: b}, nil)
		if told == quiet[b.Name()] {
			t.Errorf("%s: told %v (%q)", b.Name(), told, e.Text)
		}
	}
}

func pane(w, h, n int) events.Model {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	m := events.New(styles.New(r, styles.Dark(), styles.Unicode()), nil).SetSize(w, h)
	for i := range n {
		m = add(m, i)
	}
	return m
}

func add(m events.Model, i int) events.Model {
	return m.Add(state(), run.Fact{At: at, Body: run.Notice{Message: fmt.Sprintf("n%d", i)}})
}

func seen(m events.Model) string {
	var got []string
	for _, line := range m.View() {
		if _, after, ok := strings.Cut(line, " run "); ok {
			got = append(got, strings.Trim(after, "│ "))
		}
	}
	return strings.Join(got, " ")
}

// Events of another day than today name theirs, and have the room for it.
func TestOtherDays(t *testing.T) {
	m := pane(40, 4, 2)
	for day, want := range map[int]string{0: "│  12:00:00 run", 3: "│  30 Nov 12:00:00 run", 400: "│  30 Nov 2026 12:00:00 run"} {
		if got := strings.Join(m.At(at.AddDate(0, 0, day)).View(), "\n"); !strings.Contains(got, want) {
			t.Errorf("%d days later %q is not in\n%s", day, want, got)
		}
	}
}

func TestRing(t *testing.T) {
	cases := map[string]struct {
		n    int
		keys []tea.KeyType
		more int
		want string
	}{
		"few":                   {2, nil, 0, "n0 n1"},
		"the newest":            {9, nil, 0, "n6 n7 n8"},
		"after a full ring":     {events.Max + 40, nil, 0, "n537 n538 n539"},
		"back":                  {9, []tea.KeyType{tea.KeyUp, tea.KeyUp}, 0, "n4 n5 n6"},
		"back stays in place":   {9, []tea.KeyType{tea.KeyUp}, 2, "n5 n6 n7"},
		"and goes forth":        {9, []tea.KeyType{tea.KeyUp, tea.KeyEnd}, 2, "n8 n9 n10"},
		"the oldest":            {9, []tea.KeyType{tea.KeyHome}, 0, "n0 n1 n2"},
		"the oldest of a ring":  {events.Max + 40, []tea.KeyType{tea.KeyHome}, 0, "n40 n41 n42"},
		"a page":                {9, []tea.KeyType{tea.KeyPgUp}, 0, "n4 n5 n6"},
		"no further than there": {9, []tea.KeyType{tea.KeyHome, tea.KeyUp, tea.KeyDown}, 0, "n1 n2 n3"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := pane(60, 5, c.n)
			for _, k := range c.keys {
				m, _ = m.Update(tea.KeyMsg{Type: k})
			}
			for i := range c.more {
				m = add(m, c.n+i)
			}
			if got := seen(m); got != c.want {
				t.Errorf("seen %q, want %q", got, c.want)
			}
		})
	}
}
