package relay_test

import (
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/tui"
	"example.com/layover/tui/relay"
)

// sent is what a screen is sent of what was queued.
func sent(t *testing.T, queue func(*relay.Relay)) []tea.Msg {
	t.Helper()
	var msgs []tea.Msg
	synctest.Test(t, func(t *testing.T) {
		r, box := relay.New(), &inbox{since: time.Now()}
		go r.Run(t.Context(), box.send)
		queue(r)
		<-time.After(time.Second)
		synctest.Wait()
		msgs = box.msgs
	})
	return msgs
}

func watched(key string, doing run.Untrusted) run.Watched {
	return run.Watched{Key: key, State: run.StandingWorking, Doing: doing}
}

func TestChangesAreMerged(t *testing.T) {
	one, two := []run.FamilySeen{{Name: "claude"}}, []run.FamilySeen{{Name: "codex"}}
	got := sent(t, func(r *relay.Relay) {
		r.Changes(run.Changes{
			Runs: []run.Watched{watched("a", "1"), watched("b", "1"), watched("c", "1")}, Gone: []string{"z", "y"}, Families: one,
			Usage: run.Usage{Input: 1}, Reading: run.Progress{Done: 1, Total: 9}, Notes: []string{"polled"},
		})
		r.Changes(run.Changes{Runs: []run.Watched{watched("b", "2"), watched("y", "is back")}, Gone: []string{"c"}, Families: two, Reading: run.Progress{Done: 5, Total: 9}})
		r.Changes(run.Changes{Runs: []run.Watched{watched("b", "3")}, Gone: []string{"a"}, Usage: run.Usage{Input: 7}})
		r.Changes(run.Changes{Runs: []run.Watched{watched("a", "is back")}, Reading: run.Progress{Done: 7, Total: 9}})
	})
	want := []tea.Msg{tui.ChangesMsg{Changes: run.Changes{
		Runs: []run.Watched{watched("a", "is back"), watched("b", "3"), watched("y", "is back")}, Gone: []string{"c", "z"}, Families: two,
		Reading: run.Progress{Done: 7, Total: 9}, // and what was used is gone with its files
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages differ (-want +got):\n%s", diff)
	}
}

func TestChangesAreSentOnce(t *testing.T) {
	got := sent(t, func(r *relay.Relay) {
		r.Changes(run.Changes{Runs: []run.Watched{watched("a", "1")}})
		<-time.After(time.Second)
		r.Changes(run.Changes{Gone: []string{"a"}})
	})
	want := []tea.Msg{
		tui.ChangesMsg{Changes: run.Changes{Runs: []run.Watched{watched("a", "1")}}},
		tui.ChangesMsg{Changes: run.Changes{Gone: []string{"a"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages differ (-want +got):\n%s", diff)
	}
}

func TestAFeedBearsItsKey(t *testing.T) {
	of := func(msg tea.Msg) tea.Msg { return tui.RunMsg{Key: "k", Msg: msg} }
	cases := map[string]struct {
		queue func(*relay.Relay)
		want  []tea.Msg
	}{
		"in order": {func(r *relay.Relay) {
			f := r.Feed("k")
			f.Ended(1, nil)
			f.Observe(activity(1, 1))
			f.Observe(activity(1, 2))
			f.Facts(facts(1, 2))
			f.Facts(facts(3, 3))
		}, []tea.Msg{
			of(tui.RestartMsg{}), of(tui.FactsMsg{Facts: facts(1, 3)}), of(tui.ObservationsMsg{Observations: []run.Observation{activity(1, 2)}}),
			of(tui.HostEndedMsg{Exit: 1}),
		}},
		"the end is not that of the relay": {func(r *relay.Relay) {
			f := r.Feed("k")
			f.Ended(0, nil)
			<-time.After(time.Second)
			f.Restart()
		}, []tea.Msg{of(tui.RestartMsg{}), of(tui.HostEndedMsg{}), of(tui.RestartMsg{})}},
		"begun anew": {func(r *relay.Relay) {
			f := r.Feed("k")
			f.Facts(facts(1, 5))
			f.Restart()
			f.Facts(facts(1, 1))
		}, []tea.Msg{of(tui.RestartMsg{}), of(tui.FactsMsg{Facts: facts(1, 1)})}},
		"closed": {func(r *relay.Relay) {
			f := r.Feed("k")
			f.Facts(facts(1, 5))
			f.Close()
			f.Facts(facts(6, 6))
		}, nil},
		"in place of the one before": {func(r *relay.Relay) {
			old := r.Feed("k")
			old.Facts(facts(1, 5))
			next := r.Feed("k")
			next.Facts(facts(1, 1))
			old.Facts(facts(6, 6))
			old.Close()
		}, []tea.Msg{of(tui.RestartMsg{}), of(tui.FactsMsg{Facts: facts(1, 1)})}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, sent(t, c.queue)); diff != "" {
				t.Errorf("messages differ (-want +got):\n%s", diff)
			}
		})
	}
}
