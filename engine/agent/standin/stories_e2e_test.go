//go:build e2e

package standin_test

import (
	"testing"
	"time"

	"example.com/layover/engine/agent/standin"
)

// steps are the commands of the stories that do some work.
var steps = []string{"echo first | tee -a " + notes, "echo second | tee -a " + notes}

const (
	firstStep = "first\n"
	bothSteps = "first\nsecond\n"
)

// once is a stage of one request.
func once(a standin.Answer) standin.Stage { return standin.Stage{Answer: a, Times: 1} }

// always is a stage that never ends.
func always(a standin.Answer) standin.Stage { return standin.Stage{Answer: a} }

// work is a stage that works, for so many requests; zero for any number.
func work(steps []string, times int) standin.Stage {
	return standin.Stage{Answer: standin.Work, Commands: steps, Times: times}
}

// thrice is how a family's health ends: after three turns in a row that failed.
func thrice(end string) []string { return []string{end, end, end} }

// each gives a story for every agent that has an entry, with what its attempts end as.
func (s story) each(ends map[string][]string) []story {
	var all []story
	for agent, ends := range ends {
		s := s
		s.agent, s.ends = agent, ends
		all = append(all, s)
	}
	return all
}

// These stories take seconds, or a minute of waiting: the agents' own retries are off
// where they can be. opencode has none to turn off, and waits by itself for whatever may
// pass; what it never gives up is told in [TestStoriesOfMinutes].
func TestStories(t *testing.T) {
	t.Parallel()
	type ends = map[string][]string
	success := []string{"success"}
	var all []story
	for _, plot := range []struct {
		story
		ends
	}{
		{
			story{name: "success", stages: []standin.Stage{always(standin.OK)}},
			ends{"claude": success, "codex": success, "gemini": success, "opencode": success},
		},
		{
			story{name: "tool call", stages: []standin.Stage{work(steps[:1], 0)}, notes: firstStep},
			ends{"claude": success, "codex": success, "gemini": success, "opencode": success},
		},
		{
			story{name: "subscription limit with reset", exit: 75, stages: []standin.Stage{{Answer: standin.UsageLimit, For: 5 * time.Hour}}, slack: time.Second},
			ends{"claude": {"rate_limited usage family stated"}, "codex": {"rate_limited usage family text"}},
		},
		{ // of a key of Google's, which never says when its day ends
			story{name: "daily limit without reset", exit: 75, once: true, stages: []standin.Stage{always(standin.UsageLimit)}},
			ends{"gemini": {"rate_limited usage model"}},
		},
		{
			story{
				name: "limit in the middle of work", resumes: true, notes: bothSteps,
				stages: []standin.Stage{work(steps, 1), {Answer: standin.UsageLimit, For: 20 * time.Second}, work(steps, 0)},
			},
			ends{
				"claude": {"rate_limited usage family stated", "success"},
			},
		},
		{ // codex tells the minute: a reset within this one would be one that has passed
			story{
				name: "limit in the middle of work", resumes: true, notes: bothSteps,
				stages: []standin.Stage{work(steps, 1), {Answer: standin.UsageLimit, For: 65 * time.Second}, work(steps, 0)},
			},
			ends{"codex": {"rate_limited usage family text", "success"}},
		},
		{
			story{
				name: "bare 429 in the middle of work", resumes: true, notes: bothSteps,
				stages: []standin.Stage{work(steps, 1), once(standin.Throttle), work(steps, 0)},
			},
			ends{
				// What reaches a subscriber of claude is "not your usage limit".
				"claude": {"overloaded", "success"},
				"codex":  {"rate_limited throttle family", "success"},
				"gemini": {"rate_limited throttle family", "success"},
			},
		},
		{
			story{name: "bare 429 in the middle of work", notes: bothSteps, stages: []standin.Stage{work(steps, 1), once(standin.Throttle), work(steps, 0)}},
			ends{"opencode": success},
		},
		{
			story{name: "overload", resumes: true, stages: []standin.Stage{once(standin.Overloaded), always(standin.OK)}},
			ends{"claude": {"overloaded", "success"}, "codex": {"overloaded", "success"}},
		},
		{ // gemini keeps no session without an answer
			story{name: "overload", stages: []standin.Stage{once(standin.Overloaded), always(standin.OK)}},
			ends{"gemini": {"overloaded", "success"}, "opencode": success},
		},
		{
			story{name: "401", exit: 75, stages: []standin.Stage{always(standin.Unauthorized)}},
			ends{"claude": {"auth"}, "codex": {"auth"}, "gemini": {"auth"}, "opencode": {"auth"}},
		},
		{
			story{name: "no credit", exit: 75, stages: []standin.Stage{always(standin.NoCredit)}},
			ends{"claude": {"billing"}, "codex": {"billing"}, "gemini": {"billing"}, "opencode": {"billing"}},
		},
		{
			story{name: "full context", stages: []standin.Stage{once(standin.TooLong), always(standin.OK)}},
			ends{
				"claude": {"context_overflow", "success"}, "codex": {"context_overflow", "success"},
				"gemini": {"context_overflow", "success"}, "opencode": success, // which compacts by itself
			},
		},
		{ // gemini keeps no session whose only answer was cut
			story{name: "cut stream", stages: []standin.Stage{once(standin.Cut), always(standin.OK)}},
			ends{"gemini": {"transport", "success"}},
		},
		{
			story{
				name: "cut stream in the middle of work", resumes: true, notes: bothSteps,
				stages: []standin.Stage{work(steps, 1), once(standin.Cut), work(steps, 0)},
			},
			ends{"claude": {"transport", "success"}, "codex": {"transport", "success"}, "gemini": {"transport", "success"}},
		},
		{
			story{
				name: "cut stream in the middle of work", notes: bothSteps,
				stages: []standin.Stage{work(steps, 1), once(standin.Cut), work(steps, 0)},
			},
			ends{"opencode": success},
		},
	} {
		all = append(all, plot.each(plot.ends)...)
	}
	for _, s := range all {
		t.Run(s.agent+" "+s.name, func(t *testing.T) {
			t.Parallel()
			s.tell(t)
		})
	}
}

// These stories wait for what the agents try by themselves before they give up, or until
// a limit of Layover's ends an agent that would go on for ever.
func TestStoriesOfMinutes(t *testing.T) {
	t.Parallel()
	if !*minutes {
		t.Skip("they take minutes; -minutes tells them")
	}
	// Beside the others it may take a minute until opencode has started.
	const stalls, patient = `stall_timeout = "90s"`, `stall_timeout = "5m"`
	for _, s := range []story{
		{name: "bare 429, its own retries", agent: "claude", key: true, stages: []standin.Stage{always(standin.Throttle)}, ends: []string{"rate_limited throttle family"}},
		{name: "overload, its own retries", agent: "claude", stages: []standin.Stage{always(standin.Overloaded)}, ends: []string{"overloaded"}},
		{name: "401, its own retries", agent: "claude", key: true, stages: []standin.Stage{always(standin.Unauthorized)}, ends: []string{"auth"}},
		{name: "cut stream, its own retries", agent: "claude", stages: []standin.Stage{always(standin.Cut)}, ends: thrice("transport"), resumes: true},
		{name: "bare 429, its own retries", agent: "codex", stages: []standin.Stage{always(standin.Throttle)}, ends: []string{"rate_limited throttle family"}},
		{name: "overload, its own retries", agent: "codex", stages: []standin.Stage{always(standin.Overloaded)}, ends: []string{"overloaded"}},
		{name: "401, its own retries", agent: "codex", stages: []standin.Stage{always(standin.Unauthorized)}, ends: []string{"auth"}},
		{name: "cut stream, its own retries", agent: "codex", stages: []standin.Stage{always(standin.Cut)}, ends: thrice("transport"), resumes: true},
		{name: "bare 429, its own retries", agent: "gemini", stages: []standin.Stage{always(standin.Throttle)}, ends: []string{"rate_limited throttle family"}},
		{name: "overload, its own retries", agent: "gemini", stages: []standin.Stage{always(standin.Overloaded)}, ends: []string{"overloaded"}},
		{ // it would sleep until the limit ends
			name: "subscription limit with reset", agent: "gemini", stages: []standin.Stage{{Answer: standin.UsageLimit, For: 5 * time.Hour}},
			limits: stalls, ends: []string{"stalled usage model text"}, rule: "gemini.stderr.waits.quota", slack: 4 * time.Minute,
		},
		// It gives up after a minute or two, of which it tells nothing before.
		{name: "bare 429, its own retries", agent: "opencode", stages: []standin.Stage{always(standin.Throttle)}, limits: patient, ends: []string{"rate_limited throttle family"}},
		{name: "overload, its own retries", agent: "opencode", stages: []standin.Stage{always(standin.Overloaded)}, limits: patient, ends: []string{"overloaded"}},
		// Of these two it would never end; each is tried anew until the program's time is over.
		{name: "subscription limit with reset", agent: "opencode", stages: []standin.Stage{{Answer: standin.UsageLimit, For: 5 * time.Hour}}, limits: stalls, deadline: "4m", ends: []string{"stalled"}, rule: "end.stall"},
		{name: "stream that ends too early", agent: "opencode", stages: []standin.Stage{always(standin.Short)}, limits: stalls, deadline: "4m", ends: []string{"stalled"}, rule: "end.runaway"},
	} {
		t.Run(s.agent+" "+s.name, func(t *testing.T) {
			t.Parallel()
			s.retries, s.once, s.exit = true, true, 75
			s.tell(t)
		})
	}
	for _, s := range []story{
		{agent: "gemini", ends: []string{"stalled usage model text", "success"}},
		{agent: "opencode", ends: []string{"stalled", "success"}, rule: "end.stall"},
	} {
		s.name, s.resumes, s.notes, s.retries, s.limits = "limit in the middle of work", true, bothSteps, true, `stall_timeout = "2m"`
		s.stages = []standin.Stage{work(steps, 1), {Answer: standin.UsageLimit, For: 210 * time.Second}, work(steps, 0)}
		t.Run(s.agent+" "+s.name, func(t *testing.T) {
			t.Parallel()
			s.tell(t)
		})
	}
}
