package drill

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"example.com/layover/engine/run"
)

// smallHome is a home on a disk of its own with little room.
func smallHome(t *testing.T, size string) home {
	t.Helper()
	h := newHome(t)
	err := unix.Mount("tmpfs", h.dir, "tmpfs", 0, "size="+size+",mode=0700")
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ENODEV) {
		t.Skip("to mount a small disk is not permitted")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.endGuards()
		if err := unix.Unmount(h.dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return h
}

// fill takes all the room that is left; the file can be removed again.
func (h home) fill() (filler string) {
	h.t.Helper()
	filler = filepath.Join(h.dir, "filler")
	f, err := os.Create(filler)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		h.t.Fatal(err)
	}
	return filler
}

// A disk that is full for a while is told of, once, and loses nothing: the agent at work
// is left alone, and the run goes on when there is room.
func TestAFullDiskLosesNothing(t *testing.T) {
	h := smallHome(t, "1m")
	gate := filepath.Join(t.TempDir(), "gate")
	cmd := h.layover("run", h.program([]string{self(t), agentCommand, gate}, "iterations = 2"), "--headless")
	talk := h.begin("is served", cmd)
	filler := h.fill()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil { // something to save
		t.Fatal(err)
	}
	talk.until("cannot save")
	h.exits(1, "stop", "latest") // there is no room for a wish either, which is said
	if len(h.guarded()) != 1 {
		t.Error("the agent at work was not left alone")
	}
	if err := errors.Join(os.Remove(filler), os.WriteFile(gate, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(talk.all(), "\n")
	facts := h.facts(h.run())
	if cmd.ProcessState.ExitCode() != 3 || len(bodies[run.AttemptEnded](facts)) != 1 || len(bodies[run.StopRequested](facts)) != 1 {
		t.Errorf("exit %d\n%s", cmd.ProcessState.ExitCode(), said)
	}
	if n := strings.Count(said, "cannot save"); n > 2 || !strings.Contains(said, "all works again") { // run.json, and the facts
		t.Errorf("told %d times\n%s", n, said)
	}
	h.told(h.run())
	h.exits(0, "resume", "--headless")
}
