package tui_test

import (
	"time"

	"example.com/layover/engine/run"
)

// running has three lanes at work, one of them in its agent's own retries, one done.
func running() *story {
	s := begin(program(3, "tests", "docs", "refactor", "changelog", "release", "notes"))
	s.to(11*time.Minute + 40*time.Second)
	s.ends(2, done())
	s.to(12*time.Minute + 8*time.Second)
	s.does(1, run.Activity{Doing: "Bash go test ./engine/...", Usage: run.Usage{Input: 81_000, Output: 4_100, CostUSD: 0.61}})
	s.does(3, run.Activity{Message: "A window is never \x1b[1mshortened\x1b[0m by weaker evidence.", Usage: run.Usage{Input: 20_000}})
	s.does(4, run.Activity{Retry: run.Retry{Attempt: 3, Max: 10, Delay: 4700 * time.Millisecond, Status: 429}})
	s.uses("claude",
		run.Gauge{Limit: "five_hour", Used: .83, Window: 5 * time.Hour, Resets: start.Add(3 * time.Hour)},
		run.Gauge{Limit: "seven_day", Used: .41, Window: 7 * 24 * time.Hour, Resets: start.Add(50 * time.Hour)})
	l := s.state.Lane(4)
	s.happen(run.Suspected{Lane: 4, Attempt: l.Attempts[0].ID, Why: "second retry notice, 429"})
	s.to(12*time.Minute + 20*time.Second)
	return s
}

// parked has both families limited: one by a stated reset, one by a text.
func parked() *story {
	s := begin(program(3, "tests", "docs", "refactor", "changelog"))
	s.quiet = true
	s.to(18 * time.Minute)
	s.ends(1, limited(start.Add(92*time.Minute), run.HowStated, "Claude AI usage limit reached|1796047920"))
	s.ends(2, bare())
	s.ends(3, limited(start.Add(92*time.Minute), run.HowStated, "5-hour limit reached \x1b[31m∙ resets 2:32pm"))
	s.to(18*time.Minute + 20*time.Second)
	s.ends(1, limited(start.Add(4*time.Hour), run.HowText, "You've hit your usage limit. Try again at 5:00 PM."))
	for _, id := range []run.LaneID{2, 3} {
		s.happen(run.Served{Lane: id, Attempt: s.state.Lane(id).Attempts[1].ID, Sign: "text"})
	}
	s.to(50*time.Minute + 53*time.Second)
	s.uses("codex", run.Gauge{Limit: "codex", Used: .07, Window: 10079 * time.Minute})
	s.uses("claude", run.Gauge{Limit: "five_hour", Used: .98, Window: 5 * time.Hour, Resets: start.Add(50 * time.Minute)}) // that is over
	s.does(2, run.Activity{Doing: "Write docs/waits.md", Message: "One page for each wait.", Usage: run.Usage{Input: 310_000, Output: 9_000}})
	s.does(3, run.Activity{Doing: "shell go vet ./...", Usage: run.Usage{Input: 41_000, Output: 900}})
	return s
}

// tripped has one family with a probe under way, lanes behind it, and one lane that
// was never started into it.
func tripped() *story {
	p := program(4, "tests", "docs", "refactor", "changelog", "release", "notes")
	p.Order = p.Order[:1]
	p.Tasks[3].Order = []run.Target{{Agent: "codex"}}
	s := begin(p)
	s.to(2 * time.Minute)
	s.quiet = true
	for _, id := range []run.LaneID{1, 2} {
		s.ends(id, bare())
	}
	s.ends(4, done())
	s.to(2*time.Minute + 6*time.Second)
	s.does(3, run.Activity{Doing: "Read engine/plan/sweep.go"})
	s.to(2*time.Minute + 9*time.Second)
	return s
}

// stopping is parked with a soft stop under way.
func stopping() *story {
	s := tripped()
	s.happen(run.Command{Verb: run.VerbSoftStop})
	s.to(2*time.Minute + 16*time.Second)
	return s
}

// finished has all tasks done but one that failed.
func finished() *story {
	s := begin(program(2, "tests", "docs", "refactor"))
	s.to(9 * time.Minute)
	s.ends(1, done())
	s.to(14 * time.Minute)
	s.ends(2, run.Verdict{Class: run.ClassFailed, Message: "the agent gave up:\ncould not compile"})
	s.to(31*time.Minute + 5*time.Second)
	s.ends(3, done())
	return s
}

// exhausted ended because no target comes back before the deadline.
func exhausted() *story {
	p := program(1, "tests", "docs")
	p.Order = p.Order[:1]
	s := begin(p)
	s.quiet = true
	s.to(5 * time.Minute)
	s.ends(1, limited(start.Add(30*time.Hour), run.HowStated, "weekly limit reached"))
	return s
}

// waiting has no target that could be used until somebody logs in.
func waiting() *story {
	p := program(2, "tests", "docs", "refactor")
	p.Order, p.Deadline = p.Order[:1], 0
	s := begin(p)
	s.quiet = true
	s.to(time.Minute)
	for _, id := range []run.LaneID{1, 2} {
		s.ends(id, run.Verdict{Class: run.ClassAuth, Kind: run.KindAuth, Scope: run.ScopeFamily, Message: "Invalid API key · Please run /login"})
	}
	s.to(7 * time.Minute)
	return s
}

// troubled is running on a disk that is full.
func troubled() *story {
	s := running()
	s.trouble("cannot write /home/ann/.local/state/layover/runs/20261130_120000_0a1b2c3d/events.jsonl: \x1b[2Jno space left on device")
	return s
}
