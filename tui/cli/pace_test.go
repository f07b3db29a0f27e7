package cli

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/layover/engine/run"
)

// heard is a reader that keeps up, and can be asked meanwhile what it has taken.
type heard struct {
	mu  sync.Mutex
	all strings.Builder
}

func (h *heard) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all.Write(b)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all.String()
}

// open makes lines whose reader keeps up.
func open(r Request) (*Lines, *heard) {
	out := &heard{}
	return NewLines(r, out, nil, nil), out
}

// However much an agent prints, what it does is told once in so much time.
func TestActivitiesAreMergedInTime(t *testing.T) {
	const all, apart = 100_000, 100 * time.Microsecond // ten seconds
	for name, tc := range map[string]struct {
		request Request
		most    int
	}{
		"plain":   {Request{}, 2*10 + 2},
		"json":    {Request{JSON: true}, 2*100 + 2},
		"no wait": {Request{NoWait: true}, 2*10 + 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out, diag bytes.Buffer
				l := NewLines(tc.request, &out, &diag, nil)
				for n := range all {
					time.Sleep(apart)
					l.Observe(does(1, fmt.Sprintf("<%d>", n)))
					l.Observe(does(2, fmt.Sprintf("<%d>", n)))
				}
				if err := l.Close(); err != nil || l.Lost() != 0 {
					t.Errorf("%d lost, %v", l.Lost(), err)
				}
				out.Write(diag.Bytes())
				if got := strings.Count(out.String(), "\n"); got > tc.most || got < tc.most-4 {
					t.Errorf("%d lines, want about %d", got, tc.most)
				}
				if last := fmt.Sprintf("<%d>", all-1); strings.Count(strings.ReplaceAll(strings.ReplaceAll(out.String(), `\u003c`, "<"), `\u003e`, ">"), last) != 2 {
					t.Errorf("the newest is not printed once for each lane: %q", out.String())
				}
			})
		})
	}
}

// The newest is told once the pace allows it, though nothing else happens.
func TestWhatIsHeldIsToldInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, out := open(Request{})
		for _, doing := range []string{"first", "second", "third"} {
			l.Observe(does(1, doing))
		}
		told := func(want ...string) {
			t.Helper()
			synctest.Wait()
			if got := strings.Count(out.String(), "\n"); got != len(want) || got > 0 && !strings.HasSuffix(out.String(), want[got-1]+"\n") {
				t.Errorf("printed %q, want %v", out.String(), want)
			}
		}
		told("first")
		time.Sleep(plainPace - time.Millisecond)
		told("first")
		time.Sleep(time.Millisecond)
		told("first", "third")
		time.Sleep(plainPace / 2)
		l.Observe(does(1, "third")) // it is no news
		time.Sleep(3 * plainPace)
		told("first", "third")
		l.Observe(does(1, "fourth"))
		told("first", "third", "fourth")
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// What is held of an attempt is told before its end, and that of others later.
func TestWhatIsHeldIsToldBeforeTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, out := open(Request{JSON: true})
		for _, lane := range []run.LaneID{1, 2} {
			l.Observe(does(lane, "first"))
			l.Observe(does(lane, "last"))
		}
		l.Facts([]run.Fact{{Seq: 1, At: now(), Lane: 1, Body: run.LaneEnded{}}})
		synctest.Wait()
		if got := out.String(); strings.Count(got, "last") != 1 || !strings.Contains(got, `"lane":1,"attempt":1,"doing":"last"`) {
			t.Errorf("%s", got)
		}
		if err := l.Close(); err == nil { // the fact is about nothing that is there
			t.Error("no error")
		}
	})
}
