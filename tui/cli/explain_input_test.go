package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent"
)

const (
	claudeLine = `{"type":"result","subtype":"success","is_error":false,"result":"ok","session_id":"s"}` + "\n"
	codexLine  = `{"type":"thread.started","thread_id":"t"}` + "\n" + `{"type":"turn.completed","usage":{}}` + "\n"
)

// Of a directory each output is explained once, in order, however deep it is, and
// nothing else.
func TestExplainOfADirectory(t *testing.T) {
	write(t, "plan.toml", "")
	for name, content := range map[string]string{
		"d/b/stdout.jsonl": codexLine, "d/a.jsonl": claudeLine, "d/b/empty.jsonl": "", "d/c/x/y/z/deep.log": claudeLine,
		"d/b/stderr.log": "", "d/b/notes.txt": "limit reached", "d/events.jsonl": `{"seq":1,"type":"run_started"}` + "\n", "d/image.json": "\x00\x01\x02",
		"d/README.md": claudeLine, "else/b.jsonl": claudeLine,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		os.Symlink("../else", "d/link"), os.Symlink(".", "d/loop"), os.Symlink("d", "root"),
		syscall.Mkfifo("d/pipe.jsonl", 0o600), os.Mkdir("d/dir.jsonl", 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for root, want := range map[string][]string{
		"d":    {"d/a.jsonl claude", "d/b/empty.jsonl unknown", "d/b/stdout.jsonl codex", "d/c/x/y/z/deep.log claude"},
		"root": {"root/a.jsonl claude", "root/b/empty.jsonl unknown", "root/b/stdout.jsonl codex", "root/c/x/y/z/deep.log claude"},
	} {
		t.Run(root, func(t *testing.T) {
			var w world
			code := w.do("", nil, "explain", "--json", root)
			var got []string
			for line := range bytes.Lines(w.out.Bytes()) {
				var x struct{ File, Family string }
				if err := json.Unmarshal(line, &x); err != nil {
					t.Fatal(err)
				}
				got = append(got, x.File+" "+x.Family)
			}
			if diff := cmp.Diff(want, got); diff != "" || code != ExitDone || w.err.Len() > 0 {
				t.Errorf("exit code %d, said %q (-want +got)\n%s", code, w.err.String(), diff)
			}
		})
	}
}

// A directory with very many outputs is explained in part, and that is told.
func TestExplainOfADirectoryIsBounded(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range maxOutputs + 1 {
		if err := os.WriteFile(fmt.Sprintf("%05d.jsonl", i), []byte(claudeLine), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var w world
	code := w.do("", nil, "explain", "--json", ".")
	if n := bytes.Count(w.out.Bytes(), []byte("\n")); n != maxOutputs || code != ExitUsage ||
		w.err.String() != "layover: explain .: too much is below it: this is the beginning\nhint: name the directories in it\n" {
		t.Errorf("%d explained, exit code %d, said %q", n, code, w.err.String())
	}
}

// What cannot be read below a directory is told, and the rest explained.
func TestExplainOfADirectoryThatIsClosed(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is closed to this user")
	}
	write(t, "b.jsonl", claudeLine)
	if err := os.Mkdir("a", 0); err != nil {
		t.Fatal(err)
	}
	var w world
	code := w.do("", nil, "explain", ".")
	if code != ExitUsage || !strings.Contains(w.err.String(), "layover: explain a: permission denied\n") || w.out.Len() == 0 {
		t.Errorf("exit code %d, printed %q, said %q", code, w.out.String(), w.err.String())
	}
}

// A file that grows while it is read is read as far as it was there, and that is told.
func TestExplainOfAFileThatGrows(t *testing.T) {
	for name, tc := range map[string]struct {
		there, more int
		read        int
		said        string
	}{
		"a small one":  {100, 50, 150, "it was written to while it was read; what is told may be of a part of it"},
		"a large one":  {agent.GuessSize + 1, 4 << 20, agent.GuessSize + 1, "it is still written to; this is of its first 262k bytes"},
		"one that not": {100, 0, 100, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "grows.jsonl")
			if err := os.WriteFile(path, make([]byte, tc.there), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, time.Time{}, now()); err != nil {
				t.Fatal(err)
			}
			in, err := (&explainer{}).open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer in.close()
			if tc.more > 0 {
				f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := f.Write(make([]byte, tc.more)); err != nil {
					t.Fatal(err)
				}
				_ = f.Close()
			}
			n, err := io.Copy(io.Discard, in.from)
			if err != nil || n != int64(tc.read) || in.changed() != tc.said {
				t.Errorf("read %d bytes, want %d; %v; said %q", n, tc.read, err, in.changed())
			}
		})
	}
}

// A file that is cut while it is read is not all there, whatever its times say.
func TestExplainOfAFileThatIsCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut.jsonl")
	if err := os.WriteFile(path, make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, now()); err != nil {
		t.Fatal(err)
	}
	in, err := (&explainer{}).open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.close()
	if err := errors.Join(os.Truncate(path, 10), os.Chtimes(path, time.Time{}, now())); err != nil {
		t.Fatal(err)
	}
	if got, want := in.changed(), "it was cut to 10 bytes while it was read; what is told may be of a part of it"; got != want {
		t.Errorf("said %q", got)
	}
}

// hungry counts how often it is read.
type hungry struct {
	from  io.Reader
	bytes int64
}

func (h *hungry) Read(p []byte) (int, error) {
	n, err := h.from.Read(p)
	h.bytes += int64(n)
	return n, err
}

// Of an endless input that is nobody's, only the beginning is read.
func TestExplainLooksAtTheBeginningOnly(t *testing.T) {
	for name, content := range map[string]string{"prose": "words\n", "one line": "words ", "binary": "\x00"} {
		t.Run(name, func(t *testing.T) {
			in := &hungry{from: endless(content)}
			var w world
			if code := w.do("", func(p *Ports) { p.Stdin = in }, "explain", "-"); code != ExitUsage || in.bytes > agent.GuessSize {
				t.Errorf("exit code %d, read %d bytes, said %q", code, in.bytes, w.err.String())
			}
		})
	}
}

// endless is a text again and again.
type endless string

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e)
	}
	return n, nil
}

// A line that is very long takes no more memory than a short one, wherever it stands.
func TestExplainOfAVeryLongLine(t *testing.T) {
	const size, room = 64 << 20, 16 << 20
	for name, parts := range map[string][2]string{
		"the only one": {`{"type":"result","subtype":"success","is_error":false,"a":"`, `","result":"ok"}` + "\n"},
		"the first":    {`{"type":"system","subtype":"init","session_id":"s","a":"`, `"}` + "\n" + claudeLine},
		"the last":     {claudeLine + `{"type":"user","session_id":"s","message":"`, `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			in := io.MultiReader(strings.NewReader(parts[0]), io.LimitReader(endless("limit reached "), size), strings.NewReader(parts[1]))
			var w world
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			code := w.do("", func(p *Ports) { p.Stdin = in }, "explain", "-")
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > room {
				t.Errorf("it took %d bytes", took)
			}
			if code != ExitDone || !strings.Contains(w.out.String(), "outcome   success") {
				t.Errorf("exit code %d, said %q, printed %q", code, w.err.String(), w.out.String())
			}
		})
	}
}
