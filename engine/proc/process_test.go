//go:build unix

package proc

import (
	"context"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var pidLine = regexp.MustCompile(`(?m)^pid=(\d+)\n`)

// born waits until n processes have reported to the file and gives them.
func born(t *testing.T, path string, n int) []identity {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), childLife)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		lines := pidLine.FindAllStringSubmatch(content(t, path), -1)
		if len(lines) >= n {
			var ids []identity
			for _, l := range lines {
				pid, _ := strconv.Atoi(l[1]) // the pattern holds digits only
				e, ok := look(pid)
				if !ok {
					t.Fatalf("process %d reported and is gone", pid)
				}
				ids = append(ids, e.identity())
			}
			return ids
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%d of %d processes reported", len(lines), n)
		case <-tick.C:
		}
	}
}

func alive(ids []identity) []identity {
	var left []identity
	for _, id := range ids {
		if Alive(id.pid, id.start) {
			left = append(left, id)
		}
	}
	return left
}

func TestEndLeavesNobody(t *testing.T) {
	for name, tc := range map[string]struct {
		role  string
		count int
		end   func(*Process)
		want  Exit
	}{
		"polite":         {"polite", 1, (*Process).End, Exit{Code: -1, Signal: "terminated"}},
		"stubborn":       {"stubborn", 1, (*Process).End, Exit{Code: -1, Signal: "killed"}},
		"nasty tree":     {"nasty", 6, (*Process).End, Exit{Code: -1, Signal: "killed"}},
		"killed at once": {"nasty", 6, (*Process).Kill, Exit{Code: -1, Signal: "killed"}},
		"told twice":     {"nasty", 6, func(p *Process) { p.End(); p.End(); p.Kill(); p.End() }, Exit{Code: -1, Signal: "killed"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := child(t, tc.role)
			s.Grace = 50 * time.Millisecond
			p := mustStart(t, s)
			ids := born(t, s.Stdout, tc.count)
			if diff := cmp.Diff(ids, alive(ids), cmp.AllowUnexported(identity{})); diff != "" {
				t.Fatal(diff)
			}
			tc.end(p)
			if diff := cmp.Diff(tc.want, p.Wait()); diff != "" {
				t.Error(diff)
			}
			if left := alive(ids); len(left) > 0 || p.Left() != 0 {
				t.Errorf("of %v are left %v; %d known", ids, left, p.Left())
			}
			p.End() // after the end nothing happens
			p.Kill()
		})
	}
}

func TestPoliteEndNeedsNoGrace(t *testing.T) {
	s := child(t, "polite")
	s.Grace = childLife // KILL would come too late for the test
	p := mustStart(t, s)
	born(t, s.Stdout, 1)
	p.End()
	if got := p.Wait().Signal; got != "terminated" {
		t.Errorf("ended by %q", got)
	}
}

func TestWhatItLeavesBehindIsEnded(t *testing.T) {
	s := child(t, "parent")
	s.Grace = 50 * time.Millisecond
	p := mustStart(t, s)
	if diff := cmp.Diff(Exit{}, p.Wait()); diff != "" {
		t.Error(diff)
	}
	for _, e := range table() {
		if e.pgid == p.PID() && !e.zombie {
			t.Errorf("process %d is left in the group", e.pid)
		}
	}
}

func TestSessionIsItsOwn(t *testing.T) {
	s := child(t, "polite")
	p := mustStart(t, s)
	e, ok := look(p.PID())
	if !ok || e.pgid != p.PID() || (e.sid != 0 && e.sid != p.PID()) || e.ppid != os.Getpid() {
		t.Errorf("started as %+v", e)
	}
}

func TestAliveComparesTheStartTime(t *testing.T) {
	p := mustStart(t, child(t, "polite"))
	for name, tc := range map[string]struct {
		pid   int
		start string
		want  bool
	}{
		"itself":        {p.PID(), p.StartTime(), true},
		"any start":     {p.PID(), "", true},
		"other start":   {p.PID(), p.StartTime() + "1", false},
		"no number":     {0, "", false},
		"a group":       {-p.PID(), "", false},
		"out of bounds": {1 << 30, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Alive(tc.pid, tc.start); got != tc.want {
				t.Errorf("alive: %v", got)
			}
		})
	}
}

func TestAnEndedButUnreapedProcessIsNotAlive(t *testing.T) {
	cmd := spawn("seven", false)
	if err := awaitEnd(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	if e, ok := look(cmd.Process.Pid); !ok || !e.zombie {
		t.Errorf("want it unreaped, have %+v", e)
	}
	if Alive(cmd.Process.Pid, "") {
		t.Error("it counts as alive")
	}
	_ = cmd.Wait()
}

func TestDeliverSparesAStranger(t *testing.T) {
	p := mustStart(t, child(t, "polite"))
	deliver(identity{pid: p.PID(), start: p.StartTime() + "1"}, 9)
	select {
	case <-p.Done():
		t.Error("a process with another start time was hit")
	default:
	}
	p.End()
	if got := p.Wait().Signal; got != "terminated" {
		t.Errorf("ended by %q", got)
	}
}
