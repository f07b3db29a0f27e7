package cli

import "testing"

// Some files of the system are regular by their mode, and yet reading them can wait.
func TestExplainOfAFileThatCanWait(t *testing.T) {
	var w world
	code := w.do("", nil, "explain", "/proc/self/mounts")
	want := "layover: explain /proc/self/mounts: is not a regular file\nhint: pipe it to \"-\", such as: layover explain - < /proc/self/mounts\n"
	if code != ExitUsage || w.err.String() != want {
		t.Errorf("exit code %d, said %q", code, w.err.String())
	}
}
