package breaker_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/breaker"
	"example.com/layover/engine/run"
)

const cooldown = 900 * time.Second

func TestMerge(t *testing.T) {
	const s, m, h = time.Second, time.Minute, time.Hour
	in := func(d time.Duration) time.Time { return now.Add(d) }
	window := func(how run.How, until time.Duration) *run.Window {
		return &run.Window{WindowKey: limitOn(""), Kind: run.KindUsage, OpenedAt: in(-m), Until: in(until), NextTry: in(until), How: how, Tries: 1}
	}
	type ends struct {
		Until, NextTry time.Duration
		How            run.How
		Tries          int
	}
	for name, tt := range map[string]struct {
		old  *run.Window
		says breaker.Refusal
		want ends
	}{
		"nothing known opens for the cooldown, tried after 60 s": {nil, refusal(run.KindUsage, 0, 0), ends{cooldown, m, run.HowAssumed, 0}},
		"nothing known of a throttle is tried after 5 s":         {nil, refusal(run.KindThrottle, 0, 0), ends{cooldown, 5 * s, run.HowAssumed, 0}},
		"stated opens until the reset, tried then":               {nil, refusal(run.KindUsage, h, run.HowStated), ends{h, h, run.HowStated, 0}},
		"a far text is tried every two hours":                    {nil, refusal(run.KindUsage, 20*h+s, run.HowText), ends{20*h + s, 2 * h, run.HowText, 0}},
		"a reset that has passed is none":                        {nil, refusal(run.KindUsage, -h, run.HowStated), ends{cooldown, m, run.HowAssumed, 0}},
		"stronger replaces, even if sooner":                      {window(run.HowText, 5*h), refusal(run.KindUsage, h, run.HowStated), ends{h, h, run.HowStated, 1}},
		"stated replaces assumed":                                {window(run.HowAssumed, 10*m), refusal(run.KindUsage, m, run.HowStated), ends{m, m, run.HowStated, 1}},
		"equal extends to the later":                             {window(run.HowStated, h), refusal(run.KindUsage, 2*h, run.HowStated), ends{2 * h, 2 * h, run.HowStated, 1}},
		"equal never shortens":                                   {window(run.HowStated, 2*h), refusal(run.KindUsage, h, run.HowStated), ends{2 * h, 2 * h, run.HowStated, 1}},
		"weaker text changes nothing that was stated":            {window(run.HowStated, h), refusal(run.KindUsage, 9*h, run.HowText), ends{h, h, run.HowStated, 1}},
		"an unknown reset changes nothing that was said":         {window(run.HowText, h), refusal(run.KindUsage, 0, 0), ends{h, h, run.HowText, 1}},
		"weaker takes over once the window has ended":            {window(run.HowStated, -s), refusal(run.KindUsage, h, run.HowText), ends{h, h + 59*s, run.HowText, 1}},
		"a bad probe of an assumed window comes later":           {window(run.HowAssumed, -s), probe(refusal(run.KindUsage, 0, 0)), ends{cooldown, 4 * m, run.HowAssumed, 2}},
		"a bad probe of a stated window keeps to the statement":  {window(run.HowStated, h), probe(refusal(run.KindUsage, 0, 0)), ends{h, h, run.HowStated, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			w := breaker.Merge(tt.old, tt.says, cooldown, now)
			got := ends{w.Until.Sub(now), w.NextTry.Sub(now), w.How, w.Tries}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

// refusal is a refusal with a reset after a while; zero is unknown.
func refusal(kind run.Kind, reset time.Duration, how run.How) breaker.Refusal {
	r := breaker.Refusal{Key: limitOn(""), Kind: kind, How: how}
	if reset != 0 {
		r.Reset = now.Add(reset)
	}
	return r
}

func probe(r breaker.Refusal) breaker.Refusal {
	r.Probe = true
	return r
}

func TestMergeTriesAFarTextEveryTwoHoursThoughAProbeLearnsNothing(t *testing.T) {
	old := &run.Window{
		WindowKey: limitOn(""), Kind: run.KindUsage, OpenedAt: now.Add(-2 * time.Hour),
		Until: now.Add(50 * time.Hour), NextTry: now, How: run.HowText,
	}
	w := breaker.Merge(old, probe(refusal(run.KindUsage, 0, 0)), cooldown, now)
	if got := w.NextTry.Sub(now); got != 2*time.Hour {
		t.Fatalf("tried again after %s", got)
	}
}

func TestMergeKeepsUsageAndTheFirstOpening(t *testing.T) {
	old := &run.Window{WindowKey: limitOn(""), Kind: run.KindUsage, OpenedAt: now.Add(-time.Hour), Until: now, How: run.HowAssumed}
	w := breaker.Merge(old, refusal(run.KindThrottle, 0, 0), cooldown, now)
	if w.Kind != run.KindUsage || !w.OpenedAt.Equal(old.OpenedAt) {
		t.Fatalf("%s, opened %s", w.Kind, w.OpenedAt)
	}
}

// The model: the end with the strongest evidence among what still lasts; of equal
// evidence the latest.
func TestMergeAgreesWithANaiveModelOfEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w *run.Window
		var until time.Time
		var how run.How
		at := now
		for range rapid.IntRange(1, 12).Draw(t, "refusals") {
			at = at.Add(time.Duration(rapid.IntRange(0, 4000).Draw(t, "later")) * time.Second)
			says := run.How(rapid.IntRange(0, 3).Draw(t, "how"))
			reset := at.Add(time.Duration(rapid.IntRange(-1000, 40_000).Draw(t, "reset")) * time.Second)
			r := breaker.Refusal{Key: limitOn(""), Kind: run.KindThrottle, Reset: reset, How: says, Probe: rapid.Bool().Draw(t, "probe")}
			if says == run.HowAssumed {
				r.How, r.Reset = 0, time.Time{}
			}
			next := breaker.Merge(w, r, cooldown, at)

			e, to := run.HowAssumed, at.Add(cooldown)
			if says.Said() && reset.After(at) {
				e, to = says, reset
			}
			switch lasts := until.After(at); {
			case !lasts || e > how:
				until, how = to, e
			case e == how && to.After(until):
				until = to
			}
			if !next.Until.Equal(until) || next.How != how {
				t.Fatalf("until %s (%s), want %s (%s)", next.Until.Sub(now), next.How, until.Sub(now), how)
			}
			if r.Probe && !next.NextTry.After(at) {
				t.Fatalf("a bad probe is followed at once, %s", at.Sub(next.NextTry))
			}
			w = &next
		}
	})
}
