package engine_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// Codex tells the usage of its whole session: what an earlier attempt used of it is
// counted once.
func TestUsageOfAResumedSessionIsCountedOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		h := w.host(program(1, "codex"), func(a *actor) int {
			a.say(`{"type":"thread.started","thread_id":"01a22aff-a4e4-7562-9724-94b408be1850"}`,
				`{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"on it"}}`)
			a.work(5 * time.Minute)
			if a.n == 1 {
				a.say(`{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":40,"output_tokens":10}}`,
					`{"type":"turn.failed","error":{"message":"stream disconnected before completion: closed"}}`)
				return 1
			}
			a.say(`{"type":"turn.completed","usage":{"input_tokens":300,"cached_input_tokens":90,"output_tokens":25}}`)
			return 0
		})
		res := w.ends(h, 0)
		if want := (run.Usage{Input: 210, CacheRead: 90, Output: 25, Unpriced: 325}); res.State.Usage != want || res.State.Counts.Spawned != 2 {
			t.Errorf("used %+v in %d attempts, want %+v in 2", res.State.Usage, res.State.Counts.Spawned, want)
		}
	})
}

// Recorded of the agents themselves, of which the second and third attempt resume the
// first: codex tells of the whole session each time, claude of each process.
func TestTotalsAreTheAgentsOwn(t *testing.T) {
	codex := func(in, out int) string {
		return fmt.Sprintf(`{"type":"thread.started","thread_id":"01a22e45-1109-7343-8f6e-bab64026609e"}
{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"All done."}}
{"type":"turn.completed","usage":{"input_tokens":%d,"cached_input_tokens":0,"cache_write_input_tokens":0,"output_tokens":%d,"reasoning_output_tokens":0}}`, in, out)
	}
	claude := func(in, out int, usd float64) string {
		return fmt.Sprintf(`{"type":"system","subtype":"init","session_id":"4c3a9a2d-0ae0-46c4-83cf-af83d5f33a75","model":"claude-sonnet-5"}
{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"All done.","session_id":"4c3a9a2d-0ae0-46c4-83cf-af83d5f33a75","total_cost_usd":%v,"usage":{"input_tokens":1200,"output_tokens":25},"modelUsage":{"claude-sonnet-5":{"inputTokens":%d,"outputTokens":%d,"costUSD":%v}}}`, usd, in, out, usd)
	}
	for name, tt := range map[string]struct {
		agent string
		says  [3]string
		want  run.Usage
	}{
		"codex":  {"codex", [3]string{codex(4200, 60), codex(6300, 90), codex(8400, 120)}, run.Usage{Input: 8400, Output: 120, Unpriced: 8520}},
		"claude": {"claude", [3]string{claude(2400, 50, 0.5), claude(1200, 25, 0.25), claude(1200, 25, 0.25)}, run.Usage{Input: 4800, Output: 100, CostUSD: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				h := w.host(program(1, tt.agent), func(a *actor) int {
					a.say(tt.says[a.n-1])
					a.work(5 * time.Minute)
					if a.n < 3 {
						a.say(`{"type":"turn.failed","error":{"message":"stream disconnected before completion: closed"}}`,
							`{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":1,"errors":["API Error: Connection error."]}`)
						return 1
					}
					return 0
				})
				res := w.ends(h, 0)
				if l := res.State.Lane(1); res.State.Usage != tt.want || len(l.Attempts) != 3 || l.Attempts[2].Resume == "" {
					t.Errorf("used %+v in %d attempts, want %+v\n%s", res.State.Usage, len(l.Attempts), tt.want, w.tale())
				}
			})
		})
	}
}

// A task that comes back resumes the session of its lane before, whose usage the
// stream tells once more.
func TestUsageOfASessionIsCountedOnceThroughARequeue(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(1, "codex")
		p.Tasks[0].Wait = run.WaitNever
		h := w.host(p, func(a *actor) int {
			a.say(`{"type":"thread.started","thread_id":"01a22aff-a4e4-7562-9724-94b408be1850"}`,
				`{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"on it"}}`)
			a.work(time.Minute)
			if a.n == 1 {
				a.say(`{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":40,"output_tokens":10}}`,
					`{"type":"turn.failed","error":{"message":"{\"error\":{\"type\":\"usage_limit_reached\",\"message\":\"The usage limit has been reached\",\"resets_in_seconds\":3600}}"}}`)
				return 1
			}
			a.say(`{"type":"turn.completed","usage":{"input_tokens":300,"cached_input_tokens":90,"output_tokens":25}}`)
			a.work(time.Minute)
			return 0
		})
		res := w.ends(h, 0)
		seen, _ := seeings[run.Activity](w)
		want := run.Usage{Input: 150, CacheRead: 50, Output: 15, Unpriced: 215}
		if got := seen[len(seen)-1].Usage; got != want || len(res.State.Lanes) != 2 {
			t.Errorf("the second of %d lanes shows %+v, want %+v", len(res.State.Lanes), got, want)
		}
		if got := res.State.Usage.Tokens(); got != 325 || res.State.Lane(2).Used().Tokens() != 325 {
			t.Errorf("used %d tokens, want 325", got)
		}
	})
}
