package events_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/tui/events"
)

func TestSeen(t *testing.T) {
	cases := map[string]struct {
		body run.Seeing
		want events.Event
	}{
		"trouble":    {run.Trouble{Message: "disk\x1b[2J\nfull"}, events.Event{At: at, Who: "run", Text: "cannot save: disk↵full", Tone: events.ToneBad}},
		"it is over": {run.Trouble{}, events.Event{At: at, Who: "run", Text: "all works again", Tone: events.TonePlain}},
		"activity":   {run.Activity{Doing: "x"}, events.Event{}},
		"park":       {run.ParkTick{}, events.Event{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, told := events.Seen(run.Observation{At: at, Body: c.body})
			if diff := cmp.Diff(c.want, got); diff != "" || told != (c.want.Text != "") {
				t.Errorf("told %v, differs (-want +got):\n%s", told, diff)
			}
		})
	}
}

func TestObservedEventsStandAmongTheFacts(t *testing.T) {
	m := pane(60, 5, 1).Observe(run.Observation{At: at, Body: run.Activity{Doing: "x"}})
	m = add(m.Observe(run.Observation{At: at, Body: run.Trouble{}}), 1)
	if got, want := seen(m), "n0 all works again n1"; got != want {
		t.Errorf("seen %q, want %q", got, want)
	}
}
