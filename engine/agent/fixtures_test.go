package agent

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
)

const fixtures = "../../testdata"

// row is one line of a table of expectations, by the names in its first line.
type row map[string]string

// readRows reads a tab-separated table; a missing column is empty.
func readRows(t *testing.T, path string) []row {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	var rows []row
	for _, line := range lines[1:] {
		r := row{}
		for i, value := range strings.Split(line, "\t") {
			r[names[i]] = value
		}
		rows = append(rows, r)
	}
	return rows
}

func unix(t *testing.T, s string) time.Time {
	t.Helper()
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(v, 0).UTC()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// sourceOf opens the same bytes at each call.
func sourceOf(b []byte) Source {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}

func judgeText(dialect, stream string, ref Reference, end End) run.Verdict {
	return Judge(context.Background(), sourceOf([]byte(stream)), dialect, ref, end, nil)
}

func TestRecordedStreams(t *testing.T) {
	confusion := map[string]map[[2]string]int{}
	for dir, atLeast := range map[string]int{"streams": 51, "catalogue": 89} {
		rows := readRows(t, filepath.Join(fixtures, dir, "EXPECTED.tsv"))
		if len(rows) < atLeast {
			t.Errorf("%s has %d rows, want at least %d", dir, len(rows), atLeast)
		}
		for _, r := range rows {
			t.Run(dir+"/"+r["file"], func(t *testing.T) {
				family, _, _ := strings.Cut(r["file"], "/")
				if confusion[family] == nil {
					confusion[family] = map[[2]string]int{}
				}
				confusion[family][[2]string{r["outcome"], checkRow(t, dir, r)}]++
			})
		}
	}
	for _, family := range slices.Sorted(maps.Keys(confusion)) {
		for _, pair := range slices.SortedFunc(maps.Keys(confusion[family]), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
			t.Logf("%-9s wanted %-16s got %-16s %3d", family, pair[0], pair[1], confusion[family][pair])
		}
	}
}

// onStderr are the rows whose file is what an agent printed on stderr, and the exit status
// with which it did: there is nothing on stdout then.
var onStderr = map[string]int{
	"gemini/auth_exit41.stderr.txt": 41, "gemini/json_mode_error.json": 429 & 0xff,
	"cursor/usage_limit.stderr.txt": 1, "cursor/auth.stderr.txt": 1,
}

// checkRow judges a recorded stream and gives the outcome.
func checkRow(t *testing.T, dir string, r row) string {
	data, err := os.ReadFile(filepath.Join(fixtures, dir, r["file"]))
	if err != nil {
		t.Fatal(err)
	}
	dialect, _, _ := strings.Cut(r["file"], "/")
	code, _ := strconv.Atoi(r["exit"])
	end := End{Exit: run.Exit{Code: code}}
	if exit, ok := onStderr[r["file"]]; ok {
		end, data = End{Exit: run.Exit{Code: exit}, Stderr: data}, nil
	}
	ref := Reference{Now: unix(t, r["clock"]), File: r["file"]}
	judge := func() run.Verdict {
		return Judge(context.Background(), sourceOf(data), dialect, ref, end, nil)
	}
	if dialect == "http" {
		judge = func() run.Verdict { return judgeAnswer(data, ref) }
	}
	v := judge()
	got := row{"outcome": v.Class.Outcome(), "model": orDash(v.Model), "scope": orDash(v.Scope.String()), "reset": "-"}
	if v.Scope == 0 {
		got["scope"] = "none"
	}
	if !v.Reset.IsZero() {
		got["reset"] = strconv.FormatInt(v.Reset.Unix(), 10)
	}
	want := row{"outcome": r["outcome"], "model": r["model"], "scope": r["scope"], "reset": r["reset"]}
	if trips := r["trips_family"]; trips != "" {
		want["trips_family"] = trips
		got["trips_family"] = map[bool]string{true: "yes", false: "no"}[v.Scope == run.ScopeFamily]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verdict (-want +got):\n%s\n%+v", diff, v)
	}
	if len(v.Evidence) == 0 || v.Evidence[0].File != r["file"] || v.Evidence[0].Rule == "" {
		t.Errorf("evidence = %+v, want at least one line of %s with a rule", v.Evidence, r["file"])
	}
	if (v.How == 0) != v.Reset.IsZero() {
		t.Errorf("how = %q with reset %v", v.How, v.Reset)
	}
	return got["outcome"]
}
