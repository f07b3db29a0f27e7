package scripted

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// epoch is the simulated instant at which the worlds of these tests begin.
func epoch() time.Time { return time.Date(2026, 3, 5, 14, 51, 7, 500_000_000, time.UTC) }

// small is a world of two providers; what is added to it is TOML as well, where
// CLAUDE and CODEX stand in the place of keys of the providers.
func small(t testing.TB, claude, codex string) World {
	t.Helper()
	w, err := Read([]byte(`
name = "small"
seed = 3
[work]
steps = 4
step = "10s"
jitter = 0.5
handoff = ["<handoff>"]
handoff_keeps = 0.5
[[provider]]
family = "claude"
model = "claude-opus-4-5"
models = { sonnet = "claude-sonnet-4-5" }
input_usd = 5.0
output_usd = 25.0
` + claude + `
[[provider]]
family = "codex"
` + codex + `
[[task]]
name = "tests"
match = "unit tests"
steps = 5
`))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// created is the directory of a world.
func created(t testing.TB, w World, p Params) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "world")
	if err := Create(dir, w, p); err != nil {
		t.Fatal(err)
	}
	return dir
}

// still is the clock of a world in which only work and jumps take time.
func still() Params { return Params{Epoch: epoch()} }

func claudeArgs(more ...string) []string {
	return append([]string{"-p", "--output-format", "stream-json", "--verbose"}, more...)
}

func codexArgs(more ...string) []string {
	return append([]string{"exec", "--json", "--skip-git-repo-check"}, more...)
}

// record is one line of a stream.
type record map[string]any

// at follows keys into a record; nil if there is nothing.
func (r record) at(keys ...string) any {
	var v any = map[string]any(r)
	for _, k := range keys {
		switch at := v.(type) {
		case map[string]any:
			v = at[k]
		case []any:
			v = at[0].(map[string]any)[k]
		default:
			return nil
		}
	}
	return v
}

func (r record) text(keys ...string) string {
	s, _ := r.at(keys...).(string)
	return s
}

// played is what one agent did.
type played struct {
	code           int
	stdout, stderr string
	records        []record
}

// play runs one agent to its end. Every line must be one object, and the last one
// must be whole.
func playAgent(t testing.TB, dir, family, prompt string, args ...string) played {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := Play(t.Context(), append([]string{family, dir}, args...), strings.NewReader(prompt), &stdout, &stderr)
	return played{code: code, stdout: stdout.String(), stderr: stderr.String(), records: recordsOf(t, stdout.String())}
}

func recordsOf(t testing.TB, stream string) []record {
	t.Helper()
	var all []record
	for line := range strings.Lines(stream) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%q is not a whole line of JSON: %v", line, err)
		}
		all = append(all, r)
	}
	return all
}

func (p played) last() record { return p.records[len(p.records)-1] }

// kinds lists the types of the records: "system/init", "assistant/tool_use",
// "item.started/command_execution" and so on.
func (p played) kinds() []string {
	var all []string
	for _, r := range p.records {
		kind := r.text("type")
		for _, sub := range []string{r.text("subtype"), r.text("message", "content", "type"), r.text("item", "type"), r.text("event", "type")} {
			if sub != "" {
				kind += "/" + sub
			}
		}
		all = append(all, kind)
	}
	return all
}

// books reads what a world remembers.
func books(t testing.TB, dir string) Books {
	t.Helper()
	var b Books
	if err := readJSON(filepath.Join(dir, "state.json"), &b); err != nil {
		t.Fatal(err)
	}
	b.fill()
	return b
}
