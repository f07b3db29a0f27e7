package agent

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// readWhole gives all that a reader makes of a stream in chunks of size bytes. The last
// sight is the latest that was told of what the agent works at.
func readWhole(t testing.TB, dialect string, stream []byte, size int) (run.Verdict, []run.Sight, int) {
	t.Helper()
	ref, end := atNoon(), End{}
	if dialect == DialectGeneric { // else nothing is looked at
		ref.Rules = []run.Rule{{Regexp: `limit.*\d`, Class: run.ClassRateLimited, Reset: true}, {Match: "É", Class: run.ClassAuth}}
		end.Exit.Code = 1
	}
	r, err := NewReader(dialect, ref)
	if err != nil {
		t.Fatal(err)
	}
	var all []run.Sight
	var last run.Sight
	see := func(s run.Sight) {
		if s.Message != "" {
			last = run.Sight{Message: s.Message}
		}
		if s.Doing != "" {
			last.Doing = s.Doing
		}
		s.Doing, s.Message = "", ""
		if s != (run.Sight{}) {
			all = append(all, s)
		}
	}
	for len(stream) > 0 {
		n := min(size, len(stream))
		r.Feed(stream[:n], see)
		stream = stream[n:]
	}
	v := r.End(end, see)
	return v, append(all, last), r.Damaged()
}

func TestDamageIsSkippedAndCounted(t *testing.T) {
	torn := `{"type":"result","is_error":true,"result":"usage limit reac`
	for name, tc := range map[string]struct {
		stream  string
		damaged int
		class   run.Class
	}{
		"whole":                {lines(claudeInit, claudeDone), 0, run.ClassSuccess},
		"torn in the middle":   {lines(claudeInit, torn, claudeDone), 1, run.ClassSuccess},
		"nul block":            {lines(claudeInit, torn+strings.Repeat("\x00", 4096)+claudeDone), 1, run.ClassSuccess},
		"nul line":             {lines(claudeInit, strings.Repeat("\x00", 4096), claudeDone), 1, run.ClassSuccess},
		"glued":                {claudeInit + claudeDone + "\n", 0, run.ClassSuccess},
		"cut last line":        {lines(claudeInit) + torn, 1, run.ClassIncomplete},
		"foreign text":         {lines("Now using node v22", claudeInit, "[", "12", `"x"`, claudeDone), 0, run.ClassSuccess},
		"not UTF-8":            {lines(claudeInit, "\xa4\xa4", strings.Replace(claudeDone, "session limit", "\xff\xfe", 1)), 0, run.ClassSuccess},
		"last of equal names":  {lines(claudeInit, strings.Replace(claudeDone, `"is_error":false`, `"is_error":true,"is_error":false`, 1)), 0, run.ClassSuccess},
		"deep":                 {lines(claudeInit, strings.Replace(claudeDone, `{`, `{"x":`+strings.Repeat(`{"a":[`, 5000)+strings.Repeat(`]}`, 5000)+`,`, 1)), 0, run.ClassSuccess},
		"long, and not JSON":   {lines(claudeInit, strings.Repeat("x", 2*record.MaxLine), claudeDone), 1, run.ClassSuccess},
		"colours around":       {lines("\x1b[0m"+claudeInit+"\x1b[0m", "\x1b[?2004h"+claudeDone+"\x1b[31m"), 0, run.ClassSuccess},
		"prose before the end": {lines(claudeInit, `note: `+claudeDone), 0, run.ClassIncomplete},
	} {
		t.Run(name, func(t *testing.T) {
			v, _, damaged := readWhole(t, "claude", []byte(tc.stream), 4096)
			if damaged != tc.damaged || v.Class != tc.class {
				t.Errorf("%v with %d damaged, want %v with %d", v.Class, damaged, tc.class, tc.damaged)
			}
		})
	}
}

func TestReaderMemoryIsBounded(t *testing.T) {
	r, err := NewReader("claude", atNoon())
	if err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	part := []byte(strings.Repeat("x", 1<<20))
	r.Feed([]byte(`{"type":"user","message":"`), nil)
	for range 64 {
		r.Feed(part, nil)
	}
	r.Feed([]byte("\"}\n"), nil)
	for n := range 20_000 {
		id := strconv.Itoa(n) + strings.Repeat("i", 1000)
		r.Feed([]byte(`{"type":"assistant","message":{"id":"`+id+`","model":"m`+id[:100]+`","content":[],"usage":{"output_tokens":1}}}`+"\n"), nil)
	}
	if grown := int64(heap()) - int64(before); grown > 8<<20 {
		t.Errorf("the reader holds %d bytes", grown)
	}
	if v := r.End(End{}, nil); v.Usage.Output != 20_000 || len(v.Model) > record.MaxName {
		t.Errorf("usage = %+v, model of %d bytes", v.Usage, len(v.Model))
	}
}

// What a dialect wants of records is made once: a watcher begins with thousands of files.
func TestReadersMakeNoTables(t *testing.T) {
	for _, name := range Dialects() {
		if n := testing.AllocsPerRun(10, func() { _, _ = NewReader(name, Reference{}) }); n > 4 {
			t.Errorf("%s: %.0f allocations", name, n)
		}
	}
}

func FuzzReaderClaude(f *testing.F) { fuzzReader(f, "claude") }

func FuzzReaderCodex(f *testing.F) { fuzzReader(f, "codex") }

func FuzzReaderOpencode(f *testing.F) { fuzzReader(f, "opencode") }

func FuzzReaderCopilot(f *testing.F) { fuzzReader(f, "copilot") }

func FuzzReaderGrok(f *testing.F) { fuzzReader(f, "grok") }

func FuzzReaderAider(f *testing.F) { fuzzReader(f, "aider") }

func FuzzReaderGeneric(f *testing.F) { fuzzReader(f, "generic") }

// fuzzReader feeds any bytes in chunks of any size: nothing may panic, and the
// chunks must not matter.
func fuzzReader(f *testing.F, dialect string) {
	files, err := filepath.Glob(filepath.Join(fixtures, "*", dialect, "*"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for i, file := range files {
		stream, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(stream, 1+i*7)
	}
	f.Add([]byte("\xef\xbb\xbf\x00"+claudeInit+claudeDone+"\r\n"+codexStarted+codexFailure("x")), 3)
	f.Fuzz(func(t *testing.T, stream []byte, size int) {
		want, wantSights, wantDamaged := readWhole(t, dialect, stream, len(stream)+1)
		got, gotSights, damaged := readWhole(t, dialect, stream, 1+(size&0xffff))
		if diff := cmp.Diff(want, got); diff != "" || damaged != wantDamaged {
			t.Errorf("%d damaged, want %d; verdict (-want +got):\n%s", damaged, wantDamaged, diff)
		}
		if diff := cmp.Diff(wantSights, gotSights); diff != "" {
			t.Errorf("sights (-want +got):\n%s", diff)
		}
		if want.Class == 0 || len(want.Evidence) == 0 {
			t.Errorf("verdict = %+v, want a class with evidence", want)
		}
		if len(want.Message) > run.MaxMessage {
			t.Errorf("message of %d bytes", len(want.Message))
		}
		for _, s := range wantSights {
			if len(s.Doing) > record.MaxDoing || len(s.Message) > record.MaxDoing || s.Session != record.PlainName(s.Session) {
				t.Errorf("sight = %+v", s)
			}
		}
	})
}
