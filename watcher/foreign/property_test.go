package foreign_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

var dawn = at("2026-12-01 10:00")

// essence is what matters of a state: where its lanes stand, what they used, and who is
// suspected.
type essence struct {
	ID, Name      string
	Phase         run.Phase
	Exit          int
	Why           string
	Usage         run.Usage
	Windows       int
	Lanes, Doubts []string
	Done, Failed  int
}

func essenceOf(s *run.State) essence {
	e := essence{
		ID: s.ID, Name: s.Program.Name, Phase: s.Phase, Exit: s.Exit, Why: s.ExitWhy, Usage: s.Usage,
		Windows: len(s.Windows), Done: s.Counts.Done, Failed: s.Counts.Failed,
	}
	for _, l := range s.Lanes {
		waits := time.Time{}
		if l.Wait != nil {
			waits = l.Wait.WakeAt
		}
		family, last := s.Program.FamilyOf(l.Target), l.Last.Class
		if l.State == run.LaneWorking {
			last = 0 // of an earlier attempt, which only one knows who has seen it
		}
		e.Lanes = append(e.Lanes, fmt.Sprintf("%s %s %s %s %v %s %q %s", s.Label(l), l.Target, l.State, last, l.Usage, family, l.Why, waits))
		if s.Family(family) == nil {
			e.Lanes = append(e.Lanes, family+" is not there")
		}
	}
	for _, x := range s.Suspicions {
		by := "the run"
		if l := s.Lane(x.Lane); l != nil {
			by = s.Label(l)
		}
		e.Doubts = append(e.Doubts, fmt.Sprintf("%s %s %s by %s %s %s", x.Family, x.Model, x.Why, by, x.Since, x.Until))
	}
	slices.Sort(e.Lanes)
	slices.Sort(e.Doubts)
	return e
}

// follower is a viewer of a run.
type follower struct {
	teller foreign.Teller
	state  *run.State
	fresh  int // how often it was told all
}

func (f *follower) see(t *rapid.T, k foreign.Known, now time.Time) {
	told := f.teller.Tell(k, now)
	if told.Restarted || f.state == nil {
		f.state = &run.State{}
		f.fresh++
	}
	last := f.state.LastAt
	for _, x := range told.Facts {
		if x.At.Before(last) || x.At.After(now) {
			t.Fatalf("fact %d is of %s, after %s at %s", x.Seq, x.At, last, now)
		}
		last = x.At
	}
	replay(t, f.state, told.Facts)
	for _, o := range told.Seen {
		if _, a := f.state.LaneOfAttempt(o.Lane, o.Attempt); a == nil {
			t.Fatalf("%+v is about nothing", o)
		}
		if _, err := o.MarshalJSON(); err != nil {
			t.Fatal(err)
		}
	}
	if again := f.teller.Tell(k, now); len(again.Facts)+len(again.Seen) > 0 || again.Restarted {
		t.Fatalf("told twice: %+v", again)
	}
}

// compare holds what was told bit by bit against what is told at once.
func (f *follower) compare(t *rapid.T, k foreign.Known, now time.Time) {
	one := follower{}
	one.see(t, k, now)
	near := cmpopts.EquateApprox(0, 1e-9)
	if d := cmp.Diff(essenceOf(one.state), essenceOf(f.state), near); d != "" {
		t.Fatalf("(-at once +bit by bit):\n%s", d)
	}
	if len(f.state.Windows)+len(f.state.Trips) > 0 {
		t.Fatal("a window was opened on the word of others")
	}
}

// tool is another tool and its agents, which do what they like.
type tool struct {
	file  runfile.File
	logs  map[string]stream.Account
	alive foreign.Alive
	now   time.Time
}

func (x *tool) known(f *runfile.File) foreign.Known {
	logs := map[string]stream.Account{}
	for k, v := range x.logs {
		logs[k] = v
	}
	return foreign.Known{Key: "/r/run.json", Origin: run.OriginHarness, File: f, Logs: logs, Alive: x.alive, Modified: x.now}
}

var kinds = []string{"claude", "codex", "worker"}

// steps are what may happen; each but those of a fault leaves a file that follows from
// the one before.
func (x *tool) steps(t *rapid.T) map[string]func() {
	agent := func() *runfile.Agent {
		if len(x.file.Agents) == 0 {
			return &runfile.Agent{}
		}
		return &x.file.Agents[rapid.IntRange(0, len(x.file.Agents)-1).Draw(t, "agent")]
	}
	log := func(change func(a *stream.Account)) {
		a := agent()
		acc := x.logs[a.StdoutLog]
		acc.Family, acc.At = a.Type, x.now
		change(&acc)
		x.logs[a.StdoutLog] = acc
	}
	return map[string]func(){
		"an agent more": func() {
			n := len(x.file.Agents) + 1
			x.file.Agents = append(x.file.Agents, runfile.Agent{
				ID: fmt.Sprintf("a%d", n), Type: rapid.SampledFrom(kinds).Draw(t, "type"),
				Status: "running", SpawnedAt: x.now, StdoutLog: fmt.Sprintf("a%d.log", n), PID: n,
			})
		},
		"one ends": func() {
			a := agent()
			if a.Status == "running" {
				a.Status = rapid.SampledFrom([]runfile.Status{"done", "failed", "killed", "drained"}).Draw(t, "status")
				a.FinishedAt, a.ExitCode = x.now, new(rapid.IntRange(0, 2).Draw(t, "code"))
			}
		},
		"it works": func() {
			log(func(a *stream.Account) {
				a.Turn, a.Verdict, a.Suspect, a.ServedAt = stream.TurnOpen, run.Verdict{}, "", x.now
				a.Activity.Retry = run.Retry{}
				a.Activity.Usage.Output += int64(rapid.IntRange(0, 9).Draw(t, "tokens"))
				a.Activity.Usage.CostUSD += 0.125
				a.Activity.Message = "works"
			})
		},
		"it is refused a call": func() {
			log(func(a *stream.Account) { a.Turn, a.Suspect, a.SuspectedAt = stream.TurnOpen, "429", x.now })
		},
		"it tries again": func() {
			log(func(a *stream.Account) {
				a.Turn, a.Verdict = stream.TurnOpen, run.Verdict{}
				a.Activity.Retry = run.Retry{
					Attempt: rapid.IntRange(1, 9).Draw(t, "try"), Status: rapid.SampledFrom([]int{0, 429, 529}).Draw(t, "status"),
					Delay: time.Duration(rapid.IntRange(0, 90).Draw(t, "delay")) * time.Second,
				}
			})
		},
		"its turn is over": func() {
			log(func(a *stream.Account) {
				a.Turn, a.Activity.Retry = stream.TurnOver, run.Retry{}
				a.Verdict = run.Verdict{Class: rapid.SampledFrom(run.Classes()).Draw(t, "class"), Message: "over"}
				if a.Verdict.Class == run.ClassRateLimited {
					a.Verdict.Reset = x.now.Add(time.Duration(rapid.IntRange(-60, 600).Draw(t, "reset")) * time.Minute)
				}
			})
		},
		"a limit is written": func() {
			x.file.Limited = append(x.file.Limited, runfile.Limited{
				Family: rapid.SampledFrom([]string{"claude", "gemini"}).Draw(t, "family"), TrippedAt: x.now,
				ResetsAt: x.now.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "reset")) * time.Minute), Reason: "busy",
			})
		},
		"a turn of the coordinator": func() { x.file.Turns = append(x.file.Turns, runfile.Turn{PromptTokens: 10}) },
		"time goes on": func() {
			x.now = x.now.Add(time.Duration(rapid.IntRange(1, 50).Draw(t, "minutes")) * time.Minute)
		},
		"it ends":                func() { x.file.End = x.now },
		"the process is gone":    func() { x.alive = foreign.Gone },
		"the process is known":   func() { x.alive = foreign.Living },
		"fault: another run":     func() { x.file.RunID += "x" },
		"fault: an agent is off": func() { x.file.Agents = x.file.Agents[:max(0, len(x.file.Agents)-1)] },
		"fault: another order":   func() { slices.Reverse(x.file.Agents) },
		"fault: it never ended":  func() { x.file.End = time.Time{} },
		"fault: one works again": func() { a := agent(); a.Status, a.ExitCode, a.FinishedAt = "running", nil, time.Time{} },
		"fault: a log is cut":    func() { log(func(a *stream.Account) { *a = stream.Account{Family: a.Family} }) },
		"fault: another model":   func() { agent().RequestedModel = "opus" },
		"fault: another kind":    func() { log(func(a *stream.Account) { a.Family = "gemini" }) },
		"fault: alike":           func() { agent().ID = "a1" },
		"fault: far ahead":       func() { agent().SpawnedAt = x.now.Add(1e6 * time.Hour) },
	}
}

// Whatever a tool writes, in whole files, changed ones or torn ones, its facts are
// accepted, and make the state that the last file alone makes.
func TestBitByBitIsAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := &tool{file: runfile.File{RunID: "r", Start: dawn}, logs: map[string]stream.Account{}, now: dawn, alive: foreign.Living}
		f := &follower{}
		var last *runfile.File
		var k foreign.Known
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			steps := x.steps(t)
			names := make([]string, 0, len(steps))
			for name := range steps {
				names = append(names, name)
			}
			slices.Sort(names)
			steps[rapid.SampledFrom(names).Draw(t, "step")]()
			text := x.file.JSON()
			switch rapid.IntRange(0, 9).Draw(t, "write") {
			case 0: // torn
				text = text[:rapid.IntRange(0, len(text)-2).Draw(t, "length")]
			case 1: // changed
				text[rapid.IntRange(0, len(text)-1).Draw(t, "place")] = rapid.Byte().Draw(t, "byte")
			}
			file, err := runfile.Decode(text)
			if err != nil {
				continue
			}
			last, k = file, x.known(file)
			f.see(t, k, x.now)
			f.compare(t, k, x.now)
		}
		if last == nil {
			return
		}
		x.now = x.now.Add(12 * time.Hour)
		k.Modified = x.now
		f.see(t, k, x.now)
		f.compare(t, k, x.now)
	})
}

// New agents, ends and limits are told without telling all anew.
func TestWhatFollowsIsAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := &tool{file: runfile.File{RunID: "r", Start: dawn}, logs: map[string]stream.Account{}, now: dawn, alive: foreign.Living}
		for _, kind := range kinds { // all kinds are known
			x.file.Agents = append(x.file.Agents, runfile.Agent{ID: "first " + kind, Type: kind, Status: "running", SpawnedAt: dawn, StdoutLog: kind})
		}
		f := &follower{}
		f.see(t, x.known(&x.file), x.now)
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			steps := x.steps(t)
			var names []string
			for name := range steps {
				if !strings.HasPrefix(name, "fault") && !strings.HasPrefix(name, "it ") && !strings.HasPrefix(name, "its ") && name != "the process is gone" {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			steps[rapid.SampledFrom(names).Draw(t, "step")]()
			file := x.file
			file.Agents = slices.Clone(file.Agents)
			f.see(t, x.known(&file), x.now)
		}
		if f.fresh != 1 {
			t.Fatalf("told anew %d times", f.fresh-1)
		}
	})
}
