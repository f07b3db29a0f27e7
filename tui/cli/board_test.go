package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// noticed is a board whose clock is set by hand, and what it prints.
type noticed struct {
	*Board
	out bytes.Buffer
	now time.Time
}

func notice(asJSON bool) *noticed {
	n := &noticed{now: now()}
	n.Board = NewBoard(&n.out, asJSON, nil, func() time.Time { return n.now })
	return n
}

// lines are those that were printed since the last time.
func (n *noticed) lines() []string {
	defer n.out.Reset()
	return strings.Split(strings.TrimSuffix(n.out.String(), "\n"), "\n")
}

const ownID = "20261001_110000_7f44a784"

func ownRun(s run.Standing) run.Watched {
	return run.Watched{Key: "/s/runs/" + ownID, Origin: run.OriginLayover, ID: ownID, Name: "night", Family: "claude", State: s}
}

func session(s run.Standing) run.Watched {
	return run.Watched{Key: "/c/p/1.jsonl", Origin: run.OriginSession, ID: "1f", Name: "web", Family: "claude", State: s, At: now().Add(-time.Minute)}
}

// The runs of Layover's are told with the id that other commands ask for, once.
func TestOwnRunsAreToldWithTheirIDs(t *testing.T) {
	n := notice(false)
	orphan := ownRun(run.StandingOrphaned)
	orphan.Key, orphan.Why = "/s/runs/o", run.Untrusted("layover resume "+ownID+" takes it up again")
	n.Take(run.Changes{Complete: true, Runs: []run.Watched{ownRun(run.StandingWorking), session(run.StandingAsking), orphan}})
	if err := n.Picture(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"your turn   claude        web  1m ago",
		"working     layover       night (" + ownID + ")",
		"orphaned    layover       night: layover resume " + ownID + " takes it up again",
	}
	if diff := cmp.Diff(want, n.lines()); diff != "" {
		t.Error(diff)
	}
	for _, asJSON := range []string{`"path":"/s/runs/` + ownID + `"`, `"id":"` + ownID + `"`, `"path":"/c/p/1.jsonl"`} {
		j := notice(true)
		j.Take(run.Changes{Complete: true, Runs: []run.Watched{ownRun(run.StandingWorking), session(run.StandingAsking)}})
		if err := j.Picture(); err != nil || !strings.Contains(j.out.String(), asJSON) {
			t.Errorf("%v: %s is not in %s", err, asJSON, j.out.String())
		}
	}
}
