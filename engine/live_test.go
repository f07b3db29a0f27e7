package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// uses is a message of claude with one block.
func uses(id, block string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"model":"claude-sonnet-4-5","content":[%s],"usage":{"input_tokens":100,"output_tokens":10}},"parent_tool_use_id":null}`, id, block)
}

func gauge(limit string, used float64, resets time.Time) string {
	return fmt.Sprintf(`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":%d,"rateLimitType":%q,"utilization":%v}}`, resets.Unix(), limit, used)
}

// Each line of an agent changes what is seen of it: its retry until a model answers, its
// tool until it says something, and what it said last.
func TestWhatAnAgentDoesIsSeen(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		says := []string{
			`{"type":"system","subtype":"api_retry","attempt":3,"max_retries":10,"retry_delay_ms":4700.5,"error_status":429,"error":"rate_limit"}`,
			`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"thinking_delta"}}}`,
			uses("m1", `{"type":"text","text":"First this.\nThen the cart."}`),
			uses("m2", `{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"cart.go"}}`),
			uses("m3", `{"type":"text","text":"..."}`),
			uses("m4", `{"type":"text","text":"All is well."}`),
		}
		h := w.host(program(1, "claude"), func(a *actor) int {
			a.say(`{"type":"system","subtype":"init","session_id":"s-1"}`)
			for _, line := range says {
				a.work(time.Minute)
				a.say(line)
			}
			a.work(time.Minute)
			a.say(succeeded)
			return 0
		})
		w.ends(h, 0)
		type seen struct {
			Doing, Message run.Untrusted
			Retry          run.Retry
			Tokens         int64
		}
		want := []seen{
			{Retry: run.Retry{Attempt: 3, Max: 10, Delay: 4701 * time.Millisecond, Status: 429}},
			{},
			{Message: "Then the cart.", Tokens: 110},
			{Doing: "Edit cart.go", Message: "Then the cart.", Tokens: 220},
			{Doing: "Edit cart.go", Message: "Then the cart.", Tokens: 330},
			{Message: "All is well.", Tokens: 440},
		}
		var got []seen
		all, _ := seeings[run.Activity](w)
		for _, a := range all[:len(all)-1] { // the last is of the result
			got = append(got, seen{a.Doing, a.Message, a.Retry, a.Usage.Tokens()})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// Gauges are observed of the family whose agent tells them: all of an attempt together,
// and only when one has moved.
func TestGaugesAreSeen(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		soon, later := w.start.Add(3*time.Hour).UTC(), w.start.Add(100*time.Hour).UTC()
		h := w.host(program(1, "claude"), func(a *actor) int {
			a.say(hello(a), text("m1"))
			for _, line := range []string{gauge("five_hour", .75, soon), gauge("seven_day", .5, later), gauge("five_hour", .75, soon), gauge("five_hour", .8, soon)} {
				a.work(time.Minute)
				a.say(line)
			}
			a.say(succeeded)
			return 0
		})
		w.ends(h, 0)
		reading := func(limit string, used float64, window time.Duration, resets time.Time, told int) run.Reading {
			return run.Reading{
				Gauge: run.Gauge{Limit: limit, Used: used, Window: window, Resets: resets},
				At:    w.start.Add(time.Duration(told) * time.Minute).UTC().Round(0),
			}
		}
		five, week := reading("five_hour", .75, 5*time.Hour, soon, 1), reading("seven_day", .5, 168*time.Hour, later, 2)
		want := []run.Gauges{
			{Family: "claude", Readings: []run.Reading{five}},
			{Family: "claude", Readings: []run.Reading{five, week}},
			{Family: "claude", Readings: []run.Reading{reading("five_hour", .8, 5*time.Hour, soon, 4), week}},
		}
		got, _ := seeings[run.Gauges](w)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// A gauge that was told while nobody owned the run is told as of the start of its attempt.
func TestGaugesOfAnAdoptedAgentAreSeen(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		w.dies(patient("claude"), time.Minute, func(a *actor) int {
			a.say(hello(a), text("m1"))
			a.work(10 * time.Minute)
			a.say(gauge("five_hour", .75, time.Unix(1<<33, 0)))
			a.work(2 * time.Hour)
			a.say(succeeded)
			return 0
		})
		w.ends(w.resumes(time.Hour), 0)
		got, at := seeings[run.Gauges](w)
		if len(got) != 1 || at[0] != time.Hour || got[0].Readings[0].At.After(w.start.Add(time.Second)) {
			t.Errorf("seen %+v at %v", got, at)
		}
	})
}
