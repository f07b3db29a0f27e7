package watcher_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/watcher"
)

func TestPaceIsThatOfTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Date(2026, 1, 5, 21, 0, 0, 0, time.UTC)
		for speed, want := range map[float64]time.Time{
			1: time.Now().Add(time.Minute), 12: began.Add(12 * time.Minute), 0: began,
		} {
			p := watcher.NewPace(func() time.Time { return time.Now().Add(time.Minute) })
			if before := p.Now(); !before.Equal(time.Now().Add(time.Minute)) {
				t.Errorf("before the first fact it is %s", before)
			}
			seen := time.Now()
			p = watcher.NewPace(func() time.Time { return seen })
			p.Seen([]run.Fact{{At: began, Body: run.RunStarted{Speed: speed}}})
			seen = seen.Add(time.Minute)
			if got := p.Now(); !got.Equal(want) {
				t.Errorf("at speed %g it is %s, want %s", speed, got, want)
			}
		}
	})
}

// A run that nobody holds is told once, a while after its owner is gone.
func TestHeldTellsWhenTheOwnerIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, err := journal.Create(t.TempDir(), "20260101_000000_0badcafe")
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		gone := make(chan time.Duration, 1)
		go watcher.Held(t.Context(), j.Dir(), func() { gone <- time.Since(began) })
		time.Sleep(time.Hour) // of the bubble's time
		if len(gone) != 0 {
			t.Fatal("told while it is held")
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if at := <-gone; at < time.Hour || at > time.Hour+10*time.Second {
			t.Errorf("told after %s", at)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		watcher.Held(ctx, j.Dir(), func() { t.Error("told to one who does not listen any more") })
	})
}
