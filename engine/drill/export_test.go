//go:build unix

package drill

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Whoever reads run.json while a program runs, however often, never sees half of it.
func TestTheExportIsNeverTorn(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	cmd := h.layover("demo", "--headless", "--speed", "300")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	reads, versions, last := 0, 0, ""
	for over := false; !over; {
		select {
		case err := <-ended:
			if over = true; err != nil {
				t.Error(err)
			}
		default:
		}
		for _, dir := range h.runs() {
			text, err := os.ReadFile(filepath.Join(dir, "run.json"))
			if errors.Is(err, fs.ErrNotExist) && reads == 0 {
				continue // not yet
			}
			var v struct {
				RunID string `json:"run_id"`
				End   string `json:"end"`
			}
			if err := errors.Join(err, json.Unmarshal(text, &v)); err != nil || v.RunID != filepath.Base(dir) {
				t.Fatalf("read %d: %v in %q", reads, err, text)
			}
			if over && v.End == "" {
				t.Error("the last one tells no end")
			}
			if reads++; string(text) != last {
				versions, last = versions+1, string(text)
			}
		}
	}
	t.Logf("%d reads of %d versions", reads, versions)
	if versions < 3 {
		t.Errorf("%d versions", versions)
	}
}
