package tree

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	for name, c := range map[string]struct {
		every  time.Duration
		n      int
		paused bool
	}{
		"few":                     {time.Second, 5000, false},
		"as many as are free":     {beat, 5000, false},
		"a burst":                 {time.Millisecond, atOnce / 2, false},
		"many at once are one":    {together / 2, 100 * atOnce, false},
		"a thousand each second":  {time.Millisecond, 5 * atOnce, true},
		"one after the other":     {2 * together, 2 * atOnce, true},
		"a little more than free": {beat / 2, 5 * atOnce, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := pace{atOnce: atOnce}
			now, began, wakes, paused := time.Unix(0, 0), time.Unix(0, 0), 0, false
			for range c.n {
				now = now.Add(c.every)
				wait := p.wait(now)
				paused = paused || wait > 0
				now = now.Add(wait)
				wakes++
			}
			if paused != c.paused {
				t.Errorf("paused %v", paused)
			}
			if most := atOnce + 2*int(backlog/c.every+1)*int(now.Sub(began)/beat); c.every >= together && wakes > most {
				t.Errorf("%d wakes in %v", wakes, now.Sub(began))
			}
		})
	}
}
