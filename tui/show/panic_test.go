//go:build unix

package show

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestPanics(t *testing.T) {
	for role, says := range map[string]string{
		"init": "the screen", "update": "the screen", "the first view": "the screen", "a later view": "the screen",
		"a command": "the screen", "the relay": "the relay", "beside": "somebody", "a port of the host": "the owner",
	} {
		t.Run(strings.ReplaceAll(role, " ", "_"), func(t *testing.T) {
			x := newTerminal(t, exec.Command(os.Args[0]), roleVar+"="+role).start()
			if role == "a port of the host" { // the screen tells it, and waits to be closed
				x.see("panicked", 0)
				x.press("q")
			}
			x.exits(1)
			x.restored()
			x.quiet()
			_, told, _ := strings.Cut(x.output(), "\x1b[?1049l")
			if told = private.ReplaceAllString(told, ""); !strings.HasPrefix(told, "layover: "+says+" panicked: ") {
				t.Errorf("after the screen is gone the terminal shows %q", told)
			}
			if n := strings.Count(strings.TrimSpace(strings.TrimSuffix(told, mark)), "\n"); n != 0 {
				t.Errorf("it takes %d lines", n+1)
			}
		})
	}
}
