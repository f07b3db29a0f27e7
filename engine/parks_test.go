package engine_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/plan"
	"example.com/layover/engine/policy"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

const (
	// parks is how many lanes wait at once, and screenful how many of them are shown.
	parks, screenful = 10_000, 40
	// simulated is how long they are watched; they wait for longer.
	simulated = time.Hour
	waits     = 2 * time.Hour
)

// cost is what waiting takes.
type cost struct {
	cpu    time.Duration
	memory int
}

// BenchmarkParks holds ten thousand parks for a made-up hour, by the one owner and its
// one timer, and beside it by a goroutine per park that sleeps in chunks. It fails if
// the owner's way takes more than a fiftieth of the processor's time, or more than a
// fifteenth of the memory.
func BenchmarkParks(b *testing.B) {
	for b.Loop() {
		naive := goroutines(b)
		b.Logf("a goroutine per park:  %8s, %8d bytes, %d per park", naive.cpu.Round(time.Microsecond), naive.memory, naive.memory/parks)
		for _, breaker := range []bool{true, false} {
			name := map[bool]string{true: "window", false: "alone"}[breaker]
			ours := hosted(b, breaker)
			b.Logf("one owner, %-10s %8s, %8d bytes, %d per park", name+":", ours.cpu.Round(time.Microsecond), ours.memory, ours.memory/parks)
			cpu, memory := float64(naive.cpu)/float64(ours.cpu), float64(naive.memory)/float64(ours.memory)
			b.ReportMetric(cpu, "x-cpu-"+name)
			b.ReportMetric(memory, "x-memory-"+name)
			if cpu < 50 || memory < 15 {
				b.Errorf("%s: a goroutine per park takes only %.1f times the time and %.1f times the memory, want 50 and 15", name, cpu, memory)
			}
		}
	}
}

// goroutines holds the parks the plain way: each has a goroutine that sleeps a chunk at
// a time until its wake instant, and tells of each chunk.
func goroutines(b *testing.B) (c cost) {
	bubble(b, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		ticks := make(chan run.Observation)
		var group sync.WaitGroup
		seen := 0
		go func() {
			for range ticks {
				seen++
			}
		}()
		wake := time.Now().Add(waits)
		before := held()
		for lane := range parks {
			group.Go(func() { park(ctx, run.LaneID(lane+1), wake, ticks) })
		}
		synctest.Wait()
		c.memory = held() - before
		time.Sleep(time.Second)
		c.cpu = spent(simulated)
		if seen != parks*int(simulated/policy.Chunk) {
			t.Errorf("%d ticks", seen)
		}
		stop()
		group.Wait()
		close(ticks)
	})
	return c
}

// park is one park of its own.
func park(ctx context.Context, lane run.LaneID, wake time.Time, ticks chan<- run.Observation) {
	since := time.Now()
	timer := time.NewTimer(policy.Chunk)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-timer.C:
			select {
			case ticks <- run.Observation{At: now, Lane: lane, Body: run.ParkTick{WaitedMs: run.MillisOf(now.Sub(since)), WakeAt: wake}}:
			case <-ctx.Done():
				return
			}
			left := time.Until(wake)
			if left <= 0 {
				return
			}
			timer.Reset(min(left, policy.Chunk))
		}
	}
}

// hosted holds the parks in one run, with the breaker all on one window, without it each
// with a wake instant of its own.
func hosted(b *testing.B, breaker bool) (c cost) {
	bubble(b, func(t *testing.T) {
		facts := parked(t, breaker)
		idle := held()
		lanes := state(t, facts, false)
		idle = held() - idle
		before := held()
		seen := 0
		ctx, stop := context.WithCancelCause(t.Context())
		h := engine.Start(ctx, engine.Launch{State: state(t, facts, true)}, lonely(t, &seen))
		synctest.Wait()
		time.Sleep(time.Second)
		c.memory = held() - before - idle
		seen = 0
		c.cpu = spent(simulated)
		if want := screenful * int(simulated/policy.Chunk); seen != want {
			t.Errorf("%d ticks, want %d", seen, want)
		}
		stop(engine.ErrLeft)
		if res := h.Wait(); res.Err != nil || res.State.Counts.Parks != parks || len(res.State.Open) != parks {
			t.Errorf("%v: %d parks, %d lanes", res.Err, res.State.Counts.Parks, len(res.State.Open))
		}
		runtime.KeepAlive(lanes)
		runtime.KeepAlive(facts)
	})
	return c
}

// parked gives the facts of a run all of whose lanes have met a limit and are parked.
func parked(t *testing.T, breaker bool) []run.Fact {
	p := run.Defaults()
	p.Name, p.Parallel, p.Patience, p.Breaker.On = "parks", parks, run.Off, breaker
	p.Order = []run.Target{{Agent: "claude"}}
	p.Agents = map[string]run.Agent{"claude": {Preset: "claude", Family: "claude"}}
	for i := range parks {
		p.Tasks = append(p.Tasks, run.Task{Name: fmt.Sprint("task-", i), Prompt: "do it", Wait: run.WaitPark})
	}
	s, now := &run.State{}, time.Now()
	facts, _ := plan.Decide(s, run.Begin{RunID: "parks", Program: p, Seed: 1, Epoch: now, Speed: 1}, now)
	for id := run.LaneID(1); id <= parks; id++ {
		more, _ := plan.Decide(s, run.Ended{Lane: id, Attempt: s.Lane(id).Running().ID, Verdict: run.Verdict{
			Class: run.ClassRateLimited, Kind: run.KindUsage, Scope: run.ScopeFamily, Reset: now.Add(waits), How: run.HowStated,
		}}, now)
		facts = append(facts, more...)
	}
	if s.Counts.Parks != parks {
		t.Fatalf("%d lanes are parked", s.Counts.Parks)
	}
	return facts
}

// state is that of the run, or of one that is the same but that its lanes do not wait.
func state(t *testing.T, facts []run.Fact, waiting bool) *run.State {
	s := &run.State{}
	for _, f := range facts {
		if _, parks := f.Body.(run.TurnParked); parks && !waiting {
			s.Skip(f)
		} else if err := s.Apply(f); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// lonely are the ports of a host to which nothing happens but time. It looks for wishes
// in a directory of its own, as a real one does.
func lonely(t *testing.T, seen *int) engine.Ports {
	none := func(proc.GuardSpec) (engine.Process, error) { return nil, proc.ErrNotFound }
	lost := func(proc.AdoptSpec) (engine.Process, bool, error) { return nil, false, proc.ErrNotFound }
	j, err := journal.Create(t.TempDir(), "20260101_000000_0badcafe")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	shown := make([]run.LaneID, screenful)
	for i := range shown {
		shown[i] = run.LaneID(100 + i)
	}
	return engine.Ports{
		Clock: &engine.Real{}, Store: blank{}, Ledger: engine.Solo{}, Start: none, Adopt: lost,
		Controls: j.Controls, Obeyed: j.Obeyed,
		Open: func(string) (io.ReadCloser, error) { return nil, io.EOF }, Zone: time.UTC,
		Redact: func(s string) string { return s }, Facts: func([]run.Fact) {},
		Observe: func(run.Observation) { *seen++ }, Shown: func() []run.LaneID { return shown },
	}
}

// blank is a store that keeps nothing.
type blank struct{}

func (blank) Append([]run.Fact) error                         { return nil }
func (blank) Export(*run.State, time.Time, bool) error        { return nil }
func (blank) Worker(string, string) (journal.Worker, error)   { return journal.Worker{}, nil }
func (blank) OpenWorker(string) (w journal.Worker, err error) { return w, nil }
func (blank) Workers() ([]journal.Worker, error)              { return nil, nil }

// held is what the heap and the stacks hold now, in bytes.
func held() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc + m.StackInuse)
}

// spent lets made-up time go by and tells what processor time that took.
func spent(d time.Duration) time.Duration {
	before := used()
	time.Sleep(d)
	synctest.Wait()
	return used() - before
}

// used is the processor time of this process.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// bubble runs a part of a benchmark in made-up time, which only tests have.
func bubble(b *testing.B, f func(*testing.T)) {
	all := func(_, _ string) (bool, error) { return true, nil }
	if !testing.RunTests(all, []testing.InternalTest{{Name: b.Name(), F: func(t *testing.T) { synctest.Test(t, f) }}}) {
		b.FailNow()
	}
}
