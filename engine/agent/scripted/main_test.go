package scripted

import (
	"os"
	"testing"
)

// TestMain lets the test binary stand for the hidden command, so that tests can
// run agents as processes.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__scripted" {
		os.Exit(Main(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}
