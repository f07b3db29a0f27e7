package runfile_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

var start = time.Date(2026, 3, 1, 22, 0, 0, 0, time.UTC)

// long is the state of a run in which each lane had one agent, of which the first
// still runs and the others ended one after the other.
func long(lanes int) *run.State {
	s := &run.State{Program: run.Program{Tasks: []run.Task{{Name: "t", Prompt: "Do it all, please."}}}, StartedAt: start}
	for i := range lanes {
		a := run.Attempt{
			ID: run.AttemptID(i + 1), Target: run.Target{Agent: "claude"}, SpawnedAt: start,
			Worker: fmt.Sprintf("t__agent_%012x", i+1), EndedAt: start.Add(time.Duration(i) * time.Second),
			Class: run.ClassSuccess,
		}
		l := &run.Lane{ID: run.LaneID(i + 1), State: run.LaneDone, Usage: run.Usage{Input: 1, CacheRead: 2, Output: 3}}
		if i == 0 {
			a.EndedAt, a.Class, l.State = time.Time{}, 0, run.LaneWorking
		}
		l.Attempts = []run.Attempt{a}
		s.Lanes = append(s.Lanes, l)
	}
	return s
}

func TestOldOnesAreLeftOut(t *testing.T) {
	for _, lanes := range []int{1, runfile.Keep + 1, runfile.Keep + 2, 10*runfile.Keep + 7} {
		t.Run(fmt.Sprint(lanes), func(t *testing.T) {
			f := runfile.Of(long(lanes), runfile.Options{})
			omitted := max(0, lanes-1-runfile.Keep)
			if f.Layover.OmittedAgents != omitted || f.Layover.OmittedLanes != omitted {
				t.Errorf("%d agents and %d lanes omitted, want %d", f.Layover.OmittedAgents, f.Layover.OmittedLanes, omitted)
			}
			if len(f.Agents) != lanes-omitted || len(f.Layover.Lanes) != lanes-omitted {
				t.Errorf("%d agents and %d lanes, want %d", len(f.Agents), len(f.Layover.Lanes), lanes-omitted)
			}
			if first := f.Agents[0]; first.ID != "agent_000000000001" || first.Status != runfile.StatusRunning {
				t.Errorf("the running agent is not first: %+v", first)
			}
			if last := f.Agents[len(f.Agents)-1]; last.ID != fmt.Sprintf("agent_%012x", lanes) {
				t.Errorf("the latest agent is not last: %+v", last)
			}
			var prompt, completion int64
			for _, turn := range f.Turns {
				prompt, completion = prompt+turn.PromptTokens, completion+turn.CompletionTokens
			}
			if prompt != int64(3*lanes) || completion != int64(3*lanes) {
				t.Errorf("the turns sum up to %d and %d tokens", prompt, completion)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	ended := start.Add(time.Minute)
	tests := map[string]struct {
		attempt run.Attempt
		status  runfile.Status
		code    *int
	}{
		"running":         {run.Attempt{SpawnedAt: start}, runfile.StatusRunning, nil},
		"being ended":     {run.Attempt{SpawnedAt: start, Ending: run.EndingStop}, runfile.StatusRunning, nil},
		"done":            {run.Attempt{SpawnedAt: start, EndedAt: ended, Class: run.ClassSuccess}, runfile.StatusDone, new(0)},
		"done, then told": {run.Attempt{SpawnedAt: start, EndedAt: ended, Class: run.ClassSuccess, Ending: run.EndingStop, Exit: run.Exit{Code: -1, Signal: "killed"}}, runfile.StatusDone, new(-1)},
		"failed":          {run.Attempt{SpawnedAt: start, EndedAt: ended, Class: run.ClassFailed, Exit: run.Exit{Code: 2}}, runfile.StatusFailed, new(2)},
		"limited":         {run.Attempt{SpawnedAt: start, EndedAt: ended, Class: run.ClassRateLimited}, runfile.StatusFailed, new(0)},
		"stopped":         {run.Attempt{SpawnedAt: start, EndedAt: ended, Class: run.ClassCancelled}, runfile.StatusKilled, new(0)},
		"deadline":        {run.Attempt{SpawnedAt: start, EndedAt: ended, Class: run.ClassDeadline, Exit: run.Exit{Code: 143}}, runfile.StatusKilled, new(143)},
		"swapped":         {run.Attempt{SpawnedAt: start, EndedAt: ended, Class: run.ClassIncomplete, Ending: run.EndingSwap}, runfile.StatusKilled, new(0)},
		"signal":          {run.Attempt{SpawnedAt: start, EndedAt: ended, Class: run.ClassIncomplete, Exit: run.Exit{Code: -1, Signal: "killed"}}, runfile.StatusKilled, new(-1)},
		"lost":            {run.Attempt{SpawnedAt: start, EndedAt: ended, Class: run.ClassIncomplete, Exit: run.Exit{Lost: true}}, runfile.StatusFailed, nil},
		"not known":       {run.Attempt{SpawnedAt: start, EndedAt: ended, Class: run.ClassIncomplete, Exit: run.Exit{Code: -1}}, runfile.StatusFailed, nil},
		"never started":   {run.Attempt{EndedAt: ended, Class: run.ClassFailed}, runfile.StatusFailed, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := long(1)
			s.Lanes[0].Attempts = []run.Attempt{tt.attempt}
			f := runfile.Of(s, runfile.Options{})
			if len(f.Agents) != 1 || f.Agents[0].Status != tt.status {
				t.Fatalf("got %+v, want %s", f.Agents, tt.status)
			}
			if d := cmp.Diff(tt.code, f.Agents[0].ExitCode); d != "" {
				t.Errorf("exit code (-want +got):\n%s", d)
			}
		})
	}
}

func TestNothingOfPrompts(t *testing.T) {
	s := long(1)
	secret := []string{"Do it all, please.", "--prompt=Do it all, please.", "first line\nsecond", strings.Repeat("x", 300)}
	command := append([]string{"claude", "-p", "--model"}, secret...)
	s.Lanes[0].Attempts[0].Command = command
	data, err := runfile.Encode(s, runfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(`"command":["claude","-p","--model","…","…","…","…"]`)) {
		t.Errorf("got %s", data)
	}
	if bytes.Contains(data, []byte("please")) {
		t.Errorf("a prompt is in %s", data)
	}
}

// A limit that ended before its time is not in force for other tools any more, and
// however many trips follow, the latest of every family is there.
func TestLimited(t *testing.T) {
	key := run.WindowKey{Family: "claude", Sort: run.SortLimit}
	trip := func(family string, resets time.Time) run.Trip {
		return run.Trip{Family: family, TrippedAt: start, ResetsAt: resets}
	}
	late, now := start.Add(5*time.Hour), start.Add(time.Hour)
	good := &run.Family{Name: "claude", Good: map[run.WindowKey]time.Time{key: start.Add(time.Minute)}}
	tests := map[string]struct {
		state run.State
		want  time.Time
	}{
		"open":                {run.State{Windows: []*run.Window{{WindowKey: key, Trip: true}}}, late},
		"settled good":        {run.State{Families: []*run.Family{good}}, start.Add(time.Minute)},
		"cleared":             {run.State{}, now},
		"open, but no trip":   {run.State{Windows: []*run.Window{{WindowKey: key}}}, now},
		"another is open":     {run.State{Windows: []*run.Window{{WindowKey: run.WindowKey{Family: "codex", Sort: run.SortLimit}, Trip: true}}}, now},
		"good in another age": {run.State{Families: []*run.Family{{Name: "claude", Good: map[run.WindowKey]time.Time{key: start.Add(-1)}}}}, now},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.state.LastAt = now
			tt.state.Trips = []run.Trip{trip("claude", late)}
			for range 2 * runfile.Keep {
				tt.state.Trips = append(tt.state.Trips, trip("codex", start))
			}
			all := runfile.Of(&tt.state, runfile.Options{}).Limited
			if len(all) != runfile.Keep+1 || all[0].Family != "claude" || !all[0].ResetsAt.Equal(tt.want) {
				t.Errorf("%d entries, the first %+v, want its reset at %s", len(all), all[0], tt.want)
			}
		})
	}
}

// Hostile text and odd instants are written so that they read back as they were
// meant, and nothing else is lost.
func TestReadsBack(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "bytes")) })
	when := rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(rapid.Int64Range(-1e11, 1e12).Draw(t, "s"), rapid.Int64Range(0, 1e9-1).Draw(t, "ns"))
	})
	rapid.Check(t, func(t *rapid.T) {
		s := long(rapid.IntRange(1, 4).Draw(t, "lanes"))
		s.ID, s.Program.Name, s.Phase = text.Draw(t, "id"), text.Draw(t, "name"), run.PhaseEnded
		s.StartedAt, s.EndedAt, s.LastAt, s.Exit, s.ExitWhy = when.Draw(t, "start"), when.Draw(t, "end"), when.Draw(t, "last"), 75, text.Draw(t, "why")
		s.Stop = run.Stop(rapid.IntRange(0, 2).Draw(t, "stop"))
		s.Usage = run.Usage{CostUSD: rapid.Float64().Draw(t, "cost"), Unpriced: rapid.Int64().Draw(t, "unpriced")}
		a := &s.Lanes[0].Attempts[0]
		a.Command = []string{"claude", s.ID}
		a.Worker, a.PIDStart, a.Session, a.Model = text.Draw(t, "worker"), text.Draw(t, "pid start"), text.Draw(t, "session"), text.Draw(t, "model")
		s.Lanes[0].Target = run.Target{Agent: "a" + strings.ReplaceAll(text.Draw(t, "agent"), ":", ""), Model: text.Draw(t, "model")}
		s.Trips = []run.Trip{{Family: text.Draw(t, "family"), TrippedAt: when.Draw(t, "tripped"), ResetsAt: when.Draw(t, "reset"), Reason: run.Untrusted(text.Draw(t, "reason"))}}
		s.Windows = []*run.Window{{
			WindowKey: run.WindowKey{Family: text.Draw(t, "family"), Sort: run.SortHealth}, Kind: run.KindHealth, How: run.HowText,
			OpenedAt: when.Draw(t, "opened"), Until: when.Draw(t, "until"), Reason: run.Untrusted(text.Draw(t, "reason")),
		}}
		o := runfile.Options{
			ParentPID: rapid.IntRange(0, 1<<22).Draw(t, "pid"), ParentStart: text.Draw(t, "parent"),
			Logs: func(w string) (string, string) { return "/out/" + w, "/err/" + w },
		}
		data, err := runfile.Encode(s, o)
		if err != nil {
			t.Fatal(err)
		}
		f, err := runfile.Decode(data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if d := cmp.Diff(runfile.Of(s, o), f, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("(-of +decoded):\n%s", d)
		}
	})
}

func TestEncodeZero(t *testing.T) {
	if _, err := runfile.Encode(nil, runfile.Options{}); err == nil {
		t.Error("no state was written")
	}
	if data, err := runfile.Encode(&run.State{}, runfile.Options{}); err != nil || !bytes.Contains(data, []byte(`"agents":[]`)) {
		t.Errorf("%s, %v", data, err)
	}
}
