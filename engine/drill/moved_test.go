//go:build unix

package drill

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// A demo whose binary is gone is resumed by another one, which plays its agents on.
func TestADemoIsResumedByAnotherBinary(t *testing.T) {
	h := newHome(t)
	first := filepath.Join(t.TempDir(), "layover-of-before")
	text, err := os.ReadFile(binary)
	if err == nil {
		err = os.WriteFile(first, text, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := h.layover("demo", "--headless", "--json", "--speed", "300", "--seed", "1")
	cmd.Path = first
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines(out, func(line string) {
		if strings.Contains(line, `"type":"agent_spawned"`) {
			_ = os.Remove(first)
			_ = cmd.Process.Kill()
		}
	})
	_ = cmd.Wait() // it was killed
	dir := h.run()
	before := len(h.facts(dir))
	h.exits(0, "resume", "--headless", "--json")
	after := h.facts(dir)
	once(t, h, dir, after)
	if n := len(bodies[run.AgentSpawned](after[before:])); n == 0 {
		t.Error("no agent was started by the other binary")
	}
	for _, f := range after {
		if b, is := f.Body.(run.AgentSpawned); is && filepath.IsAbs(b.Command[0]) {
			t.Errorf("a fact names %s", b.Command[0])
		}
	}
	h.nobody(10 * time.Second)
}
