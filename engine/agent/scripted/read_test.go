package scripted

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadFillsInDefaults(t *testing.T) {
	w, err := Read([]byte("[[provider]]\nfamily = \"codex\"\n[[task]]\nname = \"lint\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := w.Providers[0]
	got := []any{w.Speed, w.Work.Steps, p.Dialect, p.Model, *p.InnerRetries, p.InnerWait.D(), w.Tasks[0].Match}
	want := []any{1.0, 6, "codex", "codex", 2, 2 * time.Second, "lint"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestReadListsEveryFault(t *testing.T) {
	const provider = "[[provider]]\nfamily = \"claude\"\n"
	tests := map[string]struct {
		text string
		want []string
	}{
		"no toml":        {"seed =", []string{"read world"}},
		"nothing":        {"", []string{"there is no [[provider]]"}},
		"unknown key":    {provider + "modell = \"x\"\n", []string{"unknown key provider.modell"}},
		"speed":          {"speed = nan\n" + provider, []string{"speed: NaN"}},
		"negative speed": {"speed = -1.0\n" + provider, []string{"speed: -1"}},
		"steps":          {"[work]\nsteps = 0\n" + provider, []string{"work.steps: 0"}},
		"step":           {"[work]\nstep = \"off\"\n" + provider, []string{"work.step: off"}},
		"two at once":    {"[work]\njitter = 2\nhandoff = [\"\"]\n" + provider, []string{"work.jitter", "empty mark"}},
		"dialect":        {"[[provider]]\nfamily = \"gemini\"\n", []string{`"gemini" is none of`}},
		"twice":          {provider + provider, []string{"there are two of them"}},
		"no family":      {"[[provider]]\ndialect = \"codex\"\n", []string{"family is missing"}},
		"cut calls":      {provider + "cut_calls = [0]\n", []string{"cut_calls: 0"}},
		"no calls":       {provider + "[[provider.window]]\nname = \"w\"\nlength = \"1m\"\n", []string{"calls is empty"}},
		"no length":      {provider + "[[provider.window]]\nname = \"w\"\ncalls = [1]\n", []string{"length is missing"}},
		"brownout":       {provider + "[[provider.brownout]]\nfrom = \"2m\"\nto = \"1m\"\nkind = \"429\"\n", []string{"to must be later"}},
		"kind":           {provider + "[[provider.brownout]]\nto = \"1m\"\nkind = \"spent\"\n", []string{"kind must be"}},
		"no kind":        {provider + "[[provider.brownout]]\nto = \"1m\"\n", []string{"kind must be"}},
		"wait":           {provider + "[[provider.brownout]]\nto = \"1m\"\nkind = \"529\"\nwait = \"1s\"\n", []string{"only a 429"}},
		"two tasks":      {provider + "[[task]]\nname = \"a\"\n[[task]]\nname = \"a\"\n", []string{"there are two of them"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Read([]byte(tt.text))
			if err == nil {
				t.Fatal("the world was read")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

// A world must survive being written to its directory, and no world that is read
// may make a provider panic or state a reset that is not in the future.
func FuzzRead(f *testing.F) {
	demo, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "demo", "world.toml"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(demo, uint8(40), int64(time.Minute))
	f.Add([]byte("[[provider]]\nfamily = \"codex\"\n[[provider.window]]\nname = \"w\"\ncalls = [1]\nlength = \"1ns\"\n"), uint8(3), int64(0))
	f.Add([]byte("speed = inf\n[work]\njitter = nan\n"), uint8(1), int64(-1))
	f.Fuzz(func(t *testing.T, text []byte, calls uint8, step int64) {
		w, err := Read(text)
		if err != nil {
			return
		}
		stored, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		var back World
		if err := json.Unmarshal(stored, &back); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(stored) {
			t.Fatalf("%s became %s: %v", stored, again, err)
		}
		for _, p := range w.Providers {
			var a Account
			at := epoch()
			for range calls {
				at = at.Add(time.Duration(step) % time.Hour)
				var ans Answer
				if ans, a = p.Answer(a, at, epoch()); ans.Kind == Spent && !ans.Until.After(at) {
					t.Fatalf("at %s: refused until %s", at, ans.Until)
				}
			}
		}
		for _, task := range w.Tasks {
			w.step("any", Session{Task: task.Name, Steps: 3, Done: 1})
		}
	})
}
