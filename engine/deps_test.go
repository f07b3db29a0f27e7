package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "example.com/layover"

// arrows lists what each package may import of ours. The screen's packages have a
// rule of their own, see [allowed].
func arrows() map[string][]string {
	return map[string][]string{
		"engine/run":            {},
		"engine/policy":         {},
		"engine/breaker":        {"engine/run", "engine/policy"},
		"engine/turn":           {"engine/run", "engine/breaker", "engine/policy"},
		"engine/plan":           {"engine/run", "engine/policy", "engine/breaker", "engine/turn"},
		"engine/agent":          {"engine/run", "engine/agent/record", "engine/agent/reset", "engine/agent/pack"},
		"engine/agent/record":   {"engine/run"},
		"engine/agent/reset":    {"engine/run", "engine/agent/record"},
		"engine/agent/pack":     {"engine/agent/record"},
		"engine/agent/handoff":  {"engine/run", "engine/agent", "engine/agent/record"},
		"engine/agent/scripted": {"engine/run", "engine/agent"},
		"engine/agent/standin":  {},
		"engine/agent/corpus":   {},
		"engine/proc":           {},
		"engine/proc/hydra":     {},
		"engine/drill":          {"engine/proc"},
		"engine/session": {
			"engine", "engine/run", "engine/agent", "engine/agent/scripted", "engine/demo", "engine/journal", "engine/ledger",
			"engine/proc", "engine/redact", "watcher/tail",
		},
		"engine/runfile": {"engine/run"},
		"engine/journal": {"engine/run", "engine/runfile"},
		"engine/ledger":  {"engine/run"},
		"engine/program": {"engine/run", "engine/agent"},
		"engine/demo":    {"engine/run", "engine/program", "engine/agent/scripted"},
		"engine/redact":  {},
		"engine/sim":     {"engine/run", "engine/policy", "engine/breaker", "engine/turn", "engine/plan"},
		"engine": {
			"engine/run", "engine/policy", "engine/breaker", "engine/turn", "engine/plan", "engine/agent", "engine/proc",
			"engine/agent/handoff", "engine/runfile", "engine/journal", "engine/ledger", "engine/program", "engine/redact",
		},
		"watcher": {
			"engine/run", "engine/agent", "engine/agent/pack", "engine/runfile", "engine/journal", "engine/ledger",
			"watcher/tail", "watcher/tree", "watcher/stream", "watcher/foreign",
		},
		"watcher/local": {
			"engine/run", "engine/journal", "engine/ledger", "engine/proc", "watcher", "watcher/tail", "watcher/foreign",
		},
		"watcher/tail":      {"engine/run"},
		"watcher/tree":      {"watcher/tail"},
		"watcher/stream":    {"engine/run", "engine/agent", "engine/agent/pack"},
		"watcher/foreign":   {"engine/run", "engine/runfile", "watcher/stream"},
		"styles":            {"styles/background"},
		"styles/background": {},
		"tui/cli": {
			"engine/run", "engine/agent", "engine/agent/reset", "engine/program", "engine/runfile", "engine/journal", "engine/ledger", "tui/roster", "tui/text", "tui/words",
		},
		"tui/watch": {
			"engine/run", "engine/journal", "styles", "tui", "tui/board", "tui/cli", "tui/fleet", "tui/relay", "tui/show", "watcher", "watcher/local",
		},
	}
}

// allowed reports whether a package may import another one of ours, and whether
// it has a place at all.
func allowed(from, to string) (ok, placed bool) {
	if from == "" {
		return true, true // main wires everything
	}
	if list, ok := arrows()[from]; ok {
		return slices.Contains(list, to), true
	}
	if !within(from, "tui") {
		return false, false
	}
	return to == "engine/run" || to == "styles" || (to == "styles/background" && from == "tui/show") || (within(to, "tui") && to != "tui/cli"), true
}

// within reports whether a package is dir or below it.
func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// listed is what is read of a package that go list tells of.
type listed struct {
	ImportPath    string
	Imports, Deps []string
}

// packages lists the packages of the module as a system sees them.
func packages(t *testing.T, system string) []listed {
	t.Helper()
	watched(t)
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Deps", "./...")
	cmd.Dir, cmd.Env = "..", append(os.Environ(), "GOOS="+system)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var all []listed
	for d := json.NewDecoder(&stdout); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// watched looks at every source file, so that a result in the cache of the tests
// does not outlive a change of one.
func watched(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		_, err = os.Stat(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// ours is the path of a package within the module; false if it is another's.
func ours(path string) (string, bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

func TestArrowsGoOneWay(t *testing.T) {
	for _, system := range []string{"linux", "darwin"} {
		all := packages(t, system)
		if len(all) < 20 {
			t.Fatalf("%s: go list tells of %d packages", system, len(all))
		}
		for _, p := range all {
			from, _ := ours(p.ImportPath)
			if _, placed := allowed(from, ""); !placed {
				t.Errorf("%s: package %s has no place among the arrows", system, from)
			}
			for _, path := range p.Imports {
				to, is := ours(path)
				if !is {
					continue
				}
				if ok, _ := allowed(from, to); !ok {
					t.Errorf("%s: %s imports %s", system, from, to)
				}
			}
		}
	}
}

// The engine and the watcher know nothing of a screen, by any way round.
func TestEngineReachesNoScreen(t *testing.T) {
	checked := 0
	for _, p := range packages(t, "linux") {
		from, _ := ours(p.ImportPath)
		if !within(from, "engine") && !within(from, "watcher") {
			continue
		}
		checked++
		for _, dep := range p.Deps {
			to, is := ours(dep)
			if strings.HasPrefix(dep, "github.com/charmbracelet/bubble") || strings.HasPrefix(dep, "github.com/charmbracelet/lipgloss") ||
				(is && (within(to, "tui") || within(to, "styles"))) {
				t.Errorf("%s reaches %s", from, dep)
			}
		}
	}
	if checked < 15 {
		t.Errorf("%d packages of engine and watcher were looked at", checked)
	}
}

// The rule refuses what it must.
func TestArrowsCanFail(t *testing.T) {
	for edge, want := range map[[2]string][2]bool{
		{"engine/run", "engine/policy"}:             {false, true},
		{"engine/policy", "engine/run"}:             {false, true},
		{"engine/turn", "engine/plan"}:              {false, true},
		{"engine", "engine/agent/scripted"}:         {false, true},
		{"engine", "engine/sim"}:                    {false, true},
		{"engine/agent/scripted", "engine/plan"}:    {false, true},
		{"watcher/tail", "engine/agent"}:            {false, true},
		{"engine/utils", "engine/run"}:              {false, false},
		{"tuition", "engine/run"}:                   {false, false},
		{"tui/lanes", "tui/cli"}:                    {false, true},
		{"tui/lanes", "engine/plan"}:                {false, true},
		{"tui", "styles/background"}:                {false, true},
		{"tui/lanes", "tui/text"}:                   {true, true},
		{"tui/relay", "tui"}:                        {true, true},
		{"engine/agent/scripted", "engine/agent"}:   {true, true},
		{"", "engine/agent/scripted"}:               {true, true},
		{"engine/journal", "engine/runfile"}:        {true, true},
		{"watcher", "engine/journal"}:               {true, true},
		{"engine/agent/record", "engine/agent"}:     {false, true},
		{"engine/agent", "engine/agent/handoff"}:    {false, true},
		{"engine/plan", "engine/turn"}:              {true, true},
		{"tui/cli", "tui/lanes"}:                    {false, true},
		{"styles", "engine/run"}:                    {false, true},
		{"engine/agent/standin", "engine/agent"}:    {false, true},
		{"engine/redact", "engine/run"}:             {false, true},
		{"engine/program", "engine/agent/scripted"}: {false, true},
	} {
		if ok, placed := allowed(edge[0], edge[1]); ok != want[0] || placed != want[1] {
			t.Errorf("%s to %s: %v, %v", edge[0], edge[1], ok, placed)
		}
	}
}
