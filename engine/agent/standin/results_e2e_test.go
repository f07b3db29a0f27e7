//go:build e2e

package standin_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	minutes = flag.Bool("minutes", false, "tell the stories, too, that wait for the agents' own minutes of retries")
	results = flag.String("results", "", "the file whose table is written anew from the stories told")
)

// row is what came of one story.
type row struct {
	agent, story, told string
	// asked counts the requests that each attempt made.
	asked []int
	took  time.Duration
	day   string
	bad   bool
}

// rows are those of the stories told so far.
var rows struct {
	sync.Mutex
	all []row
}

// note keeps the row until all stories are told.
func (r row) note(t *testing.T) {
	t.Helper()
	r.day = time.Now().UTC().Format(time.DateOnly)
	t.Cleanup(func() {
		r.bad = t.Failed()
		rows.Lock()
		defer rows.Unlock()
		rows.all = append(rows.all, r)
	})
}

// scratch is a directory for all tests.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "layover"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if *results != "" && len(rows.all) > 0 {
		err = writeResults(*results)
	}
	if err = errors.Join(err, os.RemoveAll(scratch)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// tried is the heading of what stands behind the table and is kept.
const tried = "## Tried by hand"

const preface = `# Real agents against the stand-in API

What Layover's own ` + "`run`" + ` concluded about each agent, story by story. The table is written by

    PATH=$(testdata/e2e/install.sh DIR):$PATH go test -tags e2e -timeout 30m -parallel 8 \
        ./engine/agent/standin -run Stories -minutes -results "$PWD/testdata/e2e/RESULTS.md"

as .ci/full calls it. A verdict is told by its class, kind, scope and how the reset is known. Requests are those
that each attempt made by itself. Seconds are those of the whole run, with other stories beside it. A run of some
stories writes their rows and keeps the others.

`

const header = "| story | agent | Layover concluded | requests | seconds | day |\n|---|---|---|---|---|---|\n"

// writeResults writes the table, sorted. It keeps the rows of stories that were not told
// this time, and what was tried by hand.
func writeResults(path string) error {
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	table, byHand, _ := strings.Cut("\n"+string(old), "\n"+tried)
	lines := map[string]string{} // by story and agent
	if _, kept, ok := strings.Cut(table, header); ok {
		for line := range strings.Lines(kept) {
			if cells := strings.Split(line, "|"); len(cells) > 2 {
				lines[key(cells[1], cells[2])] = line
			}
		}
	}
	for _, r := range rows.all {
		lines[key(r.story, r.agent)] = r.String()
	}
	out := preface + header
	for _, k := range slices.Sorted(maps.Keys(lines)) {
		out += lines[k]
	}
	if byHand != "" {
		out += "\n" + tried + byHand
	}
	return os.WriteFile(path, []byte(out), 0o644)
}

// key is what a row is known by: its story and its agent, of whatever version.
func key(story, agent string) string {
	return strings.Join(strings.Fields(story+" | "+versionOf.ReplaceAllString(agent, "")), " ")
}

// String is the line of the table.
func (r row) String() string {
	told := r.told
	if r.bad {
		told = "**FAILED**: " + told
	}
	asked := strings.Trim(strings.ReplaceAll(fmt.Sprint(r.asked), " ", ", "), "[]")
	return fmt.Sprintf("| %s | %s | %s | %s | %.0f | %s |\n", r.story, versions(r.agent), told, asked, r.took.Seconds(), r.day)
}

var versionOf = regexp.MustCompile(` *\d+\.\d+\.\d+`)

// versions puts the version behind each name of an agent.
func versions(names string) string {
	all := strings.Split(names, ", ")
	for i, name := range all {
		if known[name] == "" {
			known[name] = name + " " + cmp.Or(version(name), "of an unknown version")
		}
		all[i] = known[name]
	}
	return strings.Join(all, ", ")
}

// known are the names with their versions that were asked for so far.
var known = map[string]string{}

// version asks an agent for its version; empty if it does not say.
func version(name string) string {
	home, err := os.MkdirTemp(scratch, "version")
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, "--version")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CODEX_HOME=" + home, "XDG_DATA_HOME=" + filepath.Join(home, "data")}
	out, _ := cmd.Output() // without it there is no version in it
	return string(versionOf.Find(out))
}
