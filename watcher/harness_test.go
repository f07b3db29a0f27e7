package watcher_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
	"example.com/layover/watcher"
	"example.com/layover/watcher/foreign"
)

// harness copies the recorded runs of team-harness.
func harness(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "runs")
	if err := os.CopyFS(dir, os.DirFS("foreign/testdata/harness/runs")); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, recorded(), recorded()))
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// recorded is when the recorded runs were under way.
func recorded() time.Time { return time.Date(2026, 12, 1, 10, 30, 0, 0, time.UTC) }

func kept(pid int, _ string) foreign.Alive { return foreign.Living }

// The recorded runs of several generations stand as they did; the log of one tells of a
// limit that its run.json does not know.
func TestRunsOfTeamHarness(t *testing.T) {
	dir := harness(t)
	before := contents(t, dir)
	d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: dir, Kind: watcher.KindHarness}}, Now: recorded, Alive: kept})
	d.complete()
	got := map[string]string{}
	for key, w := range d.runs {
		got[filepath.Base(key)] = w.State.String()
		if w.Origin != run.OriginHarness || w.Unheard == "" {
			t.Errorf("told as %+v", w)
		}
	}
	want := map[string]string{
		"20260111_090000_00aa11bb": "done", "20260718_210000_5f3c9a10": "done", "20260801_080000_77e0d1c2": "failed",
		"20261201_100000_c0ffee42": "working", "20261201_101500_0dd0dd0d": "working",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	suspected := map[string]bool{}
	for _, f := range d.fams {
		suspected[f.Name] = len(f.Suspicions) > 0
		if len(f.Windows) > 0 {
			t.Errorf("a window is open on the word of others: %+v", f)
		}
	}
	if !suspected["claude"] {
		t.Errorf("the limit in the log is not told: %+v", d.fams)
	}
	d.end()
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Errorf("files of others were changed: %s", diff)
	}
}

// contents are all files below a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		all[path] = info.Mode().String()
		if e.Type().IsRegular() {
			b, err := os.ReadFile(path)
			all[path] += info.ModTime().String() + string(b)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// replace puts a file into the place of another at once.
func replace(path string, v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(path+".new", b, 0o600)
	}
	return errors.Join(err, os.Rename(path+".new", path))
}

// A run.json that is replaced all the time is never told as unreadable, and the last one
// counts.
func TestARunThatIsRewrittenAllTheTime(t *testing.T) {
	dir := harness(t)
	key := filepath.Join(dir, "20261201_100000_c0ffee42")
	var file map[string]any
	b, err := os.ReadFile(filepath.Join(key, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: dir, Kind: watcher.KindHarness}}, Now: recorded, Alive: kept})
	d.complete()
	const times = 300
	d.mu.Lock()
	others := d.runs[key].Usage.Input - 100 // as it is recorded
	d.mu.Unlock()
	for n := range times {
		file["turns"] = []map[string]any{{"index": 0, "usage": map[string]any{"prompt_tokens": n, "completion_tokens": 1}}}
		if err := replace(filepath.Join(key, "run.json"), file); err != nil {
			t.Fatal(err)
		}
		d.mu.Lock()
		w := d.runs[key]
		d.mu.Unlock()
		if w.State != run.StandingWorking {
			t.Fatalf("after %d it is told as %+v", n, w)
		}
	}
	d.until("the last", func() bool { return d.runs[key].Usage.Input == others+times-1 })
}

// A run that nobody keeps is orphaned once its process is gone, which no file tells.
func TestARunIsOrphanedWhenItsProcessDies(t *testing.T) {
	dir := harness(t)
	gone := make(chan struct{})
	alive := func(int, string) foreign.Alive {
		select {
		case <-gone:
			return foreign.Gone
		default:
			return foreign.Living
		}
	}
	d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: dir, Kind: watcher.KindHarness}}, Now: recorded, Alive: alive})
	key := filepath.Join(dir, "20261201_100000_c0ffee42")
	d.stands(key, run.StandingWorking)
	close(gone)
	d.stands(key, run.StandingOrphaned)
}

// What cannot be read is told with its reason, and everything else goes on.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	runs := filepath.Join(dir, "runs")
	good := filepath.Join(runs, "good")
	put(t, filepath.Join(good, "run.json"), `{"run_id":"good","start":"2026-12-01T10:00:00Z","end":"2026-12-01T10:10:00Z","agents":[]}`)
	for name, text := range map[string]string{
		"torn": `{"run_id":"x","agents":[{"id":`, "empty": "", "array": `[{"run_id":"x"}]`, "null": "null", "other": `{"name":"left-pad","version":"1.0.0"}`,
		"words": "hello", "deep": strings.Repeat(`{"layover":`, 20000),
	} {
		put(t, filepath.Join(runs, name, "run.json"), text)
	}
	huge := filepath.Join(runs, "huge", "run.json")
	put(t, huge, "{")
	if err := os.Truncate(huge, 200<<20); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(runs, "later", "x"), "")
	if err := errors.Join(
		os.Mkdir(filepath.Join(runs, "folder"), 0o700), os.Mkdir(filepath.Join(runs, "folder", "run.json"), 0o700),
		os.Symlink(runs, filepath.Join(runs, "loop")), os.Symlink("self", filepath.Join(runs, "self")),
	); err != nil {
		t.Fatal(err)
	}
	d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: runs, Kind: watcher.KindHarness}}})
	d.complete()
	got := map[string]string{}
	for key, w := range d.runs {
		got[filepath.Base(key)] = w.State.String()
		if w.State == run.StandingUnreadable {
			got[filepath.Base(key)] = fmt.Sprint(w.State, ": ", w.Why)
		}
	}
	want := map[string]string{
		"good": "done", "torn": "unreadable: read run.json: unexpected end of JSON input", "empty": "unreadable: run.json is empty",
		"array": "unreadable: read run.json: not a JSON object", "null": "unreadable: read run.json: not a JSON object",
		"other": "unreadable: it is not a run.json of a tool that is known", "words": "unreadable: read run.json: invalid character 'h' looking for beginning of value",
		"deep": "unreadable: read run.json: invalid character '{' exceeded max depth", "huge": "unreadable: run.json is too long: 209M bytes",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	put(t, filepath.Join(runs, "torn", "run.json"), `{"run_id":"x","end":"2026-12-01T10:10:00Z","agents":[]}`)
	d.stands(filepath.Join(runs, "torn"), run.StandingDone)
	put(t, filepath.Join(good, "run.json"), `{"run_id":`)
	d.stands(good, run.StandingUnreadable)
	if got := d.runs[good]; got.ID != "good" {
		t.Errorf("what was known of it is forgotten: %+v", got)
	}
}

// Secrets in a run.json are as little told as those in the output of agents.
func TestSecretsOfARunJSON(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "r", "run.json"), `{"run_id":"r","start":"2026-12-01T10:00:00Z","end":"2026-12-01T10:01:00Z","error":"key hunter2 refused",
		"rate_limited_families":[{"family":"claude","tripped_at":"2026-12-01T10:00:30Z","resets_at":"2026-12-01T12:00:00Z","reason":"hunter2"}],
		"agents":[{"id":"a","agent_type":"claude","status":"failed","cwd":"/home/hunter2","command":["claude","--key","hunter2"]}]}`)
	d := sitDown(t, watcher.Options{
		Roots: []watcher.Root{{Path: dir, Kind: watcher.KindHarness}}, Now: recorded,
		Keep: func(text string) string { return strings.ReplaceAll(text, "hunter2", "***") },
	})
	d.complete()
	d.watcher.Open(filepath.Join(dir, "r"))
	d.until("its facts", func() bool { return len(d.feeds) > 0 })
	told := fmt.Sprint(d.runs, d.fams, d.feeds)
	if !strings.Contains(told, "***") || strings.Contains(told, "hunter2") {
		t.Errorf("told as %s", told)
	}
}

// Each family has the agents that are its own, whoever else works in the same run, and the
// cost is that of all runs.
func TestAgentsAtWorkAreCountedByFamily(t *testing.T) {
	dir := t.TempDir()
	agent := func(id, kind, rest string) string {
		return fmt.Sprintf(`{"id":%q,"agent_type":%q,"spawned_at":"2026-12-01T10:00:00Z","stdout_log":"%s.out"%s}`, id, kind, id, rest)
	}
	write := func(agents ...string) {
		put(t, filepath.Join(dir, "r", "next"), `{"run_id":"r","start":"2026-12-01T10:00:00Z","agents":[`+strings.Join(agents, ",")+`]}`)
		if err := os.Rename(filepath.Join(dir, "r", "next"), filepath.Join(dir, "r", "run.json")); err != nil {
			t.Fatal(err)
		}
	}
	const over = `,"finished_at":"2026-12-01T10:05:00Z","exit_code":0,"status":"done"`
	result := `{"type":"result","subtype":"success","is_error":false,"result":"ok","session_id":"s","total_cost_usd":0.25,"usage":{"input_tokens":1,"output_tokens":1}}` + "\n"
	put(t, filepath.Join(dir, "r", "c.out"), result)
	put(t, filepath.Join(dir, "r", "d.out"), result)
	write(agent("a", "claude", ""), agent("b", "codex", ""), agent("c", "claude", over), agent("d", "claude", over), agent("e", "codex", ""))
	d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: dir, Kind: watcher.KindHarness}}, Now: recorded})
	d.complete()
	working := func(claude, codex int) {
		t.Helper()
		d.until(fmt.Sprintf("%d and %d at work", claude, codex), func() bool {
			at := map[string]int{}
			for _, f := range d.fams {
				at[f.Name] = f.Working
			}
			return at["claude"] == claude && at["codex"] == codex
		})
	}
	working(1, 2)
	if got := d.last.Usage.CostUSD; got != .5 {
		t.Errorf("it has cost %v", got)
	}
	write(agent("a", "claude", over), agent("b", "codex", ""), agent("c", "claude", over), agent("d", "claude", over), agent("e", "codex", over))
	working(0, 1)
	if err := os.RemoveAll(filepath.Join(dir, "r")); err != nil {
		t.Fatal(err)
	}
	d.until("no cost", func() bool { return len(d.runs) == 0 && d.last.Usage.CostUSD == 0 })
}

// Runs name their logs while the directories are still read, by another goroutine.
func TestRunsNameLogsWhileFilesAreFound(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		put(t, filepath.Join(dir, "projects", fmt.Sprint(i), "s.jsonl"), "{}\n")
	}
	for i := range 60 {
		run := filepath.Join(dir, "runs", fmt.Sprint(i))
		var agents []string
		for a := range 5 {
			put(t, filepath.Join(run, fmt.Sprint(a), "out"), asked("s")+said("s", fmt.Sprint(i, a), 1, "end_turn"))
			agents = append(agents, fmt.Sprintf(`{"id":"a%d","agent_type":"claude","stdout_log":"%d/out"}`, a, a))
		}
		put(t, filepath.Join(run, "run.json"), `{"run_id":"r","start":"2026-12-01T10:00:00Z","agents":[`+strings.Join(agents, ",")+`]}`)
	}
	d := sitDown(t, watcher.Options{Now: recorded, Roots: []watcher.Root{
		{Path: filepath.Join(dir, "runs"), Kind: watcher.KindHarness}, {Path: filepath.Join(dir, "projects"), Kind: watcher.KindClaude},
	}})
	d.complete()
	if got := d.last.Usage.Output; got != 300 {
		t.Errorf("they have used %d, want 300", got)
	}
}

// The log of a run that ended long ago says nothing of today, though it was copied now.
func TestACopiedLogEndsNoSuspicion(t *testing.T) {
	dir := t.TempDir()
	at := func(minutes int) string {
		return recorded().Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339)
	}
	write := func(name, end, out string) {
		put(t, filepath.Join(dir, name, "out"), out)
		put(t, filepath.Join(dir, name, "run.json"), fmt.Sprintf(`{"run_id":%q,"start":%q,"end":%s,"agents":[{"id":"a","agent_type":"claude","spawned_at":%[2]q,"stdout_log":"out"}]}`, name, at(-500), end))
	}
	write("now", "null", `{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You've hit your session limit · resets 1pm (UTC)","session_id":"s","usage":{"input_tokens":0,"output_tokens":0}}`+"\n")
	write("old", strconv.Quote(at(-400)), `{"type":"result","subtype":"success","is_error":false,"result":"ok","session_id":"s","usage":{"input_tokens":1,"output_tokens":1}}`+"\n")
	for _, c := range []struct {
		name string
		at   time.Time
	}{{"now", recorded().Add(-time.Hour)}, {"old", recorded().Add(-time.Minute)}} {
		if err := os.Chtimes(filepath.Join(dir, c.name, "out"), c.at, c.at); err != nil {
			t.Fatal(err)
		}
	}
	d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: dir, Kind: watcher.KindHarness}}, Now: recorded})
	d.complete()
	if len(d.fams) != 1 || len(d.fams[0].Suspicions) != 1 {
		t.Errorf("the families are %+v", d.fams)
	}
}
