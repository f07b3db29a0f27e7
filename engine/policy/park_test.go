package policy_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/policy"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const (
	base  = 250 * time.Millisecond
	limit = 8 * time.Second
)

func TestBackoffEnvelopeDoublesFromBaseToCap(t *testing.T) {
	const s = time.Second
	want := []time.Duration{s / 4, s / 2, s, 2 * s, 4 * s, 8 * s, 8 * s}
	var got []time.Duration
	for retry := 1; retry <= len(want); retry++ {
		got = append(got, policy.Backoff(base, limit, retry, 1))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

func TestSixRetriesTakeAtMostFifteenAndThreeQuarterSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sum time.Duration
		for retry := 1; retry <= 6; retry++ {
			d := policy.Backoff(base, limit, retry, rapid.Float64Range(0, 0.999999).Draw(t, "draw"))
			if d < base {
				t.Fatalf("retry %d after %s", retry, d)
			}
			sum += d
		}
		if sum > 15750*time.Millisecond {
			t.Fatalf("six retries take %s", sum)
		}
	})
}

func TestBackoffIsLinearInTheDraw(t *testing.T) {
	for name, tt := range map[string]struct {
		draw float64
		want time.Duration
	}{
		"least": {0, 250 * time.Millisecond}, "half": {0.5, 1125 * time.Millisecond}, "most": {1, 2 * time.Second},
	} {
		if got := policy.Backoff(base, limit, 4, tt.draw); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestBackoffNeverOverflowsForManyRetries(t *testing.T) {
	if got := policy.Backoff(base, limit, 10_000, 1); got != limit {
		t.Fatalf("the ten thousandth retry comes after %s", got)
	}
}

func TestAllowance(t *testing.T) {
	const h, m = time.Hour, time.Minute
	in := func(d time.Duration) time.Time { return now.Add(d) }
	for name, tt := range map[string]struct {
		bounds  policy.Bounds
		want    time.Duration
		bounded bool
	}{
		"stated without a deadline is unbounded":           {policy.Bounds{Now: now, Stated: true, Waited: 9 * h, MaxPark: 6 * h}, 0, false},
		"stated is bounded by the deadline less 30 s":      {policy.Bounds{Now: now, Stated: true, Deadline: in(10 * m)}, 10*m - 30*time.Second, true},
		"stated does not count the time waited":            {policy.Bounds{Now: now, Stated: true, Deadline: in(10 * h), Waited: 7 * h, MaxPark: 6 * h}, 10*h - 30*time.Second, true},
		"not stated is bounded by max_park":                {policy.Bounds{Now: now, MaxPark: 6 * h}, 6 * h, true},
		"not stated counts the time waited since progress": {policy.Bounds{Now: now, MaxPark: 6 * h, Waited: 5 * h}, h, true},
		"the deadline bounds what is not stated too":       {policy.Bounds{Now: now, MaxPark: 6 * h, Deadline: in(h)}, h - 30*time.Second, true},
		"max_park bounds before a later deadline":          {policy.Bounds{Now: now, MaxPark: h, Deadline: in(6 * h)}, h, true},
		"never below zero after the deadline":              {policy.Bounds{Now: now, Stated: true, Deadline: in(-h)}, 0, true},
		"never below zero within the reserve":              {policy.Bounds{Now: now, Stated: true, Deadline: in(29 * time.Second)}, 0, true},
		"never below zero after max_park":                  {policy.Bounds{Now: now, MaxPark: h, Waited: 2 * h}, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, bounded := tt.bounds.Allowance()
			if got != tt.want || bounded != tt.bounded {
				t.Fatalf("%s %v, want %s %v", got, bounded, tt.want, tt.bounded)
			}
		})
	}
}

func TestParkPlan(t *testing.T) {
	const s, m = time.Second, time.Minute
	wide := policy.Bounds{Now: now, MaxPark: 6 * time.Hour}
	stated := policy.Bounds{Now: now, Stated: true, MaxPark: 6 * time.Hour}
	tight := policy.Bounds{Now: now, Deadline: now.Add(70 * s), MaxPark: 6 * time.Hour}
	told := tight
	told.Stated = true
	none := policy.Bounds{Now: now, Deadline: now.Add(20 * s), MaxPark: 6 * time.Hour}
	for name, tt := range map[string]struct {
		park policy.Park
		want time.Duration
		ok   bool
	}{
		"no hint starts at 30 s":                     {policy.Park{Bounds: wide}, 30 * s, true},
		"no hint doubles with the streak":            {policy.Park{Bounds: wide, Streak: 2}, 2 * m, true},
		"no hint is capped at 5 min":                 {policy.Park{Bounds: wide, Streak: 60}, 5 * m, true},
		"no hint is cut to the allowance":            {policy.Park{Bounds: tight, Streak: 2}, 40 * s, true},
		"no hint is jittered upward":                 {policy.Park{Bounds: wide, Draw: 0.5}, 30*s + 30*s/16, true},
		"300 s stated with no jitter is 300 s":       {policy.Park{Bounds: stated, Hint: 300 * s}, 300 * s, true},
		"300 s stated with all jitter is 337.5 s":    {policy.Park{Bounds: stated, Hint: 300 * s, Draw: 1}, 337*s + s/2, true},
		"a hint below the backoff waits the backoff": {policy.Park{Bounds: stated, Hint: s, Streak: 1}, m, true},
		"a hint that just fits is waited":            {policy.Park{Bounds: told, Hint: 40 * s, Draw: 1}, 40 * s, true},
		"a hint beyond the allowance is given up":    {policy.Park{Bounds: told, Hint: 40*s + 1}, 0, false},
		"no allowance without a hint is given up":    {policy.Park{Bounds: none}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := tt.park.Plan()
			if got != tt.want || ok != tt.ok {
				t.Fatalf("%s %v, want %s %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestPlannedParkNeverExceedsTheAllowanceAndNeverUndercutsAHint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := func(label string, most int) time.Duration {
			return time.Duration(rapid.IntRange(0, most).Draw(t, label)) * time.Second
		}
		p := policy.Park{
			Bounds: policy.Bounds{Now: now, Stated: rapid.Bool().Draw(t, "stated"), Waited: seconds("waited", 30_000), MaxPark: seconds("max park", 30_000)},
			Hint:   seconds("hint", 30_000), Streak: rapid.IntRange(0, 40).Draw(t, "streak"), Draw: rapid.Float64Range(0, 0.999999).Draw(t, "draw"),
		}
		if rapid.Bool().Draw(t, "bounded") {
			p.Deadline = now.Add(seconds("deadline", 30_000))
		}
		allowance, bounded := p.Allowance()
		wait, ok := p.Plan()
		switch {
		case ok == (bounded && (allowance == 0 || p.Stated && p.Hint > allowance)):
			t.Fatalf("planned: %v, of an allowance of %s for a hint of %s", ok, allowance, p.Hint)
		case !ok:
		case bounded && wait > allowance:
			t.Fatalf("%s of %s", wait, allowance)
		case p.Stated && wait < p.Hint:
			t.Fatalf("%s undercuts %s", wait, p.Hint)
		case wait > max(p.Hint, policy.ParkCap)*9/8:
			t.Fatalf("%s is more than an eighth too long", wait)
		}
	})
}

func TestBoundary(t *testing.T) {
	const s = time.Second
	at := func(d time.Duration) time.Time { return now.Add(d) }
	for name, tt := range map[string]struct{ end, after, want time.Duration }{
		"the first chunk":                          {time.Hour, s, 30 * s},
		"asked at the start":                       {time.Hour, 0, 30 * s},
		"asked on a boundary waits for the next":   {time.Hour, 60 * s, 90 * s},
		"just before a boundary":                   {time.Hour, 90*s - 1, 90 * s},
		"the planned end is a boundary too":        {100 * s, 95 * s, 100 * s},
		"a wait that is over ends at once":         {100 * s, 101 * s, 101 * s},
		"asked before the start, by a clock set":   {time.Hour, -100 * s, -70 * s},
		"an end just after a boundary is not lost": {91 * s, 90 * s, 91 * s},
	} {
		t.Run(name, func(t *testing.T) {
			if got := policy.Boundary(now, at(tt.end), at(tt.after)); !got.Equal(at(tt.want)) {
				t.Fatalf("after %s, want %s", got.Sub(now), tt.want)
			}
		})
	}
	if got := policy.Boundary(now, time.Time{}, at(40*s)); !got.Equal(at(60 * s)) {
		t.Fatalf("without an end after %s", got.Sub(now))
	}
}

func TestBoundaryIsTheFirstOneAfterTheRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end := now.Add(time.Duration(rapid.IntRange(1, 100_000_000).Draw(t, "end")) * time.Microsecond)
		after := now.Add(time.Duration(rapid.IntRange(0, 100_000_000).Draw(t, "after")) * time.Microsecond)
		got := policy.Boundary(now, end, after)
		chunk := got.Sub(now)%policy.Chunk == 0
		switch {
		case got.Before(after) || got.Sub(after) > policy.Chunk:
			t.Fatalf("asked after %s, ends after %s", after.Sub(now), got.Sub(now))
		case after.Before(end) && got.After(end):
			t.Fatalf("the end %s is passed", end.Sub(now))
		case after.Before(end) && !chunk && !got.Equal(end):
			t.Fatalf("%s is no boundary", got.Sub(now))
		}
	})
}
