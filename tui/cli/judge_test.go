package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
)

// FuzzExplain feeds explain with anything: it ends with one JSON object or a
// refusal, and its plain form does nothing to a terminal.
func FuzzExplain(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.jsonl"))
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var w world
		code := w.do(string(data), nil, "explain", "--json", "-")
		var got struct {
			Outcome string `json:"outcome"`
		}
		err := json.Unmarshal(w.out.Bytes(), &got)
		if refused := w.out.Len() == 0 && code == ExitUsage; !refused && (code != ExitDone || err != nil || got.Outcome == "") {
			t.Fatalf("exit code %d, %v, printed %q, said %q", code, err, w.out.String(), w.err.String())
		}
		w = world{}
		w.do(string(data), nil, "explain", "-")
		bad := func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }
		if strings.ContainsFunc(w.out.String()+w.err.String(), bad) {
			t.Fatalf("%q", w.out.String())
		}
	})
}

func TestExplainReadsClockTimesAsOfTheFilesLastChange(t *testing.T) {
	line := `{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You've hit your limit · resets 3pm"}` + "\n"
	write(t, "old.jsonl", line)
	written := now().AddDate(0, 0, -3)
	if err := os.Chtimes("old.jsonl", written, written); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	code := new(world).do("", func(p *Ports) { p.Stdout = &out }, "explain", "--json", "--family", "claude", "old.jsonl")
	var got struct {
		Reset int64 `json:"reset"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || code != ExitDone {
		t.Fatal(code, err)
	}
	if want := written.Add(3 * time.Hour).Unix(); got.Reset != want {
		t.Errorf("reset %d, want %d", got.Reset, want)
	}
	var w world
	w.do("", nil, "explain", "--family", "claude", "old.jsonl")
	if want := "resets    Mon 15:00:00 UTC, 2d 21h ago (text)"; !strings.Contains(w.out.String(), want) {
		t.Errorf("no %q in\n%s", want, w.out.String())
	}
}
