package journal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// eventsOf reads the recorded run as it lies on the disk.
func eventsOf(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(nightDir, journal.EventsFile))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// runDir makes the directory of a run with these events and gives root and directory.
func runDir(t *testing.T, data []byte) (root, dir string) {
	t.Helper()
	root = t.TempDir()
	dir = filepath.Join(root, "runs", id)
	mkdir(t, dir)
	if err := os.WriteFile(filepath.Join(dir, journal.EventsFile), data, 0o600); err != nil {
		t.Fatal(err)
	}
	return root, dir
}

func TestReplayNight(t *testing.T) {
	s, report, err := journal.Replay(nightDir)
	if err != nil {
		t.Fatal(err)
	}
	want := journal.Report{Facts: 51, End: int64(len(eventsOf(t)))}
	if report != want {
		t.Errorf("report %+v, want %+v", report, want)
	}
	if s.ID != id || s.Seq != 51 || s.Phase != run.PhaseEnded || s.Exit != 130 || len(s.Windows) != 0 || len(s.Open) != 0 {
		t.Errorf("state %+v", s)
	}
	counts := run.Counts{
		Spawned: 4, Refused: 1, Burned: 3, Parks: 1, Swaps: 1, Probes: 1, Done: 1, Stopped: 1,
		Parked: 2930 * time.Second,
	}
	if d := cmp.Diff(counts, s.Counts); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
	usage := run.Usage{Input: 3200, Output: 13850, CacheRead: 53000, CacheWrite: 8000, CostUSD: 1.25}
	if d := cmp.Diff(usage, s.Usage); d != "" {
		t.Errorf("usage (-want +got):\n%s", d)
	}
}

func TestAppendAndReplay(t *testing.T) {
	root := t.TempDir()
	j := create(t, root)
	live := &run.State{}
	for facts := night(t); len(facts) > 0; facts = facts[min(3, len(facts)):] {
		batch := facts[:min(3, len(facts))]
		if err := j.Append(batch); err != nil {
			t.Fatal(err)
		}
		for _, f := range batch {
			if err := live.Apply(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, _, err := journal.Replay(j.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(live, s, alike); d != "" {
		t.Errorf("replayed (-live +replayed):\n%s", d)
	}
}

// A run whose owner died at any byte of its last line is read and taken up as if
// that line had never been begun; reading alone does not change the file.
func TestTornAtEveryByte(t *testing.T) {
	data := eventsOf(t)
	last := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
	facts := night(t)
	for cut := last; cut < len(data); cut++ {
		root, dir := runDir(t, data[:cut])
		want := journal.Report{Facts: 50, End: int64(last), Torn: min(1, cut-last), TornBytes: int64(cut - last)}
		s, report, err := journal.Replay(dir)
		if err != nil || report != want || s.Seq != 50 {
			t.Fatalf("cut at %d: %+v, %v", cut, report, err)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, journal.EventsFile)); len(got) != cut {
			t.Fatalf("cut at %d: reading changed the file", cut)
		}
		j, s, report, err := journal.Resume(root, id)
		if err != nil || report != want || s.Seq != 50 {
			t.Fatalf("cut at %d: %+v, %v", cut, report, err)
		}
		if err := errors.Join(j.Append(facts), j.Close()); err != nil {
			t.Fatal(err)
		}
		_, report, err = journal.Replay(dir)
		if err != nil || report.Facts != 51 || report.Torn != 0 {
			t.Fatalf("cut at %d, resumed: %+v, %v", cut, report, err)
		}
	}
}

func TestDamage(t *testing.T) {
	data := eventsOf(t)
	lines := bytes.SplitAfter(data, []byte("\n"))[:51]
	with := func(i int, line string) []byte {
		all := append([][]byte{}, lines...)
		all[i-1] = []byte(line)
		return bytes.Join(all, nil)
	}
	whole := journal.Report{Facts: 51}
	unknown := `{"seq":4,"ts":"2026-03-01T22:00:00Z","type":"new_in_the_next_version","lane":1,"x":[1]}` + "\n"
	tests := map[string]struct {
		data []byte
		line int
		want journal.Report
	}{
		"empty":                       {},
		"byte order of other tools":   {data: bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), want: whole},
		"blank lines":                 {data: bytes.ReplaceAll(data, []byte("\n"), []byte("\n \n")), want: whole},
		"unknown type":                {data: with(4, unknown), want: journal.Report{Facts: 50, Unknown: 1}},
		"unknown type out of order":   {data: with(4, strings.Replace(unknown, "4", "6", 1)), line: 4},
		"half a line":                 {data: with(20, string(lines[19][:30])+"\n"), line: 20},
		"two lines glued":             {data: with(20, string(lines[19][:len(lines[19])-1])), line: 20},
		"block of NULs":               {data: with(20, strings.Repeat("\x00", 4096)+"\n"), line: 20},
		"NULs at the end":             {data: append(bytes.Clone(data), make([]byte, 4096)...), want: journal.Report{Facts: 51, Torn: 1}},
		"NULs in the last line":       {data: with(51, strings.Repeat("\x00", 300)+"}\n"), want: journal.Report{Facts: 50, Torn: 1}},
		"missing line":                {data: with(20, ""), line: 20},
		"line twice":                  {data: with(20, string(lines[19])+string(lines[19])), line: 21},
		"does not apply":              {data: with(20, strings.Replace(string(lines[19]), `"lane":1`, `"lane":7`, 1)), line: 20},
		"wrong type of a field":       {data: with(51, `{"seq":51,"type":"run_ended","exit":"x"}`+"\n"), line: 51},
		"no object":                   {data: with(20, "[]\n"), line: 20},
		"word of the next version":    {data: with(51, `{"seq":51,"type":"lane_ended","lane":1,"state":"x"}`+"\n"), line: 51},
		"longer than any line may be": {data: with(20, strings.Repeat(" ", journal.MaxLine+1<<17)+"\n"), line: 20},
		"large line": {
			data: with(51, `{"seq":51,"type":"notice","message":"`+strings.Repeat("m", 5<<20)+"\"}\n"), want: whole,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, dir := runDir(t, tt.data)
			_, report, err := journal.Replay(dir)
			damaged, _ := errors.AsType[*journal.DamagedError](err)
			if tt.line > 0 {
				if damaged == nil || damaged.Line != tt.line || !strings.Contains(err.Error(), "line ") {
					t.Fatalf("got %v, want damage at line %d", err, tt.line)
				}
				return
			}
			if complete := report.End == int64(len(tt.data)); complete != (report.Torn == 0) {
				t.Errorf("%d of %d bytes are good", report.End, len(tt.data))
			}
			if report.End+report.TornBytes != int64(len(tt.data)) {
				t.Errorf("%+v of %d bytes", report, len(tt.data))
			}
			report.End, report.TornBytes = 0, 0
			if err != nil || report != tt.want {
				t.Errorf("got %+v, %v, want %+v", report, err, tt.want)
			}
		})
	}
}

func TestReplayRefuses(t *testing.T) {
	_, dir := runDir(t, eventsOf(t))
	other := t.TempDir()
	link(t, filepath.Join(dir, journal.EventsFile), filepath.Join(other, journal.EventsFile))
	odd := t.TempDir()
	mkdir(t, filepath.Join(odd, journal.EventsFile))
	tests := map[string]string{
		"link to the run":    link(t, dir, filepath.Join(t.TempDir(), "run")),
		"link to the events": other,
		"directory":          odd,
		"nothing":            t.TempDir(),
		"no directory":       filepath.Join(dir, journal.EventsFile),
	}
	for name, dir := range tests {
		t.Run(name, func(t *testing.T) {
			if _, _, err := journal.Replay(dir); err == nil {
				t.Error("it was read")
			}
		})
	}
}

func TestResumeSweepsAndGoesOn(t *testing.T) {
	root, dir := runDir(t, eventsOf(t))
	touch(t, dir, ".run.json12345")
	j, s, report, err := journal.Resume(root, id)
	if err != nil || report.Facts != 51 || s.Seq != 51 {
		t.Fatalf("%+v, %v", report, err)
	}
	defer func() { _ = j.Close() }()
	if _, err := os.Stat(filepath.Join(dir, ".run.json12345")); err == nil {
		t.Error("the half written export is still there")
	}
	next := run.Fact{Seq: 52, At: s.LastAt, Body: run.RunResumed{}}
	if err := j.Append([]run.Fact{next}); err != nil {
		t.Fatal(err)
	}
	if err := j.Export(s, s.LastAt, true); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, journal.RunFile))
	if err != nil || !bytes.Contains(data, []byte(`"command":["codex","exec","--json"]`)) {
		t.Errorf("the commands of earlier agents are gone: %v", err)
	}
}

// Whoever opened up a run since: it is private again once it has an owner.
func TestResumeClosesWhatIsOpen(t *testing.T) {
	root, dir := leftOver(t)
	want := snapshot(t, root)
	for path := range want {
		if err := os.Chmod(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	j, _, _, err := journal.Resume(root, id)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, journal.RunFile), 0o600); err != nil { // the next export's
		t.Fatal(err)
	}
	same(t, root, want)
	_ = j.Close()
}

func TestResumeRefusesDamage(t *testing.T) {
	root, dir := runDir(t, []byte("{}\n{}\n"))
	for range 2 { // the lock is given back, so the second time is like the first
		_, _, _, err := journal.Resume(root, id)
		if damaged, ok := errors.AsType[*journal.DamagedError](err); !ok || damaged.Line != 1 {
			t.Errorf("got %v", err)
		}
	}
	if data, _ := os.ReadFile(filepath.Join(dir, journal.EventsFile)); string(data) != "{}\n{}\n" {
		t.Errorf("the facts were changed: %q", data)
	}
	if _, _, _, err := journal.Resume(root, "20260301_220000_00000000"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestResumeRefusesLinks(t *testing.T) {
	for _, name := range []string{journal.WorkersDir, journal.ControlDir, journal.EventsFile} {
		t.Run(name, func(t *testing.T) {
			root, dir := runDir(t, eventsOf(t))
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			link(t, t.TempDir(), filepath.Join(dir, name))
			for range 2 { // the lock is given back, so the second time is like the first
				_, _, _, err := journal.Resume(root, id)
				if e, ok := errors.AsType[*journal.UnwritableError](err); !ok || e.Path != filepath.Join(dir, name) {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}
