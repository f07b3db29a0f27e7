package program

import "testing"

// A summary is written only for who asks for it.
func TestHandoffSummary(t *testing.T) {
	for text, want := range map[string]bool{"": false, "handoff_summary = true\n": true, "handoff_summary = false\n": false} {
		dir := tree(t, map[string]string{"plan.toml": text + good})
		got, err := Load(dir+"/plan.toml", Options{Presets: presets(), LookPath: installed("claude", "codex")})
		if err != nil || got.Program.HandoffSummary != want {
			t.Errorf("%q: %v, %v", text, got.Program.HandoffSummary, err)
		}
	}
}
