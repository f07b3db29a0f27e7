package scripted_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/scripted"
	"example.com/layover/engine/run"
)

// Every way in which a provider can answer must be read as what it is, with a
// reset that is never earlier than the provider's own.
func TestVerdicts(t *testing.T) {
	epoch := time.Date(2026, 3, 5, 14, 51, 7, 500_000_000, time.UTC)
	window := func(name, length string) string {
		return "[[provider.window]]\nname = \"" + name + "\"\ncalls = [1]\nlength = \"" + length + "\"\n"
	}
	brownout := func(kind, more string) string {
		return "[[provider.brownout]]\nto = \"1h\"\nkind = \"" + kind + "\"\n" + more
	}
	type verdict struct {
		Class run.Class
		Kind  run.Kind
		Scope run.Scope
		How   run.How
		Late  time.Duration // of the reset after the epoch
	}
	limited := func(k run.Kind, s run.Scope, h run.How, late time.Duration) verdict {
		return verdict{run.ClassRateLimited, k, s, h, late}
	}
	tests := map[string]struct {
		family, world string
		want          verdict
		code          int
	}{
		"claude good":      {"claude", "", verdict{Class: run.ClassSuccess}, 0},
		"claude session":   {"claude", window("five_hour", "12m"), limited(run.KindUsage, run.ScopeFamily, run.HowStated, 12*time.Minute+500*time.Millisecond), 1},
		"claude week":      {"claude", window("seven_day", "168h"), limited(run.KindUsage, run.ScopeFamily, run.HowStated, 168*time.Hour+500*time.Millisecond), 1},
		"claude bare":      {"claude", brownout("429", ""), limited(run.KindThrottle, run.ScopeFamily, 0, 0), 1},
		"claude stated":    {"claude", brownout("429", "wait = \"40s\"\n"), limited(run.KindUsage, run.ScopeFamily, run.HowStated, 40*time.Second+500*time.Millisecond), 1},
		"claude overload":  {"claude", brownout("529", ""), verdict{Class: run.ClassOverloaded}, 1},
		"claude cut":       {"claude", "cut_calls = [2]\n", verdict{Class: run.ClassTransport}, 1},
		"codex good":       {"codex", "", verdict{Class: run.ClassSuccess}, 0},
		"codex today":      {"codex", window("primary", "14m"), limited(run.KindUsage, run.ScopeFamily, run.HowText, 14*time.Minute+52500*time.Millisecond), 1},
		"codex other day":  {"codex", window("primary", "48h"), limited(run.KindUsage, run.ScopeFamily, run.HowText, 48*time.Hour+52500*time.Millisecond), 1},
		"codex bare":       {"codex", brownout("429", ""), limited(run.KindThrottle, run.ScopeFamily, 0, 0), 1},
		"codex stated":     {"codex", brownout("429", "wait = \"40s\"\n"), limited(run.KindThrottle, run.ScopeModel, run.HowText, 40*time.Second+500*time.Millisecond), 1},
		"codex overload":   {"codex", brownout("529", ""), verdict{Class: run.ClassOverloaded}, 1},
		"codex cut":        {"codex", brownout("cut", ""), verdict{Class: run.ClassTransport}, 1},
		"codex cut midway": {"codex", "cut_calls = [3]\n", verdict{Class: run.ClassTransport}, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w, err := scripted.Read([]byte("[work]\nsteps = 4\n[[provider]]\nfamily = \"" + tt.family + "\"\n" + tt.world))
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "world")
			if err := scripted.Create(dir, w, scripted.Params{Epoch: epoch}); err != nil {
				t.Fatal(err)
			}
			preset, ok := agent.Lookup(tt.family)
			if !ok {
				t.Fatal("there is no such preset")
			}
			cmd := preset.Command(agent.Start{Prompt: "work"})
			var stdout bytes.Buffer
			args := append([]string{tt.family, dir}, cmd.Argv[1:]...)
			code := scripted.Play(t.Context(), args, bytes.NewReader(cmd.Stdin), &stdout, os.Stderr)
			clock, err := scripted.OpenClock(dir)
			if err != nil {
				t.Fatal(err)
			}
			r, err := agent.NewReader(preset.Dialect, agent.Reference{Now: clock.Now(), Zone: time.Local})
			if err != nil {
				t.Fatal(err)
			}
			r.Feed(stdout.Bytes(), nil)
			v := r.End(agent.End{Exit: run.Exit{Code: code}}, nil)
			got := verdict{Class: v.Class, Kind: v.Kind, Scope: v.Scope, How: v.How}
			if !v.Reset.IsZero() {
				got.Late = v.Reset.Sub(epoch)
			}
			if d := cmp.Diff(tt.want, got); d != "" || code != tt.code || r.Damaged() != 0 {
				t.Errorf("exit %d, %d damaged\n%s%s", code, r.Damaged(), d, lastLine(stdout.String()))
			}
		})
	}
}

func lastLine(stream string) string {
	lines := strings.Split(strings.TrimSpace(stream), "\n")
	return lines[len(lines)-1]
}
