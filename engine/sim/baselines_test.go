package sim_test

import (
	"container/heap"
	"iter"
	"math/rand/v2"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/sim"
)

// shop is a set of workers that each take one task after the other, by a policy, on
// the providers of a scenario. It is what Layover is measured against.
type shop struct {
	scenario
	seed      uint64
	providers []*sim.Provider
	draw      *rand.Rand
	now       time.Duration
	queue     wakes
	n         int
	next      int             // the next task
	cooling   []time.Duration // until when a gateway leaves a family alone
	over      bool
	sim.Tally
}

// policy is how a worker gets a call answered.
type policy struct {
	name string
	// pick chooses the family of a new task; negative if there is none now.
	pick func(w *worker) int
	// call gets one call answered before the deadline, or reports that it cannot be.
	call func(w *worker, deadline time.Duration) bool
	// inside is set if the agents retry by themselves.
	inside bool
}

// worker is a coroutine: it sleeps in made-up time.
type worker struct {
	*shop
	yield  func(time.Duration) bool
	resume func() (time.Duration, bool)
	stop   func()
	family int
	idle   bool // the process has had no call answered
}

type wake struct {
	at time.Duration
	n  int
	w  *worker
}

type wakes []wake

func (q wakes) Len() int           { return len(q) }
func (q wakes) Less(i, j int) bool { return q[i].at < q[j].at || q[i].at == q[j].at && q[i].n < q[j].n }
func (q wakes) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *wakes) Push(x any)        { *q = append(*q, x.(wake)) }
func (q *wakes) Pop() any {
	old := *q
	e := old[len(old)-1]
	*q = old[:len(old)-1]
	return e
}

// shut ends a worker when the time is over.
type shut struct{}

func (w *worker) sleep(d time.Duration) {
	if w.over || !w.yield(max(d, 0)) {
		panic(shut{})
	}
}

func (w *worker) provider() *sim.Provider { return w.providers[w.family] }

// spawn pays for a process.
func (w *worker) spawn() {
	w.Spawns++
	w.idle = true
	w.sleep(w.start)
}

// try makes one call of the family; nil if it was answered, at its end.
func (w *worker) try() *sim.Refusal {
	f := w.provider().Ask("", w.now, w.draw)
	if f == nil {
		w.sleep(w.length())
		w.idle = false
		return nil
	}
	w.Refused++
	w.Failed++
	w.sleep(time.Second + time.Duration(w.draw.Float64()*float64(time.Second)))
	return f
}

func (w *worker) length() time.Duration {
	return w.scenario.call/2 + time.Duration(w.draw.Float64()*float64(w.scenario.call))
}

// work takes tasks until the time is over.
func (w *worker) work(p policy, i int) {
	w.sleep(time.Duration(i) * 2 * time.Second)
	for w.now < w.span {
		task := i
		if !w.once {
			task = w.shop.next
			w.shop.next++
		}
		if w.family = p.pick(w); w.family < 0 { // it is started, and refused
			w.Spawns++
			w.Wasted++
			w.sleep(max(time.Second, w.respawn))
			if w.once {
				w.Aborted++
				return
			}
			continue
		}
		deadline := w.now + w.budget
		if w.once {
			deadline = w.budget
		}
		need, done := w.size(w.seed, task), 0
		w.spawn()
		for done < need && p.call(w, deadline) && w.now <= deadline {
			done++
		}
		if done == need {
			w.Useful += need
			w.Done++
		} else {
			w.Lost += done
			w.Aborted++
			if w.idle {
				w.Wasted++
			}
		}
		if w.once {
			return
		}
		if done < need {
			w.sleep(w.respawn)
		}
	}
}

// play lets all workers of a scenario work by a policy.
func (c scenario) play(seed uint64, p policy) sim.Tally {
	s := &shop{scenario: c, seed: seed, providers: c.drawn(seed), draw: rand.New(rand.NewPCG(seed, 99))}
	s.cooling = make([]time.Duration, len(s.providers))
	for i := range c.lanes {
		w := &worker{shop: s}
		w.resume, w.stop = iter.Pull(func(yield func(time.Duration) bool) {
			defer func() {
				if r := recover(); r != nil && r != (shut{}) {
					panic(r)
				}
			}()
			w.yield = yield
			w.work(p, i)
		})
		defer w.stop()
		s.n++
		heap.Push(&s.queue, wake{0, s.n, w})
	}
	for s.queue.Len() > 0 {
		e := heap.Pop(&s.queue).(wake)
		if e.at > c.span {
			break
		}
		s.now = e.at
		if d, ok := e.w.resume(); ok {
			s.n++
			heap.Push(&s.queue, wake{s.now + d, s.n, e.w})
		}
	}
	s.over = true
	return s.Tally
}

func first(*worker) int { return 0 }

// rungs is a ladder of six retries that takes about 16 s.
var rungs = []time.Duration{
	500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 4 * time.Second, 4500 * time.Millisecond,
}

// climb tries a call by the ladder, which obeys a wait of at most two minutes and
// gives up at a spent allowance.
func (w *worker) climb() *sim.Refusal {
	f := w.try()
	for _, d := range rungs {
		if f == nil || f.Kind == run.KindUsage || f.In > 120*time.Second {
			return f
		}
		w.sleep(max(d, f.In))
		f = w.try()
	}
	return f
}

// gateway leaves a family alone for a while after a failure, and takes any other.
func gateway(name string, cooldown time.Duration) policy {
	healthy := func(w *worker) []int {
		var all []int
		for i, until := range w.cooling {
			if until <= w.now {
				all = append(all, i)
			}
		}
		return all
	}
	pick := func(w *worker) int {
		if h := healthy(w); len(h) > 0 {
			return h[w.draw.IntN(len(h))]
		}
		return -1
	}
	return policy{name: name, pick: pick, call: func(w *worker, _ time.Duration) bool {
		for range 3 {
			if w.cooling[w.family] > w.now {
				to := pick(w)
				if to < 0 {
					return false
				}
				w.family = to
				w.Swaps++
			}
			f := w.try()
			if f == nil {
				return true
			}
			if f.Class != run.ClassTransport {
				w.cooling[w.family] = w.now + cooldown
			}
		}
		return false
	}}
}

// resolves is try by an agent that retries by itself for three minutes.
func (w *worker) resolves(inside bool) *sim.Refusal {
	since := w.now
	for n := 0; ; n++ {
		f := w.try()
		if f == nil || !inside || f.Class != run.ClassRateLimited || f.Kind != run.KindThrottle || f.In >= 0 {
			return f
		}
		d := min(500*time.Millisecond<<min(n, 6), 32*time.Second)
		if w.now+d-since > 180*time.Second {
			return f
		}
		w.Failed-- // it is the same attempt
		w.sleep(d)
	}
}

// anew sleeps for a minute after a failure, and starts another process.
func anew(name string, inside bool) policy {
	return policy{name: name, pick: first, inside: inside, call: func(w *worker, deadline time.Duration) bool {
		for w.resolves(inside) != nil {
			if w.now+time.Minute > deadline {
				return false
			}
			if w.idle {
				w.Wasted++
			}
			w.sleep(time.Minute)
			w.spawn()
		}
		return true
	}}
}

func baselines() []policy {
	return []policy{
		{name: "no retry", pick: first, call: func(w *worker, _ time.Duration) bool { return w.try() == nil }},
		{name: "ladder of 6 retries, 16 s", pick: first, call: func(w *worker, _ time.Duration) bool { return w.climb() == nil }},
		{name: "sleep 60 s and try again", pick: first, call: func(w *worker, deadline time.Duration) bool {
			for w.try() != nil {
				if w.now+time.Minute > deadline {
					return false
				}
				w.sleep(time.Minute)
			}
			return true
		}},
		anew(anews+"(a)", false),
		anew(anews+"(b)", true),
		{name: "sleep until the stated reset, no breaker", pick: first, call: func(w *worker, deadline time.Duration) bool {
			for range 20 {
				f := w.try()
				switch {
				case f == nil:
					return true
				case f.In < 0:
					return w.climb() == nil
				case f.Kind != run.KindUsage && w.now+f.In > deadline:
					return false
				}
				w.sleep(f.In + time.Second)
				if w.now > deadline {
					return false
				}
			}
			return false
		}},
		gateway("gateway, 5 s cooldown, 3 tries", 5*time.Second),
		gateway("gateway, 60 s cooldown, 3 tries", 60*time.Second),
	}
}

// best is the family that answers first, and when.
func (w *worker) best() (family int, at time.Duration) {
	family = -1
	for i, p := range w.providers {
		if open := p.OpenAt("", w.now); family < 0 || open < at {
			family, at = i, open
		}
	}
	return family, at
}

// oracle knows everything; if it pays, each wait or change costs it a process.
func oracle(name string, pays bool) policy {
	reach := func(w *worker, deadline time.Duration) bool {
		for {
			f, at := w.best()
			if at <= w.now {
				w.family = f
				return true
			}
			if at > deadline {
				return false
			}
			w.sleep(at - w.now)
		}
	}
	return policy{
		name: name,
		pick: func(w *worker) int { reach(w, 1<<62); return w.family },
		call: func(w *worker, deadline time.Duration) bool {
			if waits := w.provider().OpenAt("", w.now) > w.now; waits && pays {
				if !reach(w, deadline) {
					return false
				}
				w.spawn()
			}
			if !reach(w, deadline) {
				return false
			}
			w.provider().Take("", w.now)
			w.sleep(w.length())
			return true
		},
	}
}
