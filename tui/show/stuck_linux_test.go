package show

import (
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"example.com/layover/tui/cli"
)

// A terminal whose output is held, as ctrl+s does it, takes nothing of what the end
// of the screen writes. The process ends all the same, and the modes are restored.
func TestOutputIsHeld(t *testing.T) {
	x := demo(t)
	if err := unix.IoctlSetInt(int(x.line.Fd()), unix.TCXONC, unix.TCOOFF); err != nil {
		t.Fatal(err)
	}
	x.signal(syscall.SIGTERM)
	x.exits(cli.ExitTerminated)
	if x.modes() != x.before {
		t.Error("the modes of the terminal are not restored")
	}
}
