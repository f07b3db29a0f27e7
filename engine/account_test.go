package engine_test

import (
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
		if want := (run.Usage{Input: 210, CacheRead: 90, Output: 25}); res.State.Usage != want || res.State.Counts.Spawned != 2 {
			t.Errorf("used %+v in %d attempts, want %+v in 2", res.State.Usage, res.State.Counts.Spawned, want)
		}
	})
}
