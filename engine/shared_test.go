package engine_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// A limit that another process met keeps agents from being started; its clearing
// lets them go, and is not told again.
func TestWhatOthersRecordedIsObeyed(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		key := run.WindowKey{Family: "claude", Sort: run.SortLimit}
		p := program(1, "claude")
		p.Iterations = 2
		w.later(30*time.Second, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.records = []run.Seen{{Window: run.Window{
				WindowKey: key, Kind: run.KindUsage, How: run.HowStated, Trip: true,
				OpenedAt: w.start, Until: w.start.Add(5 * time.Hour), NextTry: w.start.Add(5 * time.Hour),
			}}}
		})
		w.later(2*time.Hour, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.records = []run.Seen{{Cleared: true, Window: run.Window{WindowKey: key, OpenedAt: w.start.Add(time.Hour)}}}
		})
		h := w.host(p, func(a *actor) int { return succeeds(a, 10*time.Minute) })
		res := w.ends(h, 0)
		refused, _ := bodies[run.SpawnRefused](w)
		if at := w.times("start 2"); len(at) != 1 || at[0] < 2*time.Hour || at[0] > 2*time.Hour+5*time.Second || len(refused) != 1 {
			t.Errorf("started at %v, refused %d times\n%s", at, len(refused), w.tale())
		}
		if n := len(w.times("merge claude")); n != 0 || res.State.Counts.Done != 2 {
			t.Errorf("told %d times what others knew, counts %+v", n, res.State.Counts)
		}
	})
}

// A login that does not work is not told to others: nothing would tell them that it
// was mended.
func TestALoginThatFailsIsNotShared(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		p := program(1, "claude")
		p.Deadline = run.Duration(time.Hour)
		w.ends(w.host(p, func(a *actor) int {
			a.say(hello(a), `{"type":"result","subtype":"success","is_error":true,"api_error_status":401,"num_turns":1,"result":"Invalid API key · Please run /login"}`)
			return 1
		}), 75)
		opened, _ := bodies[run.WindowOpened](w)
		if n := len(w.times("merge claude/login")); len(opened) != 1 || n != 0 {
			t.Errorf("opened %+v, told %d times", opened, n)
		}
	})
}
