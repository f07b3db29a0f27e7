package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent/scripted"
	"example.com/layover/engine/program"
)

// files are those of a small demo.
func files() fstest.MapFS {
	return fstest.MapFS{
		"plan.toml": {Data: []byte("name = \"small\"\norder = [\"claude\"]\n\n[[task]]\nname = \"one\"\nprompt = \"do it\"\n")},
		"world.toml": {Data: []byte("name = \"small\"\nseed = 7\nspeed = 12.0\n\n[work]\nsteps = 1\nstep = \"1s\"\n\n" +
			"[[provider]]\nfamily = \"claude\"\nmodel = \"claude-opus-4-5\"\n")},
	}
}

var (
	presets = []program.Preset{{Name: "claude", Family: "claude"}}
	now     = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
)

func prepare(t *testing.T, dir string, o Options) Show {
	t.Helper()
	o.Presets, o.Now = presets, now
	show, err := Create(files(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return show
}

func TestCommandOfAnAgent(t *testing.T) {
	player := []string{"/opt/layover", "__play"}
	for name, tc := range map[string]struct{ argv, want []string }{
		"agent":            {[]string{agentName, "claude", "-p", "x"}, []string{"/opt/layover", "__play", "claude", "dir", "-p", "x"}},
		"without a word":   {[]string{agentName, "claude"}, []string{"/opt/layover", "__play", "claude", "dir"}},
		"no family":        {[]string{agentName}, []string{agentName}},
		"another":          {[]string{"claude", "claude", "-p"}, []string{"claude", "claude", "-p"}},
		"named later on":   {[]string{"env", agentName, "claude"}, []string{"env", agentName, "claude"}},
		"path to an agent": {[]string{"/bin/" + agentName, "claude"}, []string{"/bin/" + agentName, "claude"}},
		"nothing":          {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(tc.argv)
			if diff := cmp.Diff(tc.want, Command(tc.argv, player, "dir")); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(before, tc.argv); diff != "" {
				t.Errorf("the command of the facts is changed: %s", diff)
			}
		})
	}
	if len(player) != 2 {
		t.Error("the player is changed")
	}
}

// play does what the command of a player does, and tells what it printed.
func play(t *testing.T, argv []string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := scripted.Play(context.Background(), argv, strings.NewReader("do it"), &out, &errs); code != 0 {
		t.Fatalf("%q: status %d\n%s%s", argv, code, out.String(), errs.String())
	}
	return out.String()
}

// What facts keep of a demo names no path: another binary plays its agents on.
func TestADemoIsResumedByAnotherBinary(t *testing.T) {
	dir := t.TempDir()
	show := prepare(t, dir, Options{Speed: 0})
	text, err := json.Marshal(show.Program)
	if err != nil {
		t.Fatal(err)
	}
	if self, _ := os.Executable(); strings.Contains(string(text), self) || strings.Contains(string(text), dir) {
		t.Errorf("a path is kept: %s", text)
	}
	for _, player := range [][]string{{"/old/layover", "__play"}, {"/new/place/layover", "__play"}} {
		argv := slices.Concat(show.Program.Agents["claude"].Command, []string{"-p", "--output-format", "stream-json", "--verbose"})
		argv = Command(argv, player, dir)
		if diff := cmp.Diff(player, argv[:2]); diff != "" {
			t.Fatal(diff)
		}
		if out := play(t, argv[2:]); !strings.Contains(out, `"type":"result"`) {
			t.Errorf("it printed %s", out)
		}
		if err := Resume(dir, show.Epoch.Add(time.Hour), now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
}

// The clock of a demo that is resumed goes on at its last fact.
func TestResumeGoesOnAtTheLastFact(t *testing.T) {
	for name, speed := range map[string]float64{"jumps": 0, "runs": 12} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			show := prepare(t, dir, Options{Speed: speed})
			last, back := show.Epoch.Add(20*time.Minute), time.Now()
			if err := Resume(dir, last, back); err != nil {
				t.Fatal(err)
			}
			clock, err := scripted.OpenClock(dir)
			if err != nil {
				t.Fatal(err)
			}
			got, most := clock.Now(), time.Duration(speed*float64(time.Since(back)))
			if got.Before(last) || got.After(last.Add(most)) {
				t.Errorf("it is %s, want %s and at most %s more", got, last, most)
			}
		})
	}
	if err := Resume(t.TempDir(), now, now); err == nil || !strings.HasPrefix(err.Error(), "go on with the demo: ") {
		t.Errorf("where there is no demo: %v", err)
	}
}

func TestOptions(t *testing.T) {
	for name, tc := range map[string]struct {
		options  Options
		epoch    time.Time
		speed    float64
		parallel int
	}{
		"its own": {Options{Speed: -1}, now, 12, 1},
		"jumps":   {Options{Speed: 0}, EpochOfJumps, 0, 1},
		"faster":  {Options{Speed: 40, Parallel: 3}, now, 40, 3},
	} {
		t.Run(name, func(t *testing.T) {
			show := prepare(t, t.TempDir(), tc.options)
			if !show.Epoch.Equal(tc.epoch) || show.Speed != tc.speed || show.Program.Parallel != tc.parallel {
				t.Errorf("begins %s at speed %v with %d lanes", show.Epoch, show.Speed, show.Program.Parallel)
			}
		})
	}
}

// One seed gives one demo; another seed another.
func TestTheSeedMakesTheWorld(t *testing.T) {
	said := func(seed uint64) string {
		dir := t.TempDir()
		prepare(t, dir, Options{Seed: seed})
		return play(t, []string{"claude", dir, "-p", "--output-format", "stream-json", "--verbose"})
	}
	first := said(1)
	if diff := cmp.Diff(first, said(1)); diff != "" {
		t.Errorf("one seed, two demos: %s", diff)
	}
	if first == said(2) {
		t.Error("two seeds, one demo")
	}
}
