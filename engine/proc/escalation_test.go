//go:build unix

package proc

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// lead takes a child of ours to its end and gives how it ended. Orphans leave the tree
// here, as they do under a guard where no process can become their parent.
func lead(leader *os.Process, e *escalation) Exit {
	defer e.stop()
	news := make(chan ending, 1)
	go func() { news <- await(leader) }() // ends with the process; lead waits for it
	var last ending
	for !e.over() {
		select {
		case <-e.timer.C:
			e.step()
		case last = <-news:
			e.leaderEnded(last)
		}
	}
	return exitOf(last.reap(leader))
}

func TestEscalationLeavesNobody(t *testing.T) {
	const term, kill = syscall.SIGTERM, syscall.SIGKILL
	for name, tc := range map[string]struct {
		role  string
		count int
		begin []syscall.Signal
		grace time.Duration
		want  string
	}{
		"polite":         {"polite", 1, []syscall.Signal{term}, childLife, "terminated"},
		"stubborn":       {"stubborn", 1, []syscall.Signal{term}, shortGrace, "killed"},
		"nasty tree":     {"nasty", 6, []syscall.Signal{term}, shortGrace, "killed"},
		"killed at once": {"nasty", 6, []syscall.Signal{kill}, childLife, "killed"},
		"told often":     {"nasty", 6, []syscall.Signal{term, term, kill, term}, childLife, "killed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := child(t, tc.role)
			leader, outputs, err := launch(s)
			if err != nil {
				t.Fatal(err)
			}
			closeAll(outputs)
			t.Cleanup(func() { _ = leader.Kill() }) // of a test that failed early
			ids := born(t, s.Stdout, tc.count)
			if diff := cmp.Diff(ids, alive(ids), cmp.AllowUnexported(identity{})); diff != "" {
				t.Fatal(diff)
			}
			e := newEscalation(identity{pid: leader.Pid, start: StartTime(leader.Pid)}, tc.grace)
			for _, sig := range tc.begin {
				e.begin(sig)
			}
			if diff := cmp.Diff(Exit{Code: -1, Signal: tc.want}, lead(leader, e)); diff != "" {
				t.Error(diff)
			}
			if left := alive(ids); len(left) > 0 || e.left != 0 {
				t.Errorf("of %v are left %v; %d known", ids, left, e.left)
			}
		})
	}
}
