package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

const (
	// askBound is how long an agent may take to tell its version.
	askBound = 5 * time.Second
	// longestVersion bounds what is shown of a version, in cells.
	longestVersion = 60
)

// examineAgents looks for every agent that Layover knows, asks those it finds for their
// versions, all at once, and looks how each is logged in.
func examineAgents(ctx context.Context, p Ports) []finding {
	var there []agent.Preset
	var paths, missing []string
	for _, name := range agent.Presets() {
		preset, _ := agent.Lookup(name)
		if preset.Executable == "" {
			continue // the program names its command
		}
		path, err := p.LookPath(preset.Executable)
		if err != nil {
			missing = append(missing, preset.Name)
			continue
		}
		there, paths = append(there, preset), append(paths, path)
	}
	asked := make([]finding, len(there))
	var all sync.WaitGroup
	for i := range there {
		all.Go(func() { asked[i] = examineVersion(ctx, p, there[i].Name, paths[i]) })
	}
	all.Wait()
	var found []finding
	for i, preset := range there {
		found = append(found, asked[i], examineLogin(p, preset))
	}
	switch {
	case len(there) == 0:
		found = append(found, finding{
			gradeBad, "agents", "none is installed that Layover knows: " + list(missing), "install one of them, or see if PATH is right; layover demo needs none",
		})
	case len(missing) > 0:
		found = append(found, finding{gradeOK, "other agents", "not installed: " + list(missing), ""})
	}
	return found
}

// examineVersion asks an agent for its version.
func examineVersion(ctx context.Context, p Ports, name, path string) finding {
	ctx, cancel := context.WithTimeout(ctx, askBound)
	defer cancel()
	got, err := p.Machine.Ask(ctx, path, "--version")
	said := versionLine(got.Said)
	at := text.Name(run.Untrusted(path), longestPart)
	by := fmt.Sprintf("run %q by hand", path+" --version")
	switch {
	case err != nil:
		return finding{gradeBad, name, fmt.Sprintf("cannot be started: %v", err), "install it anew, or leave it out of the order"}
	case got.Late:
		return finding{gradeWarn, name, fmt.Sprintf("tells no version within %d s: %s", askBound/time.Second, at), by + "; what is slow there is slow in a run"}
	case got.Cut:
		return finding{gradeWarn, name, said + ", " + at + ": prints more than a version", by}
	case got.Exit != run.Exit{}:
		said = cmp.Or(said, "nothing")
		return finding{gradeBad, name, fmt.Sprintf("does not work: %s ended with %s and said: %s", at, exitWords(got.Exit), said), by + ", and install it anew if that fails"}
	case said == "":
		return finding{gradeWarn, name, "tells no version: " + at, by}
	}
	return finding{gradeOK, name, said + ", " + at, ""}
}

func exitWords(e run.Exit) string {
	if e.Signal != "" {
		return "signal " + say1(e.Signal)
	}
	return fmt.Sprintf("exit code %d", e.Code)
}

// versionNumber is what a version has at least.
var versionNumber = regexp.MustCompile(`\d+\.\d+`)

// versionLine is the first line with the number of a version; without any, the first that
// says anything. Some commands warn of something else first.
func versionLine(said run.Untrusted) string {
	for line := range strings.Lines(string(said)) {
		if versionNumber.MatchString(line) {
			return firstLine(run.Untrusted(line))
		}
	}
	return firstLine(said)
}

// firstLine is the first line that says anything.
func firstLine(said run.Untrusted) string {
	for line := range strings.Lines(string(said)) {
		if shown := strings.TrimSpace(text.Line(run.Untrusted(line), longestVersion)); shown != "" {
			return shown
		}
	}
	return ""
}

// examineLogin looks how an agent is logged in, as far as that shows without asking its
// provider: by names only, never by what they hold.
func examineLogin(p Ports, preset agent.Preset) finding {
	about := preset.Name + " login"
	var by, ways []string
	for _, name := range preset.Login {
		if !secret(name) {
			continue
		}
		ways = append(ways, name)
		if p.Getenv(name) != "" {
			by = append(by, name)
		}
	}
	open, broken := "", ""
	for _, f := range preset.Files {
		path := f.Path(p.Getenv)
		info, err := os.Stat(path)
		switch {
		case path == "" || errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			broken = cannotReach(path, err)
			continue
		case info.Size() == 0:
			continue
		case info.Mode().Perm()&0o077 != 0:
			open = path
		}
		by = append(by, path)
	}
	switch {
	case broken != "":
		return finding{gradeWarn, about, broken, "see who may read it"}
	case len(by) == 0:
		do := "log in to " + preset.Name
		if len(ways) > 0 {
			do += ", or set " + strings.Join(ways, " or ")
		}
		return finding{gradeWarn, about, "none is seen; it may be kept where this cannot be seen", do}
	case open != "":
		return finding{gradeWarn, about, "by " + list(by) + ", which others may read", "chmod 600 " + open}
	}
	return finding{gradeOK, about, "by " + list(by), ""}
}

// secret reports whether a variable of that name holds what one logs in with; others
// tell where, or as whom.
func secret(name string) bool {
	for _, part := range []string{"KEY", "TOKEN", "SECRET", "CREDENTIAL", "PASSWORD"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
