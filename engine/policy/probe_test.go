package policy_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/layover/engine/policy"
)

func TestProbeAfter(t *testing.T) {
	const s, m = time.Second, time.Minute
	for name, tt := range map[string]struct {
		usage bool
		open  time.Duration
		tries int
		want  time.Duration
	}{
		"usage is first tried after 60 s":               {true, 0, 0, 60 * s},
		"usage doubles with each bad probe":             {true, m, 2, 240 * s},
		"usage is tried every 900 s at the latest":      {true, time.Hour, 4, 900 * s},
		"usage is tried every 900 s for ever":           {true, time.Hour, 400, 900 * s},
		"throttle is first tried after 5 s":             {false, 0, 0, 5 * s},
		"throttle has a floor of 5 s":                   {false, 30 * s, 0, 5 * s},
		"throttle takes 15 % of the time open":          {false, 100 * s, 0, 15 * s},
		"throttle is tried every 15 s at the latest":    {false, 10 * m, 9, 15 * s},
		"throttle at 15 min is still one":               {false, 15 * m, 0, 15 * s},
		"throttle after 15 min is treated as usage":     {false, 15*m + 1, 0, 60 * s},
		"throttle after 15 min doubles as usage does":   {false, time.Hour, 3, 480 * s},
		"throttle after 15 min is capped as usage does": {false, time.Hour, 9, 900 * s},
	} {
		t.Run(name, func(t *testing.T) {
			if got := policy.ProbeAfter(tt.usage, tt.open, tt.tries); got != tt.want {
				t.Fatalf("%s, want %s", got, tt.want)
			}
			if got, want := policy.CountsTry(tt.usage, tt.open), tt.usage || tt.open > 15*m; got != want {
				t.Fatalf("counts a try: %v, want %v", got, want)
			}
		})
	}
}

func TestTryStated(t *testing.T) {
	const h, m, s = time.Hour, time.Minute, time.Second
	for name, tt := range map[string]struct {
		until time.Duration
		text  bool
		want  time.Duration
	}{
		"a stated reset is tried when it comes":           {20 * h, false, 20 * h},
		"a near text reset is tried when it comes":        {h + s, true, h + s},
		"a text that names a minute may mean its end":     {h, true, h + 59*s},
		"a text reset 6 h away is not far yet":            {6 * h, true, 6*h + 59*s},
		"a text reset more than 6 h away is tried in 2 h": {6*h + s, true, 2 * h},
		"a text reset days away is tried in 2 h":          {100 * h, true, 2 * h},
	} {
		t.Run(name, func(t *testing.T) {
			if got := policy.TryStated(now, now.Add(tt.until), tt.text).Sub(now); got != tt.want {
				t.Fatalf("after %s, want %s", got, tt.want)
			}
		})
	}
}

func TestHealthCooldownGrowsFromThirtySecondsToFiveMinutesWithJitter(t *testing.T) {
	const s = time.Second
	want := []time.Duration{30 * s, 60 * s, 120 * s, 240 * s, 300 * s, 300 * s}
	rapid.Check(t, func(t *rapid.T) {
		for opened, least := range want {
			got := policy.HealthCooldown(opened, rapid.Float64Range(0, 0.999999).Draw(t, "draw"))
			if got < least || got > least*9/8 {
				t.Fatalf("opening %d lasts %s, want %s and at most an eighth more", opened, got, least)
			}
		}
	})
	if policy.HealthCooldown(0, 0) == policy.HealthCooldown(0, 0.9) {
		t.Fatal("no jitter")
	}
}
