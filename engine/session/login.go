package session

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
)

// login gives [engine.Ports.Login] for the families of a program: which files their
// agents are logged in with, by identity, size and time.
func login(p run.Program, getenv func(string) string) func(family string) string {
	paths := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(p.Agents)) {
		preset, _ := agent.Lookup(p.Agents[name].Preset)
		family := p.FamilyOf(run.Target{Agent: name})
		for _, f := range preset.Files {
			if path := f.Path(getenv); path != "" && !slices.Contains(paths[family], path) {
				paths[family] = append(paths[family], path)
			}
		}
	}
	return func(family string) string {
		var marks []string
		for _, path := range paths[family] {
			if info, err := os.Stat(path); err == nil {
				marks = append(marks, fmt.Sprintf("%s %s %d %d", path, identity(info), info.Size(), info.ModTime().UnixNano()))
			}
		}
		return strings.Join(marks, "\n")
	}
}

// identity is the number of a file on its disk; empty where there is none.
func identity(info os.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprint(s.Ino)
	}
	return ""
}
