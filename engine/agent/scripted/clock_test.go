package scripted

import (
	"errors"
	"io/fs"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func opened(t testing.TB, dir string) *Clock {
	t.Helper()
	c, err := OpenClock(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRunningClock(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		if err := Create(dir, small(t, "", ""), Params{Epoch: epoch(), Real: time.Now(), Speed: 60}); err != nil {
			t.Fatal(err)
		}
		c := opened(t, dir)
		fired, _ := c.After(epoch().Add(10 * time.Minute))
		dropped, stop := c.After(epoch().Add(time.Minute))
		stop()
		began := time.Now()
		at := <-fired
		if took := time.Since(began); took < 10*time.Second || took > 10*time.Second+time.Millisecond {
			t.Errorf("ten minutes at sixty times the speed took %s", took)
		}
		if at.Before(epoch().Add(10 * time.Minute)) {
			t.Errorf("fired at %s, too early", at)
		}
		select {
		case <-dropped:
			t.Error("a wait that was given up fired")
		default:
		}
		if before := c.Now(); c.Jump(before.Add(time.Hour)) || !c.Now().Equal(before) {
			t.Error("a running clock jumped")
		}
		past, _ := c.After(epoch())
		<-past
	})
}

func TestStillClock(t *testing.T) {
	dir := created(t, small(t, "", ""), still())
	c := opened(t, dir)
	soon, _ := c.After(epoch().Add(time.Minute))
	late, _ := c.After(epoch().Add(time.Hour))
	dropped, stop := c.After(epoch().Add(time.Minute))
	stop()
	if !c.Now().Equal(epoch()) || len(soon) != 0 {
		t.Fatalf("time went by itself to %s", c.Now())
	}
	if !c.Jump(epoch().Add(time.Minute)) || len(soon) != 1 || len(late) != 0 || len(dropped) != 0 {
		t.Errorf("after a jump: %d, %d, %d fired", len(soon), len(late), len(dropped))
	}
	if !c.Jump(epoch()) || !c.Now().Equal(epoch().Add(time.Minute)) || !opened(t, dir).Now().Equal(c.Now()) {
		t.Errorf("a jump back went to %s", opened(t, dir).Now())
	}
	// What an agent of another process did lies ahead, until the host goes there.
	ahead := epoch().Add(2 * time.Hour)
	if _, err := c.tape.advance(ahead); err != nil {
		t.Fatal(err)
	}
	if !c.Now().Equal(epoch().Add(time.Minute)) || !c.Ahead().Equal(ahead) || len(late) != 0 {
		t.Errorf("at %s with %s ahead, %d fired", c.Now(), c.Ahead(), len(late))
	}
	if !c.Jump(ahead) || !c.Now().Equal(ahead) || len(late) != 1 {
		t.Errorf("jumped to %s, %d fired", c.Now(), len(late))
	}
	reached, _ := c.After(epoch())
	if len(reached) != 1 {
		t.Error("an instant that is reached already did not fire")
	}
}

// However jumps of two holders of one clock are mixed, neither goes back, what one
// does lies ahead of the other, and a wait has fired if and only if its instant is
// reached.
func TestStillClockNeverGoesBack(t *testing.T) {
	dir := created(t, small(t, "", ""), still())
	base := epoch()
	rapid.Check(t, func(t *rapid.T) {
		here, there := mustOpen(t, dir), mustOpen(t, dir)
		last := here.Now()
		if last.After(base) {
			base = last
		}
		for _, s := range rapid.SliceOfN(rapid.IntRange(-100, 100), 1, 12).Draw(t, "seconds") {
			at := base.Add(time.Duration(s) * time.Second)
			fired, stop := here.After(at)
			if s%2 == 0 {
				there.Jump(at)
			} else {
				here.Jump(at.Add(-time.Second))
			}
			now := here.Now()
			if now.Before(last) || here.Ahead().Before(at.Add(-time.Second)) {
				t.Fatalf("went from %s to %s, with %s ahead", last, now, here.Ahead())
			}
			if got := len(fired) == 1; got != !now.Before(at) {
				t.Fatalf("at %s, waiting for %s: fired is %t", now, at, got)
			}
			stop()
			last = now
		}
	})
}

func mustOpen(t *rapid.T, dir string) *Clock {
	c, err := OpenClock(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Params{Epoch: epoch(), Real: epoch().Add(-time.Hour), Speed: rapid.Float64Range(0.01, maxSpeed).Draw(t, "speed")}
		a := rapid.Int64Range(0, int64(maxLength)).Draw(t, "first")
		b := rapid.Int64Range(a, int64(maxLength)).Draw(t, "second")
		first, second := p.now(p.Real.Add(time.Duration(a))), p.now(p.Real.Add(time.Duration(b)))
		if second.Before(first) || first.Before(p.Epoch) {
			t.Fatalf("%s comes after %s", second, first)
		}
		if d := p.real(time.Duration(b)); float64(d)*p.Speed < float64(b)*(1-1e-9) && d < math.MaxInt64/2 {
			t.Fatalf("%s of simulated time takes only %s", time.Duration(b), d)
		}
	})
}

func TestCreateKeepsAnExistingWorld(t *testing.T) {
	dir := created(t, small(t, "", ""), still())
	if err := Create(dir, small(t, "", ""), still()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("want %v, got %v", fs.ErrExist, err)
	}
	if _, err := OpenClock(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("want %v, got %v", fs.ErrNotExist, err)
	}
}

func TestRestart(t *testing.T) {
	at := epoch().Add(20 * time.Minute)
	for name, speed := range map[string]float64{"still": 0, "running": 12} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				if err := Create(dir, small(t, "", ""), Params{Epoch: epoch(), Real: time.Now(), Speed: speed}); err != nil {
					t.Fatal(err)
				}
				playAgent(t, dir, "claude", "unit tests", claudeArgs()...)
				time.Sleep(time.Hour) // of the bubble's time, in which nobody is there
				if err := Restart(dir, at, time.Now()); err != nil {
					t.Fatal(err)
				}
				if off := opened(t, dir).Now().Sub(at); off < 0 || off > time.Millisecond {
					t.Errorf("the clock is %s off", off)
				}
				if n := books(t, dir).Accounts["claude"].Calls; n != 5 {
					t.Errorf("the account remembers %d calls", n)
				}
			})
		})
	}
}
