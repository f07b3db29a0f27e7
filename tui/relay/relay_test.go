package relay_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
	"example.com/layover/tui/relay"
)

// inbox is a screen that writes down what it is sent, and when.
type inbox struct {
	since time.Time
	msgs  []tea.Msg
	at    []time.Duration
	// each is how long it takes over a message.
	each time.Duration
}

func (i *inbox) send(msg tea.Msg) {
	if i.each > 0 {
		<-time.After(i.each)
	}
	i.msgs, i.at = append(i.msgs, msg), append(i.at, time.Since(i.since))
}

func (i *inbox) seqs() []uint64 {
	var seqs []uint64
	for _, msg := range i.msgs {
		if m, ok := msg.(tui.FactsMsg); ok {
			for _, f := range m.Facts {
				seqs = append(seqs, f.Seq)
			}
		}
	}
	return seqs
}

func facts(from, to uint64) []run.Fact {
	var all []run.Fact
	for n := from; n <= to; n++ {
		all = append(all, run.Fact{Seq: n, Body: run.Notice{}})
	}
	return all
}

func activity(lane run.LaneID, lines int) run.Observation {
	return run.Observation{Lane: lane, Body: run.Activity{Lines: lines}}
}

func count(to uint64) []uint64 {
	var seqs []uint64
	for n := uint64(1); n <= to; n++ {
		seqs = append(seqs, n)
	}
	return seqs
}

// What comes after a while is sent at once, and what follows it soon as one message.
func TestABurstIsTwoMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, box := relay.New(), &inbox{since: time.Now()}
		go r.Run(t.Context(), box.send)
		for n := uint64(1); n <= 5; n++ {
			r.Facts(facts(n, n))
			<-time.After(4 * time.Millisecond)
		}
		<-time.After(time.Second)
		synctest.Wait()
		r.Facts(facts(6, 7))
		<-time.After(time.Second)
		synctest.Wait()
		if diff := cmp.Diff(count(7), box.seqs()); diff != "" {
			t.Errorf("facts differ (-want +got):\n%s", diff)
		}
		want := []time.Duration{0, relay.Burst, 1020 * time.Millisecond}
		if diff := cmp.Diff(want, box.at); diff != "" {
			t.Errorf("messages came at other times (-want +got):\n%s", diff)
		}
	})
}

func TestNewestObservationWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, box := relay.New(), &inbox{since: time.Now()}
		go r.Run(t.Context(), box.send)
		park := run.Observation{Lane: 1, Body: run.ParkTick{Streak: 2}}
		for _, o := range []run.Observation{activity(1, 1), activity(2, 1), activity(1, 2), park, activity(1, 3), {Lane: 9}} {
			r.Observe(o)
		}
		<-time.After(time.Second)
		synctest.Wait()
		want := []tea.Msg{tui.ObservationsMsg{Observations: []run.Observation{activity(2, 1), park, activity(1, 3)}}}
		if diff := cmp.Diff(want, box.msgs); diff != "" {
			t.Errorf("messages differ (-want +got):\n%s", diff)
		}
		if r.Lost() != 2 {
			t.Errorf("%d observations lost, want 2", r.Lost())
		}
		r.Observe(activity(1, 4))
		<-time.After(time.Second)
		synctest.Wait()
		if r.Lost() != 2 {
			t.Errorf("%d observations lost, want 2: the one before had been sent", r.Lost())
		}
	})
}

func TestASlowScreenLosesNoFactAndHoldsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, box := relay.New(), &inbox{since: time.Now(), each: 10 * time.Second}
		go r.Run(t.Context(), box.send)
		for n := uint64(1); n <= 1000; n++ {
			r.Facts(facts(n, n))
			<-time.After(time.Millisecond)
		}
		if took := time.Since(box.since); took != time.Second {
			t.Errorf("the engine was held: %v", took)
		}
		<-time.After(time.Minute)
		synctest.Wait()
		if diff := cmp.Diff(count(1000), box.seqs()); diff != "" {
			t.Errorf("facts differ (-want +got):\n%s", diff)
		}
		if len(box.msgs) != 2 {
			t.Errorf("%d messages, want 2", len(box.msgs))
		}
	})
}

func TestTheEndComesLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, box := relay.New(), &inbox{since: time.Now()}
		broken := errors.New("broken")
		r.Ended(75, broken)
		r.Ended(0, nil)
		r.Observe(activity(1, 1))
		r.Facts(facts(1, 2))
		r.Run(t.Context(), box.send) // returns by itself
		want := []tea.Msg{
			tui.FactsMsg{Facts: facts(1, 2)},
			tui.ObservationsMsg{Observations: []run.Observation{activity(1, 1)}},
			tui.HostEndedMsg{Exit: 75, Err: broken},
		}
		if diff := cmp.Diff(want, box.msgs, cmpopts.EquateErrors()); diff != "" {
			t.Errorf("messages differ (-want +got):\n%s", diff)
		}
	})
}

func TestRunStopsWithItsContext(t *testing.T) {
	for name, before := range map[string]func(*relay.Relay){
		"idle": func(*relay.Relay) {},
		"in a burst": func(r *relay.Relay) {
			r.Facts(facts(1, 1))
			<-time.After(time.Millisecond)
			r.Facts(facts(2, 2))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				r, box := relay.New(), &inbox{since: time.Now()}
				var wg sync.WaitGroup
				wg.Go(func() { r.Run(ctx, box.send) })
				before(r)
				<-time.After(time.Millisecond)
				cancel()
				wg.Wait()
				if want := map[string]int{"in a burst": 1}[name]; len(box.msgs) != want {
					t.Errorf("%d messages, want %d", len(box.msgs), want)
				}
			})
		})
	}
}

func TestManySenders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, box := relay.New(), &inbox{since: time.Now()}
		go r.Run(t.Context(), box.send)
		var wg sync.WaitGroup
		for lane := range run.LaneID(8) {
			wg.Go(func() {
				for n := range 100 {
					r.Observe(activity(lane, n))
				}
			})
		}
		wg.Go(func() {
			for n := uint64(1); n <= 100; n++ {
				r.Facts(facts(n, n))
			}
		})
		wg.Wait()
		<-time.After(time.Second)
		synctest.Wait()
		if diff := cmp.Diff(count(100), box.seqs()); diff != "" {
			t.Errorf("facts differ (-want +got):\n%s", diff)
		}
		sent := 0
		for _, msg := range box.msgs {
			if m, ok := msg.(tui.ObservationsMsg); ok {
				sent += len(m.Observations)
			}
		}
		if sent+r.Lost() != 800 {
			t.Errorf("%d sent and %d lost, want 800 in all", sent, r.Lost())
		}
	})
}
