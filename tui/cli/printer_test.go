package cli

import (
	"bytes"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

func TestJSONPrintsFactsAndObservations(t *testing.T) {
	s := began(t, "tests")
	var out bytes.Buffer
	p := NewJSON(&out)
	f := run.Fact{Seq: 4, At: now().UTC(), Lane: 1, Body: run.TurnStarted{}}
	o := run.Observation{At: now().UTC(), Lane: 1, Attempt: 2, Body: run.Activity{Doing: "a\nb", Lines: 3}}
	if err := errors.Join(p.Fact(s, f), p.Observation(s, o)); err != nil {
		t.Fatal(err)
	}
	want := `{"seq":4,"ts":"2026-10-01T12:00:00Z","type":"turn_started","lane":1}
{"obs":true,"ts":"2026-10-01T12:00:00Z","type":"activity","lane":1,"attempt":2,"doing":"a\nb","lines":3}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestPlainPrintsOnlyObservationsThatAreNews(t *testing.T) {
	s := began(t, "tests")
	tick := func(min int) run.Observation {
		return run.Observation{At: now().Add(time.Duration(min) * time.Minute), Lane: 1, Body: run.ParkTick{WaitedMs: run.Millis(min * 60000)}}
	}
	doing := func(what string, lines int) run.Observation {
		return run.Observation{At: now(), Lane: 1, Attempt: 1, Body: run.Activity{Doing: run.Untrusted(what), Lines: lines}}
	}
	var out bytes.Buffer
	p := NewPlain(&out, nil)
	err := p.Fact(s, run.Fact{At: now(), Lane: 1, Body: run.TurnParked{Reason: run.ClassOverloaded}})
	for _, o := range []run.Observation{
		tick(1), tick(5), tick(6), tick(10), doing("a", 1), doing("a", 2), doing("", 3), doing("b", 4), doing("a", 5),
	} {
		err = errors.Join(err, p.Observation(s, o))
	}
	err = errors.Join(err,
		p.Fact(s, run.Fact{At: now(), Lane: 1, Body: run.AttemptEnded{Attempt: 1}}), p.Observation(s, doing("a", 6)))
	if err != nil {
		t.Fatal(err)
	}
	want := `12:00:00  tests  parked until somebody clears it, overloaded
12:05:00  tests  parked for 05:00
12:10:00  tests  parked for 10:00
12:00:00  tests  attempt 1: a
12:00:00  tests  attempt 1: b
12:00:00  tests  attempt 1: a
12:00:00  tests  attempt 1 ended after 00:00: 
12:00:00  tests  attempt 1: a
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Gauges are told once for each step of ten percent, all that is known of the family by
// its newest readings, whichever lane they come from.
func TestPlainPrintsGaugesThatMove(t *testing.T) {
	s := began(t, "tests")
	told := func(lane run.LaneID, min int, used ...float64) run.Observation {
		b := run.Gauges{Family: "claude"}
		for i, u := range used {
			b.Readings = append(b.Readings, run.Reading{
				Gauge: run.Gauge{Limit: "x", Used: u, Window: time.Duration(i+1) * time.Hour}, At: now().Add(time.Duration(min) * time.Minute),
			})
		}
		return run.Observation{At: now().Add(time.Duration(min) * time.Minute), Lane: lane, Body: b}
	}
	var out bytes.Buffer
	p := NewPlain(&out, nil)
	for _, o := range []run.Observation{told(1, 0, .72), told(1, 1, .79), told(2, 2, .81), told(1, 1, .79, .1), told(2, 3, .82, .1)} {
		if err := p.Observation(s, o); err != nil {
			t.Fatal(err)
		}
	}
	want := `12:00:00  tests  usage of claude: 1h x 72%
12:02:00  lane 2  usage of claude: 1h x 81%
12:01:00  tests  usage of claude: 1h x 81%, 2h x 10%
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// closing takes a number of lines and is a closed pipe from then on.
type closing struct {
	lines, writes int
}

func (c *closing) Write(b []byte) (int, error) {
	if c.writes++; c.writes > c.lines {
		return 0, syscall.EPIPE
	}
	return len(b), nil
}

func TestPrintersStopWhenTheReaderIsGone(t *testing.T) {
	s := began(t, "tests")
	f := run.Fact{Seq: 4, At: now(), Lane: 1, Body: run.TurnStarted{}}
	o := run.Observation{At: now(), Lane: 1, Body: run.Activity{Doing: "x"}}
	for name, open := range map[string]func(*closing) Printer{
		"plain": func(c *closing) Printer { return NewPlain(c, nil) },
		"json":  func(c *closing) Printer { return NewJSON(c) },
	} {
		t.Run(name, func(t *testing.T) {
			pipe := &closing{lines: 1}
			p := open(pipe)
			if err := p.Fact(s, f); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if err := p.Fact(s, f); !errors.Is(err, syscall.EPIPE) {
					t.Errorf("got %v", err)
				}
				if err := p.Observation(s, o); !errors.Is(err, syscall.EPIPE) {
					t.Errorf("got %v", err)
				}
			}
			if pipe.writes != 2 {
				t.Errorf("%d writes", pipe.writes)
			}
		})
	}
}

func TestEachLineIsOneWrite(t *testing.T) {
	s := began(t, strings.Repeat("n", 50))
	var out closing
	out.lines = 10
	p := NewPlain(&out, nil)
	if err := p.Fact(s, run.Fact{At: now(), Lane: 1, Body: run.Notice{Message: hostile}}); err != nil || out.writes != 1 {
		t.Errorf("%d writes, %v", out.writes, err)
	}
}
