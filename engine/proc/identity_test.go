//go:build unix

package proc

import (
	"syscall"
	"testing"
)

func TestAliveComparesTheStartTime(t *testing.T) {
	id := mustStart(t, command("polite"))
	for name, tc := range map[string]struct {
		pid   int
		start string
		want  bool
	}{
		"itself":        {id.pid, id.start, true},
		"any start":     {id.pid, "", true},
		"other start":   {id.pid, id.start + "1", false},
		"no number":     {0, "", false},
		"a group":       {-id.pid, "", false},
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
	id := mustStart(t, command("seven"))
	if err := awaitEnd(id.pid); err != nil {
		t.Fatal(err)
	}
	if e, ok := look(id.pid); !ok || !e.zombie {
		t.Errorf("want it unreaped, have %+v", e)
	}
	if Alive(id.pid, "") {
		t.Error("it counts as alive")
	}
}

func TestDeliverSparesAStranger(t *testing.T) {
	cmd := command("polite")
	id := mustStart(t, cmd)
	deliver(identity{pid: id.pid, start: id.start + "1"}, syscall.SIGKILL)
	deliver(id, syscall.SIGTERM)
	_ = cmd.Wait() // its error is how it ended
	if got := exitOf(cmd.ProcessState).Signal; got != "terminated" {
		t.Errorf("ended by %q", got)
	}
}
