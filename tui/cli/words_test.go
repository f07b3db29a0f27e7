package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// hostile is what a text from outside may hold.
const hostile = "a\x1b[2J\x1b]52;c;ZXZpbA==\x07\r\nEVIL\u202e\u009b\x00\xff"

// fill sets everything within v that can be set: texts to text, numbers and times
// to something that is not zero.
func fill(v reflect.Value, text string) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(now().Add(41*time.Minute + 7*time.Second)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint64:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), text)
			}
		}
	}
}

// filled gives a body with everything set.
func filled(b run.Body, text string) run.Body {
	v := reflect.New(reflect.TypeOf(b)).Elem()
	fill(v, text)
	return v.Interface().(run.Body)
}

// began is the state of a run with one lane.
func began(t *testing.T, name string) *run.State {
	t.Helper()
	p := run.Defaults()
	p.Name = "night"
	p.Order = []run.Target{{Agent: "claude"}, {Agent: "codex"}}
	p.Tasks = []run.Task{{Name: name, Prompt: "x", Wait: run.WaitPark}}
	s := &run.State{}
	for i, f := range []run.Fact{
		{Body: run.RunStarted{RunID: "r", Program: p, Speed: 1}},
		{Body: run.IterationStarted{Iteration: 1}},
		{Lane: 1, Body: run.LaneStarted{Task: name, Job: run.Job{Iteration: 1}}},
	} {
		f.Seq, f.At = uint64(i+1), now()
		if err := s.Apply(f); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestEveryFactHasWords(t *testing.T) {
	s := began(t, "tests")
	w := Words{}
	for _, b := range run.Bodies() {
		for what, body := range map[string]run.Body{"empty": b, "full": filled(b, "text"), "hostile": filled(b, hostile)} {
			for lane := range run.LaneID(3) {
				f := run.Fact{Seq: 4, At: now(), Lane: lane, Body: body}
				if said, ok := w.fact(s, f); !ok || strings.TrimSpace(said) == "" {
					t.Errorf("%s %s: %q, %v", what, b.Name(), said, ok)
				}
				checkLine(t, w.Line(s, f))
			}
		}
	}
}

// seeings has one empty body of every kind of observation.
func seeings() []run.Seeing {
	return []run.Seeing{run.ParkTick{}, run.Activity{}, run.Gauges{}, run.Trouble{}}
}

// TestSeeingsAreAll looks for the kinds of observations where they are declared.
func TestSeeingsAreAll(t *testing.T) {
	files, err := filepath.Glob("../../engine/run/*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared, listed := map[string]bool{}, map[string]bool{}
	method := regexp.MustCompile(`(?m)^func \((?:\w+ )?\*?(\w+)\) seeing\(\)`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range method.FindAllSubmatch(source, -1) {
			declared[string(m[1])] = true
		}
	}
	for _, b := range seeings() {
		listed[reflect.TypeOf(b).Name()] = true
	}
	if diff := cmp.Diff(declared, listed); diff != "" || len(declared) == 0 {
		t.Errorf("(-declared +listed)\n%s", diff)
	}
}

// TestLabelsKeepTheIteration has names and numbers of any length: the number is
// whole, and what is said begins in the same column.
func TestLabelsKeepTheIteration(t *testing.T) {
	tests := map[string]struct {
		task                  string
		iterations, iteration int
		want                  string
	}{
		"one iteration":    {"a", 1, 1, "12:00:00  a    turn started"},
		"few":              {"a", 3, 3, "12:00:00  a#3    turn started"},
		"ten":              {"a", 10, 10, "12:00:00  a#10    turn started"},
		"the first of ten": {"a", 10, 1, "12:00:00  a#1     turn started"},
		"a million":        {"tests", 1_000_000, 1_000_000, "12:00:00  tests#1000000  turn started"},
		"a long name":      {"abcdefghijklmnopqrstuvwxyz", 10, 10, "12:00:00  abcdefghijklmnopqrs…#10  turn started"},
		"long, once":       {"abcdefghijklmnopqrstuvwxyz", 1, 1, "12:00:00  abcdefghijklmnopqrs…  turn started"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := began(t, tt.task)
			s.Program.Iterations, s.Lane(1).Job.Iteration = tt.iterations, tt.iteration
			if got := (Words{}).Line(s, run.Fact{At: now(), Lane: 1, Body: run.TurnStarted{}}); got != tt.want {
				t.Errorf("\ngot  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestEveryObservationHasWords(t *testing.T) {
	s := began(t, hostile)
	for _, b := range seeings() {
		v := reflect.New(reflect.TypeOf(b)).Elem()
		fill(v, hostile)
		for _, body := range []run.Seeing{b, v.Interface().(run.Seeing)} {
			o := run.Observation{At: now(), Lane: 1, Attempt: 1, Body: body}
			if said, ok := (Words{}).seeing(o); !ok || said == "" {
				t.Errorf("%s: %q, %v", b.Name(), said, ok)
			}
			checkLine(t, Words{}.Seen(s, o))
		}
	}
}

// checkLine fails if a line is not one, or would do something to a terminal.
func checkLine(t *testing.T, line string) {
	t.Helper()
	if !strings.HasPrefix(line, "12:00:00  ") {
		t.Errorf("its time is gone: %q", line)
	}
	for _, r := range line {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			t.Errorf("%U in %q", r, line)
		}
	}
}

func TestWords(t *testing.T) {
	s := began(t, "tests")
	w := Words{Zone: time.FixedZone("X", 2*3600)}
	at := now().Add(4*time.Minute + 31*time.Second)
	wake := at.Add(41*time.Minute + 7*time.Second)
	claude := run.WindowKey{Family: "claude", Sort: run.SortLimit}
	v := run.Window{WindowKey: claude, Kind: run.KindUsage, OpenedAt: at, Until: wake, How: run.HowStated, NextTry: wake, Trip: true, Reason: "session limit"}
	login := run.Window{WindowKey: run.WindowKey{Family: "codex", Sort: run.SortLogin}, Kind: run.KindAuth, OpenedAt: at, How: run.HowStated, Reason: "401"}
	s.Windows = []*run.Window{&v}
	opus, codex := run.Target{Agent: "claude", Model: "opus"}, run.Target{Agent: "codex"}
	used := run.Usage{Input: 12000, Output: 345, CostUSD: 0.12}
	f := func(n float64) *float64 { return &n }
	bodies := []struct {
		lane run.LaneID
		body run.Body
	}{
		{0, run.RunStarted{RunID: "r1", Program: s.Program, Missing: []string{"gemini"}}},
		{0, run.RunResumed{}},
		{0, run.IterationStarted{Iteration: 1}},
		{1, run.LaneStarted{Job: run.Job{Requeued: 2}, Deadline: wake}},
		{1, run.LaneRouted{Why: "start", To: opus}},
		{1, run.LaneRouted{Why: "patience", To: codex, Next: true}},
		{1, run.LaneRouted{Why: "failover"}},
		{1, run.TurnStarted{}},
		{1, run.AttemptStarted{Attempt: 7, Target: opus, Resume: "s-1", Permits: []run.WindowKey{claude}, Handoff: true}},
		{1, run.AgentSpawned{Attempt: 7, PID: 4711, Worker: "tests__claude_1"}},
		{1, run.AttemptServed{Attempt: 7, Sign: "text"}},
		{1, run.SessionLearned{Attempt: 7, Session: "s-1", Model: "opus"}},
		{1, run.AttemptEnding{Attempt: 7, Why: run.EndingSwap}},
		{1, run.AttemptEnded{Attempt: 7, Exit: run.Exit{Code: 1}, DurationMs: 61_000, Verdict: run.Verdict{
			Class: run.ClassRateLimited, Kind: run.KindUsage, Scope: run.ScopeModel, Reset: wake, How: run.HowText, Message: "limit reached",
		}}},
		{1, run.AttemptEnded{Attempt: 8, Exit: run.Exit{Signal: "killed"}, Verdict: run.Verdict{Class: run.ClassStalled, Evidence: []run.Evidence{{Rule: "generic.output"}}}}},
		{1, run.UsageCounted{Attempt: 7, Usage: used}},
		{1, run.UsageIncomplete{Attempt: 8}},
		{1, run.RetryScheduled{Retry: 1, Reason: run.ClassTransport, DelayMs: 412, WakeAt: at}},
		{1, run.RetryScheduled{Reason: run.ClassRateLimited, DelayMs: 90_000, WakeAt: at.Add(90 * time.Second), How: run.HowStated}},
		{0, run.FamilySuspected{Suspicion: run.Suspicion{Family: "claude", Model: "opus", Why: "second retry notice", Until: wake}}},
		{0, run.WindowOpened{Window: v}},
		{0, run.WindowOpened{Window: login}},
		{0, run.FamilyTripped{Family: "claude", ResetsAt: wake, How: run.HowStated, Reason: "session limit"}},
		{1, run.TurnParked{Reason: run.ClassRateLimited, PlannedMs: run.MillisOf(wake.Sub(at)), WakeAt: wake, How: run.HowStated, Window: claude}},
		{1, run.TurnParked{Reason: run.ClassOverloaded, PlannedMs: 30_000, WakeAt: at.Add(30*time.Second + 1)}},
		{0, run.ParkMoved{Window: claude, Lanes: 3, WakeAt: wake.Add(26 * time.Hour), How: run.HowStated}},
		{1, run.ParkMoved{WakeAt: at, Released: true}},
		{1, run.TurnWoken{Reason: run.WokenCleared, WaitedMs: 2_467_000}},
		{1, run.PermitGranted{Key: claude, Attempt: 9, Lapses: wake}},
		{1, run.ProbeSettled{Key: claude, Attempt: 9, Good: true, Why: "text"}},
		{0, run.WindowCleared{Key: claude, Why: "served", Good: true}},
		{1, run.SpawnRefused{Key: claude, Family: "claude", Until: wake, Reason: "session limit", Free: []run.Target{codex}}},
		{0, run.HealthFailed{Family: "codex", InARow: 2, Class: run.ClassTransport}},
		{1, run.ProviderFallback{From: opus, To: codex, Reason: run.ClassRateLimited, Counted: true}},
		{1, run.ProviderFallback{From: codex, To: opus}},
		{1, run.HandoffWritten{Attempt: 7, Bytes: 12345}},
		{1, run.HandoffWritten{Attempt: 7, Bytes: 12345, Summary: true}},
		{1, run.SummaryAsked{Attempt: 7, Bytes: 250_000, Until: at.Add(2 * time.Minute)}},
		{1, run.SummarySkipped{Attempt: 7}},
		{1, run.OverflowRung{Rung: 1, Keep: 0.75}},
		{1, run.RetriesExhausted{Attempts: 3, Reasons: []run.Class{run.ClassTransport, run.ClassStalled}, Retryable: true}},
		{1, run.Error{Message: "claude is limited for longer than the deadline", HintS: f(18000), CeilingS: f(3570), HeadroomS: f(3600), ResetsAt: wake.AddDate(1, 0, 0)}},
		{1, run.TurnEnded{State: run.LaneBlocked, Class: run.ClassRateLimited, Target: codex}},
		{1, run.LaneEnded{State: run.LaneDone, Class: run.ClassSuccess}},
		{0, run.TaskRequeued{}},
		{0, run.ProgramWaiting{Until: wake, Why: "all targets are limited"}},
		{0, run.StopRequested{Run: true}},
		{1, run.StopRequested{Boundary: at.Add(20 * time.Second)}},
		{0, run.ControlReceived{Verb: "clear", Target: "claude", From: "key"}},
		{0, run.ClockStepped{ByMs: -5000}},
		{0, run.UntilChecked{Iteration: 1, Done: true}},
		{0, run.RunEnded{Exit: 75, Why: "still limited", ResetsAt: wake, Usage: used}},
	}
	var out strings.Builder
	for _, b := range bodies {
		out.WriteString(w.Line(s, run.Fact{At: at, Lane: b.lane, Body: b.body}) + "\n")
	}
	for _, o := range []run.Observation{
		{Lane: 1, Attempt: 7, Body: run.ParkTick{WaitedMs: 300_000, WakeAt: wake, How: run.HowStated}},
		{Lane: 1, Attempt: 7, Body: run.Activity{Doing: "Edit main.go", Usage: used}},
		{Lane: 1, Attempt: 7, Body: run.Activity{Message: "The total is wrong.", Usage: used}},
		{Lane: 1, Attempt: 7, Body: run.Activity{Retry: run.Retry{Attempt: 2, Status: 429}}},
		{Lane: 1, Attempt: 7, Body: run.Activity{Retry: run.Retry{Attempt: 3, Max: 10, Delay: 4700 * time.Millisecond, Status: 429}}},
		{Lane: 1, Attempt: 7, Body: run.Gauges{Family: "claude", Readings: []run.Reading{
			{Gauge: run.Gauge{Limit: "five_hour", Used: .83, Window: 5 * time.Hour, Resets: at.Add(26 * time.Hour)}, At: at},
			{Gauge: run.Gauge{Limit: "seven_day", Used: .41, Window: 7 * 24 * time.Hour}, At: at},
			{Gauge: run.Gauge{Limit: "gone", Used: .99, Resets: at}, At: at},
		}}},
		{Body: run.Trouble{Message: "cannot write events.jsonl: no space left on device"}},
		{Body: run.Trouble{Message: "cannot write run.json: no space left on device", ExportOnly: true}},
		{Body: run.Trouble{}},
	} {
		o.At = at.Add(24 * time.Hour)
		out.WriteString(w.Seen(s, o) + "\n")
	}
	golden.RequireEqual(t, []byte(out.String()))
}

func TestWordsOfBudgets(t *testing.T) {
	s := began(t, "tests")
	used := run.Usage{Input: 1_500_000, CostUSD: 20.125}
	for name, tt := range map[string]struct {
		body run.Body
		want string
	}{
		"spent":            {run.BudgetSpent{Used: used, Budget: run.Budget{MaxCostUSD: 20}}, "the budget of $20.00 is spent: $20.12 used"},
		"a task's":         {run.BudgetSpent{Task: "tests", Used: used, Budget: run.Budget{MaxCostUSD: 30, MaxTokens: 1_000_000}}, "the task's budget of 1.0M tokens is spent: 1.5M used"},
		"all is priced":    {run.UsageCounted{Attempt: 1, Usage: used}, "attempt 1 used 1.5M tokens, $20.12"},
		"some is priced":   {run.UsageCounted{Attempt: 1, Usage: used.Add(run.Usage{Output: 2000, Unpriced: 2000})}, "attempt 1 used 1.5M tokens, $20.12, 2.0k of the tokens at a price nobody stated"},
		"nothing is":       {run.UsageCounted{Attempt: 1, Usage: run.Usage{Output: 2000, Unpriced: 2000}}, "attempt 1 used 2.0k tokens"},
		"ended by a spent": {run.AttemptEnding{Attempt: 1, Why: run.EndingBudget}, "attempt 1 is asked to end (budget)"},
	} {
		if got, _ := (Words{}).fact(s, run.Fact{Lane: 1, Body: tt.body}); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// What a conversation that is too long is followed by depends on whether work is handed on.
func TestWordsOfAnOverflow(t *testing.T) {
	for handoff, want := range map[bool]string{
		true:  "the conversation is too long, recoverable: starts anew with 1/2 of it (try 2 of 2)",
		false: "the conversation is too long, recoverable: starts anew with the task alone (try 2 of 2)",
	} {
		s := began(t, "tests")
		s.Program.Handoff = handoff
		if got, _ := (Words{}).fact(s, run.Fact{Lane: 1, Body: run.OverflowRung{Rung: 2, Keep: 0.5}}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
