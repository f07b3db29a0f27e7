package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// What agents write at a login is found where their environment says, and told apart
// by real files.
func TestLogin(t *testing.T) {
	home, codex := t.TempDir(), t.TempDir()
	env := map[string]string{"HOME": home, "CODEX_HOME": codex}
	p := run.Program{Agents: map[string]run.Agent{
		"claude": {Preset: "claude", Family: "claude"}, "codex": {Preset: "codex", Family: "codex"},
		"work": {Preset: "claude", Family: "both"}, "other": {Preset: "codex", Family: "both"},
	}}
	mark := login(p, func(name string) string { return env[name] })
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path+".new", time.Time{}, time.Unix(1_800_000_000, 0)); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	claude := filepath.Join(home, ".claude", ".credentials.json")
	last := mark("claude")
	differs := func(what string) {
		t.Helper()
		now := mark("claude")
		if now == last || now != mark("claude") {
			t.Errorf("%s: the mark was %q and is %q", what, last, now)
		}
		last = now
	}
	if last != "" || mark("codex") != "" || mark("both") != "" || mark("none") != "" {
		t.Errorf("there is a login: %q", last)
	}
	write(claude, "one")
	differs("appears")
	hold := filepath.Join(home, "kept") // so that its number is not given again
	if err := os.Link(claude, hold); err != nil {
		t.Fatal(err)
	}
	write(claude, "two")
	differs("another file of the same size and time")
	if err := os.WriteFile(claude, []byte("three"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(claude, time.Time{}, time.Unix(1_800_000_000, 0)); err != nil {
		t.Fatal(err)
	}
	differs("another size")
	if err := os.Chtimes(claude, time.Time{}, time.Unix(1_800_000_001, 0)); err != nil {
		t.Fatal(err)
	}
	differs("another time")
	both := mark("both")
	write(filepath.Join(codex, "auth.json"), "x")
	if mark("codex") == "" || mark("both") == both || mark("claude") != last {
		t.Errorf("codex is logged in with %q, both with %q", mark("codex"), mark("both"))
	}
	if err := os.Remove(claude); err != nil {
		t.Fatal(err)
	}
	if mark("claude") != "" {
		t.Errorf("the login that is gone is %q", mark("claude"))
	}
}
