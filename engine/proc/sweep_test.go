//go:build unix

package proc

import "testing"

func TestSweepSparesANumberThatIsGivenAgain(t *testing.T) {
	id := mustStart(t, command("polite"))
	if left := sweep(identity{pid: id.pid, start: id.start + "1"}, shortGrace); left != 0 || !Alive(id.pid, id.start) {
		t.Errorf("%d left; the stranger was hit", left)
	}
}

func TestSweepSparesTheSystem(t *testing.T) {
	for _, pid := range []int{0, 1} {
		if left := sweep(identity{pid: pid, start: StartTime(pid)}, shortGrace); left != 0 {
			t.Errorf("%d left of %d", left, pid)
		}
	}
}
