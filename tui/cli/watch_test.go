package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What is watched is what the arguments name, by path or by the id of a run.
func TestWatchFindsWhatIsNamed(t *testing.T) {
	change, held := stateOf(t)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("lines.jsonl", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	day := 24 * time.Hour
	tests := map[string]struct {
		args []string
		want WatchRequest
	}{
		"nothing":       {nil, WatchRequest{Since: day}},
		"all":           {[]string{"watch"}, WatchRequest{Since: day}},
		"root":          {[]string{"--root", "x"}, WatchRequest{Since: day, Roots: []string{filepath.Join(here, "x")}}},
		"a run":         {[]string{"watch", "0badcafe"}, WatchRequest{Since: day, Dir: held}},
		"latest":        {[]string{"watch", "latest"}, WatchRequest{Since: day, Dir: held}},
		"its directory": {[]string{"watch", held}, WatchRequest{Since: day, Dir: held}},
		"a run, once":   {[]string{"watch", "--once", "latest"}, WatchRequest{Since: day, Paths: []string{held}, Once: true, Headless: true}},
		"a file":        {[]string{"watch", "lines.jsonl"}, WatchRequest{Since: day, Paths: []string{filepath.Join(here, "lines.jsonl")}}},
		"both":          {[]string{"watch", ".", "latest"}, WatchRequest{Since: day, Paths: []string{here, held}}},
		"yet to come":   {[]string{"watch", "new/sessions", "--root", "x"}, WatchRequest{Since: day, Paths: []string{filepath.Join(here, "new/sessions")}, Roots: []string{filepath.Join(here, "x")}}},
		"json":          {[]string{"watch", "--json", "--since", "0"}, WatchRequest{Headless: true, JSON: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var w world
			if code := w.do("", change, tt.args...); code != ExitDone || len(w.watched) != 1 {
				t.Fatalf("exit %d, %d requests: %s", code, len(w.watched), w.err.String())
			}
			if diff := cmp.Diff(tt.want, w.watched[0]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWatchRefuses(t *testing.T) {
	change, _ := stateOf(t)
	for name, tt := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no file":  {[]string{"watch", "none.jsonl", "--once"}, ExitUsage, "there is no file or run \"none.jsonl\"\nhint: layover watch none.jsonl, without --once, waits for it"},
		"no root":  {[]string{"watch", "--root", "none", "--once"}, ExitUsage, "there is no directory \"none\"\nhint: layover watch --root none, without --once, waits for it"},
		"no run":   {[]string{"watch", "zzz"}, ExitNothing, "there is no run \"zzz\""},
		"nor once": {[]string{"watch", "zzz", "--once"}, ExitNothing, "there is no run \"zzz\""},
		"negative": {[]string{"watch", "--since", "-1h"}, ExitUsage, "--since cannot be -1h0m0s"},
		"hostile":  {[]string{"watch", "\x1b[2J/x.jsonl", "--once"}, ExitUsage, "there is no file or run"},
	} {
		t.Run(name, func(t *testing.T) {
			var w world
			if code := w.do("", change, tt.args...); code != tt.code {
				t.Errorf("exit %d, want %d", code, tt.code)
			}
			if got := w.err.String(); !strings.HasPrefix(got, "layover: "+tt.want) || !strings.Contains(got, "\nhint: ") || strings.Contains(got, "\x1b") {
				t.Errorf("told as %q", got)
			}
		})
	}
}

// Who names a run that is none is told where runs are, also those of the demo.
func TestWhereRunsAre(t *testing.T) {
	change, held := stateOf(t)
	var w world
	root := filepath.Dir(filepath.Dir(held))
	want := "layover: there is no run \"zzz\"\nhint: runs are in " + root + "/runs, those of the demo in " + root + "/demo/runs\n"
	if code := w.do("", change, "stop", "zzz"); code != ExitUsage || w.err.String() != want {
		t.Errorf("exit %d: %s", code, w.err.String())
	}
}
