package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// spends is an agent that uses 1,225 tokens a minute until it is ended, or for so long.
func spends(a *actor, minutes int) int {
	a.say(hello(a))
	for i := range minutes {
		a.say(text(fmt.Sprintf("msg_%d_%d", a.n, i)))
		a.work(time.Minute)
	}
	a.say(succeeded)
	return 0
}

// What agents use while they run is added up: the one that is over the line ends all.
func TestABudgetEndsTheAgentsThatRun(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(3, "claude")
		p.Parallel, p.Limits.MaxTokens = 2, 10_000
		res := w.ends(w.host(p, func(a *actor) int { return spends(a, 600) }), 1)
		// Two agents use 2,450 a minute; the fifth message of each is one too many.
		for n := range 2 {
			if at := w.times(fmt.Sprintf("end %d", n+1)); len(at) != 1 || at[0] < 4*time.Minute || at[0] > 4*time.Minute+time.Second {
				t.Errorf("agent %d is ended at %v", n+1, at)
			}
			a := res.State.Lane(run.LaneID(n + 1)).Attempts[0]
			if v := res.State.Lane(run.LaneID(n + 1)).Last; a.Ending != run.EndingBudget || v.Class != run.ClassFailed || v.Evidence[0].Rule != "end.budget" {
				t.Errorf("the attempt is %+v, its verdict %+v", a, v)
			}
		}
		if u := res.State.Usage; u.Tokens() != 12_250 || u.Unpriced != 12_250 {
			t.Errorf("used %+v", u)
		}
		if n := len(w.times("start 3")); n != 0 || w.count("budget_spent") != 1 || len(res.State.Queue) != 1 {
			t.Errorf("started %d more, %d budgets spent\n%s", n, w.count("budget_spent"), w.tale())
		}
		if why := res.State.ExitWhy; why != "the budget of 10.0k tokens is spent: 12.2k used" && why != "the budget of 10.0k tokens is spent: 11.0k used" {
			t.Errorf("the run ended because %s", why)
		}
	})
}

func TestATasksBudgetEndsItsAgentAlone(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(2, "claude")
		p.Tasks[0].MaxTokens = 5000
		res := w.ends(w.host(p, func(a *actor) int { return spends(a, 10) }), 1)
		if at := w.times("end 1"); len(at) != 1 || at[0] < 4*time.Minute || at[0] > 4*time.Minute+time.Second || len(w.times("end 2")) != 0 {
			t.Errorf("the agents are ended at %v and %v", at, w.times("end 2"))
		}
		if why := res.State.Lane(1).Why; why != "the task's budget of 5.0k tokens is spent: 6.1k used" || res.State.Lane(2).State != run.LaneDone {
			t.Errorf("lane 1: %s\n%s", why, w.tale())
		}
	})
}

// What the last attempt of a session told of it before is not used twice.
func TestABudgetCountsASessionOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(1, "codex")
		p.Limits.MaxTokens = 500
		w.ends(w.host(p, func(a *actor) int {
			a.say(`{"type":"thread.started","thread_id":"01a22aff-a4e4-7562-9724-94b408be1850"}`,
				`{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"on it"}}`)
			a.work(time.Minute)
			if a.n == 1 {
				a.say(`{"type":"turn.completed","usage":{"input_tokens":300,"output_tokens":10}}`,
					`{"type":"turn.failed","error":{"message":"stream disconnected before completion: closed"}}`)
				return 1
			}
			a.say(`{"type":"turn.completed","usage":{"input_tokens":400,"output_tokens":20}}`)
			a.work(time.Minute)
			return 0
		}), 0)
	})
}

// The agent itself is told how much money is left, where it can keep to it.
func TestAnAgentIsToldItsBudget(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(2, "claude")
		p.Parallel, p.Limits.MaxCostUSD = 1, 0.3
		var told []string
		h := w.host(p, func(a *actor) int {
			i := slices.Index(a.spec.Argv, "--max-budget-usd")
			told = append(told, a.spec.Argv[i+1])
			if a.n == 2 {
				a.say(hello(a), text("msg_1"), `{"type":"result","subtype":"error_max_budget_usd","is_error":true,"num_turns":1,"total_cost_usd":0.06,"usage":{"input_tokens":1200,"output_tokens":25},"errors":["Reached maximum budget ($0.05)"]}`)
				return 1
			}
			return succeeds(a, time.Minute)
		})
		res := w.ends(h, 1)
		if want := []string{"0.3", "0.05"}; !slices.Equal(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
		if why := res.State.Lane(2).Why; why != "the budget of $0.30 is spent: $0.31 used" {
			t.Errorf("the lane has failed because %q\n%s", why, w.tale())
		}
	})
}
