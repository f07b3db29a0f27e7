package local

import (
	"os"
	"os/exec"
	"testing"

	"example.com/layover/engine/proc"
	"example.com/layover/watcher/foreign"
)

func TestAlive(t *testing.T) {
	over := exec.Command(os.Args[0], "-test.run=^$")
	if err := over.Run(); err != nil {
		t.Fatal(err)
	}
	own, start := os.Getpid(), proc.StartTime(os.Getpid())
	for name, c := range map[string]struct {
		pid   int
		start string
		want  foreign.Alive
	}{
		"this process":                         {own, start, foreign.Living},
		"another one with its number":          {own, "1", foreign.Gone},
		"one that has ended":                   {over.Process.Pid, "", foreign.Gone},
		"its start in seconds since 1970":      {own, "1764590000.25", foreign.Living},
		"its start in words, which tells none": {own, "yesterday", foreign.Living},
	} {
		if got := alive(c.pid, c.start); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
