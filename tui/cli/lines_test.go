package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// gated is a reader that takes nothing until its gate is opened.
type gated struct {
	gate  chan struct{}
	taken bytes.Buffer
}

func (g *gated) Write(b []byte) (int, error) {
	<-g.gate
	return g.taken.Write(b)
}

// said are the words of the plain lines that were taken.
func (g *gated) said() []string {
	var all []string
	for line := range strings.Lines(g.taken.String()) {
		all = append(all, strings.Join(strings.Fields(line)[1:], " "))
	}
	return all
}

// notices are facts of a run, the first of which begins it.
func notices(from, to int) []run.Fact {
	var all []run.Fact
	for seq := from; seq <= to; seq++ {
		f := run.Fact{Seq: uint64(seq), At: now(), Body: run.Notice{Message: fmt.Sprint(seq)}}
		if seq == 1 {
			f.Body = run.RunStarted{Program: run.Defaults()}
		}
		all = append(all, f)
	}
	return all
}

func does(lane run.LaneID, doing string) run.Observation {
	return run.Observation{At: now(), Lane: lane, Attempt: 1, Body: run.Activity{Doing: run.Untrusted(doing)}}
}

func TestCloseGivesUpOnAReaderThatIsStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{gate: make(chan struct{})}
		l := NewLines(Request{}, g, nil, nil)
		l.Facts(notices(1, 3))
		synctest.Wait() // the first line is being written
		begun := time.Now()
		err := l.Close()
		if waited := time.Since(begun); waited != 2*time.Second {
			t.Errorf("waited for %v", waited)
		}
		if want := "the reader of the output takes nothing: 3 lines not printed"; !errors.Is(err, ErrStuck) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		close(g.gate)
		<-l.done
		if got := len(g.said()); got != 1 {
			t.Errorf("%d lines, want the one that was under way", got)
		}
	})
}

func TestCloseWaitsForAReaderThatIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{gate: make(chan struct{})}
		l := NewLines(Request{}, g, nil, nil)
		l.Facts(notices(1, 300))
		time.AfterFunc(1900*time.Millisecond, func() { close(g.gate) })
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if got := len(g.said()); got != 300 {
			t.Errorf("%d lines, want 300", got)
		}
	})
}

// TestActivitiesAreMergedOnceTheQueueIsLong has a reader that takes nothing until
// thousands of things are queued.
func TestActivitiesAreMergedOnceTheQueueIsLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{gate: make(chan struct{})}
		l := NewLines(Request{}, g, nil, nil)
		l.Facts(notices(1, 1))
		synctest.Wait() // it is out of the queue, in a write that does not end
		l.Observe(does(1, "first"))
		time.Sleep(plainPace + 1)
		l.Observe(does(1, "second"))
		l.Facts(notices(2, 4094))
		l.Observe(does(2, "the last that fits"))
		time.Sleep(plainPace + 1)
		l.Observe(does(2, "fits not, replaces"))
		l.Observe(does(1, "third"))
		l.Observe(does(3, "has no place"))
		l.Observe(run.Observation{At: now(), Lane: 3, Body: run.ParkTick{WaitedMs: 60_000}})
		l.Observe(run.Observation{At: now(), Body: run.Trouble{Message: "disk full"}})
		l.Facts(notices(4095, 4095))
		time.Sleep(plainPace + 1)
		l.Observe(does(1, "fourth"))
		if got := l.Lost(); got != 4 {
			t.Errorf("%d lost, want 4", got)
		}
		close(g.gate)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		want := []string{"lane 1 attempt 1: first"}
		for seq := 2; seq <= 4094; seq++ {
			want = append(want, fmt.Sprintf("run notice: %d", seq))
		}
		want = append(want,
			"lane 2 attempt 1: fits not, replaces", "lane 3 parked for 01:00",
			"run cannot save: disk full; nothing new is started until it can", "run notice: 4095", "lane 1 attempt 1: fourth")
		if diff := cmp.Diff(want, g.said()[1:]); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// TestAnActivityThatIsPrintedKeepsNoPlace has one printed before the reader is stuck.
func TestAnActivityThatIsPrintedKeepsNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{gate: make(chan struct{})}
		l := NewLines(Request{}, g, nil, nil)
		l.Facts(notices(1, 1))
		l.Observe(does(1, "printed"))
		g.gate <- struct{}{}
		g.gate <- struct{}{}
		l.Facts(notices(2, 2))
		synctest.Wait()
		l.Facts(notices(3, 2+roomy))
		time.Sleep(plainPace + 1)
		l.Observe(does(1, "late"))
		if got := l.Lost(); got != 1 {
			t.Errorf("%d lost, want 1", got)
		}
		close(g.gate)
		if err := l.Close(); err != nil || len(g.said()) != 3+roomy {
			t.Errorf("%d lines, want %d, %v", len(g.said()), 3+roomy, err)
		}
	})
}

// TestNothingIsLostWhileTheReaderKeepsUp takes each thing before the next comes.
func TestNothingIsLostWhileTheReaderKeepsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{gate: make(chan struct{})}
		close(g.gate)
		l := NewLines(Request{}, g, nil, nil)
		const all = 3 * roomy
		for n := range all {
			l.Observe(does(run.LaneID(n+1), fmt.Sprint(n)))
			if n%roomy == roomy-1 {
				synctest.Wait()
			}
		}
		if err := l.Close(); err != nil || l.Lost() != 0 || len(g.said()) != all {
			t.Errorf("%d lines, %d lost, %v", len(g.said()), l.Lost(), err)
		}
	})
}

func TestLinesStopAtTheFirstError(t *testing.T) {
	pipe := &closing{lines: 1}
	l := NewLines(Request{}, pipe, nil, nil)
	l.Facts(notices(1, 9))
	if err := l.Close(); err == nil || pipe.writes != 2 {
		t.Errorf("%v after %d writes", err, pipe.writes)
	}
}

// panics is a reader that fails as none should.
type panics struct{}

func (panics) Write([]byte) (int, error) { panic("boom") }

// Who prints is not worth a run: what goes wrong there is an error of closing.
func TestAPanicOfPrintingIsAnError(t *testing.T) {
	l := NewLines(Request{}, panics{}, nil, nil)
	l.Facts(notices(1, 3))
	if err := l.Close(); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("closed with %v", err)
	}
}

// What was printed by an earlier owner is known, and not printed again.
func TestRecalledFactsAreNotPrinted(t *testing.T) {
	var out bytes.Buffer
	l := NewLines(Request{}, &out, nil, nil)
	past := append(notices(1, 3), run.Fact{Seq: 4, At: now()}) // the last of a newer version
	l.Recall(past)
	l.Facts(notices(5, 5))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "5") {
		t.Errorf("printed %q", got)
	}
}
