package record

import (
	"path"
	"strings"
)

// callArguments are the arguments that tell most about a tool that is called with a JSON
// object in a string, best first.
var callArguments = []string{"command", "cmd", "file_path", "path", "pattern", "query", "url", "description", "prompt", "skill", "plan", "input"}

// patchHead begins a patch, and patchFiles the lines in it that name a file.
const patchHead = "*** Begin Patch"

var patchFiles = []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "}

// called is what tells most of what a tool is called with: a command as a list of words, or
// the text of a string, which may hold a JSON object or a patch. Empty if nothing of an
// object does.
func called(r Raw) string {
	if len(r) > 0 && r[0] == '[' {
		return command(r)
	}
	text := strings.TrimSpace(r.Text())
	switch {
	case strings.HasPrefix(text, patchHead):
		return strings.Join(patched(text), " ")
	case strings.HasPrefix(text, "{"):
		return argument(Raw(text))
	}
	return text
}

// argument is the best of the callArguments in an object, which may be cut.
func argument(object Raw) string {
	found, best := "", len(callArguments)
	Members(object, func(name string, v Raw) {
		for i, n := range callArguments[:best] {
			if n != name || len(v) == 0 {
				continue
			}
			var said string
			switch {
			case n == "plan":
				said = strings.Join(texts(v, "step"), ", ")
			case v[0] == '[':
				said = command(v)
			case v[0] == '"':
				if said = strings.TrimSpace(v.Text()); strings.HasPrefix(said, patchHead) {
					said = strings.Join(patched(said), " ")
				}
			}
			if said != "" {
				found, best = said, i
			}
			return
		}
	})
	return found
}

// shells are those that are given a command to run.
var shells = map[string]bool{"sh": true, "bash": true, "zsh": true, "dash": true, "ksh": true, "fish": true}

// command is a command that stands as a list of words: of one that a shell runs, what it
// runs.
func command(list Raw) string {
	var all []string
	Elements(list, func(v Raw) {
		if len(all) < 64 {
			all = append(all, Whole(v.Text(), 2*MaxDoing))
		}
	})
	if len(all) == 3 && shells[path.Base(all[0])] && strings.HasPrefix(all[1], "-") && strings.HasSuffix(all[1], "c") {
		return all[2]
	}
	return strings.Join(all, " ")
}

// patched are the files that a patch changes, the first of them.
func patched(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		for _, head := range patchFiles {
			if name, ok := strings.CutPrefix(line, head); ok && len(all) < 8 {
				all = append(all, Whole(strings.TrimSpace(name), MaxDoing))
			}
		}
	}
	return all
}
