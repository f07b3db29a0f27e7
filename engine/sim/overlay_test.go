//go:build mutants

package sim_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// built builds the tests of this package with the edits made, and files added, without
// touching the sources. An edit whose old text does not occur exactly once is a fault:
// the source has changed, and so must the edit.
func built(t *testing.T, edits []edit, added map[string]string) (binary string) {
	t.Helper()
	dir := t.TempDir()
	engine, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, e := range edits {
		if _, read := sources[e.file]; !read {
			b, err := os.ReadFile(filepath.Join(engine, e.file))
			if err != nil {
				t.Fatal(err)
			}
			sources[e.file] = string(b)
		}
		if n := strings.Count(sources[e.file], e.old); n != 1 {
			t.Fatalf("%s has %d times, want once:\n%s", e.file, n, e.old)
		}
		sources[e.file] = strings.Replace(sources[e.file], e.old, e.new, 1)
	}
	for file, text := range added {
		sources[file] = text
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, text := range sources {
		to := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(engine, file)] = to
	}
	b, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	path, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "sim.test")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "test", "-tags", "mutants", "-c", "-o", binary, "-overlay", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return binary
}
