package text_test

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

func TestGauge(t *testing.T) {
	const hour, day = time.Hour, 24 * time.Hour
	for want, g := range map[string]run.Gauge{
		"5h 83%":            {Limit: "five_hour", Window: 5 * hour, Used: .83},
		"5h 29%":            {Limit: "codex", Window: 299 * time.Minute, Used: .29},
		"week 99%":          {Limit: "seven_day", Window: 7 * day, Used: .9999},
		"week 0%":           {Limit: "codex", Window: 10079 * time.Minute},
		"week opus 100%":    {Limit: "seven_day_opus", Window: 7 * day, Used: 1},
		"month 104%":        {Limit: "codex", Window: 30 * day, Used: 1.04},
		"5h codex spark 1%": {Limit: "codex_spark", Window: 5 * hour, Used: .0199},
		"day 999%":          {Limit: "codex", Window: day, Used: 1e9},
		"3d 0%":             {Limit: "codex", Window: 3 * day, Used: -1},
		"30m 50%":           {Limit: "codex", Window: 30 * time.Minute, Used: .5},
		"26h 50%":           {Limit: "codex", Window: 26 * hour, Used: .5},
		"overage 12%":       {Limit: "overage", Used: .12},
		"codex 12%":         {Limit: "codex", Used: .12},
		"x\ufffd 12%":       {Limit: "x\x1b[2J\u202e", Used: .12},
	} {
		if got := text.Gauge(g); got != want {
			t.Errorf("%+v: %q, want %q", g, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-1: "0 s", 1: "0.1 s", 4700 * time.Millisecond: "4.7 s", 4701 * time.Millisecond: "4.8 s", 5 * time.Second: "5 s",
		9999 * time.Millisecond: "10 s", 36201 * time.Millisecond: "37 s", 2*time.Minute - 1: "120 s", 3 * time.Minute: "3m",
	} {
		if got := text.Seconds(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
