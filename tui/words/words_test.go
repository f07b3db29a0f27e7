package words_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/words"
)

func TestNames(t *testing.T) {
	s := &run.State{Program: run.Program{Iterations: 2, Tasks: []run.Task{{Name: "te\x1b[2Jsts"}}}, Lanes: []*run.Lane{{ID: 1, Job: run.Job{Iteration: 2}}}}
	cases := map[string]struct{ got, want string }{
		"lane":             {words.LaneOf(s, 1), `te\x1b[2Jsts#2`},
		"lane not there":   {words.LaneOf(s, 12), "lane 12"},
		"job":              {words.Job(s, run.Job{Iteration: 1}), `te\x1b[2Jsts#1`},
		"job of no task":   {words.Job(s, run.Job{Task: 9}), "task 9"},
		"target":           {words.Target(run.Target{Agent: "claude", Model: "opus"}), "claude:opus"},
		"no target":        {words.Target(run.Target{}), ""},
		"family":           {words.Window(run.WindowKey{Family: "claude", Sort: run.SortLogin}), "claude"},
		"model":            {words.Window(run.WindowKey{Family: "claude", Model: "opus"}), "claude:opus"},
		"watched":          {words.Watched(run.Watched{Name: "we\u202eb", ID: "1f", Key: "/a/b"}), `we\u202eb`},
		"watched, no name": {words.Watched(run.Watched{ID: "1f", Key: "/a/b"}), "1f"},
		"watched, no id":   {words.Watched(run.Watched{Key: "/a/b.jsonl"}), "b.jsonl"},
		"origin":           {words.Origin(run.OriginHarness) + " " + words.Origin(run.OriginLoop) + " " + words.Origin(run.OriginSession), "harness loop session"},
		"retry":            {words.Retry(run.Retry{Attempt: 3, Max: 10, Status: 429}), "retry 3/10, 429"},
		"retry, when":      {words.Retry(run.Retry{Attempt: 3, Max: 10, Delay: 4700 * time.Millisecond, Status: 429}), "retry 3/10, next in 4.7 s, 429"},
		"retry, no more":   {words.Retry(run.Retry{Attempt: 3}), "retry 3"},
		"no retry":         {words.Retry(run.Retry{}), ""},
		"one":              {words.Many(1, "lane"), "1 lane"},
		"many":             {words.Many(0, "lane"), "0 lanes"},
		"read from a text": {words.How(run.HowText), "read from text"},
		"not known":        {words.How(0), ""},
		"throttle":         {words.Limit(&run.Window{Kind: run.KindThrottle, Trip: true}), "too many requests"},
		"a cost":           {words.Cost(run.Usage{Input: 9, CostUSD: 1.5}), "$1.50"},
		"a cost of some":   {words.Cost(run.Usage{Input: 9, CostUSD: 1.5, Unpriced: 3}), "$1.50+"},
		"no cost":          {words.Cost(run.Usage{Input: 9, Unpriced: 9}), ""},
		"overload":         {words.Limit(&run.Window{Kind: run.KindThrottle}), "no capacity"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%q, want %q", c.got, c.want)
			}
		})
	}
}

// TestEveryClassHasWords looks for classes and endings that would be shown as they
// are in files, or not at all.
func TestEveryClassHasWords(t *testing.T) {
	seen := map[string]run.Class{}
	for _, c := range run.Classes() {
		said := words.Class(c)
		if other, twice := seen[said]; said == "" || twice {
			t.Errorf("%s is told as %q, and so is %s", c, said, other)
		}
		seen[said] = c
	}
	if got := words.Class(run.ClassRateLimited); got != "rate limited" {
		t.Errorf("rate_limited is told as %q", got)
	}
	for e := run.EndingStop; e <= run.EndingBudget; e++ {
		if words.Ending(e) == "" {
			t.Errorf("%s has no words", e)
		}
	}
}
