package runfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

func TestDecodeTolerates(t *testing.T) {
	at := time.Date(2026, 3, 1, 22, 0, 0, 0, time.UTC)
	agent := func(a runfile.Agent) *runfile.File { return &runfile.File{Agents: []runfile.Agent{a}} }
	skipped := func(n int) *runfile.File { return &runfile.File{Skipped: n} }
	tests := map[string]struct {
		text string
		want *runfile.File
	}{
		"empty":             {`{}`, &runfile.File{}},
		"byte order mark":   {"\xef\xbb\xbf{\"run_id\":\"r\"}\n", &runfile.File{RunID: "r"}},
		"nulls":             {`{"run_id":null,"start":null,"agents":null,"turns":null,"parent_pid":null,"layover":null}`, &runfile.File{}},
		"unknown fields":    {`{"run_id":"r","schema":9,"x":{"run_id":[]}}`, &runfile.File{RunID: "r"}},
		"last of two":       {`{"run_id":"a","run_id":"b"}`, &runfile.File{RunID: "b"}},
		"other case":        {`{"RUN_ID":"a"}`, &runfile.File{}},
		"not UTF-8":         {"{\"run_id\":\"a\xff\"}", &runfile.File{RunID: "a\uFFFD"}},
		"offset":            {`{"start":"2026-03-02T00:00:00+02:00"}`, &runfile.File{Start: at}},
		"fraction":          {`{"start":"2026-03-01T22:00:00.500000+00:00"}`, &runfile.File{Start: at.Add(time.Second / 2)}},
		"no zone":           {`{"start":"2026-03-01T22:00:00.25"}`, &runfile.File{Start: at.Add(time.Second / 4)}},
		"seconds":           {`{"start":1772402400}`, &runfile.File{Start: at}},
		"float seconds":     {`{"start":1772402400.5}`, &runfile.File{Start: at.Add(time.Second / 2)}},
		"milliseconds":      {`{"start":1772402400500}`, &runfile.File{Start: at.Add(time.Second / 2)}},
		"seconds as text":   {`{"start":"1772402400"}`, &runfile.File{Start: at}},
		"no instants":       {`{"start":"soon","end":[],"layover":{"resets_at":true}}`, &runfile.File{Layover: &runfile.Layover{}, Skipped: 3}},
		"far instants":      {`{"start":"9999-12-31T23:59:59Z","end":1e400}`, skipped(2)},
		"before 1970":       {`{"start":-5,"end":"0001-01-01T00:00:00Z"}`, skipped(2)},
		"odd numbers":       {`{"parent_pid":1e400,"turns":[{"index":-1,"usage":{"prompt_tokens":1180591620717411303424,"completion_tokens":"12"}}]}`, &runfile.File{Turns: []runfile.Turn{{CompletionTokens: 12}}, Skipped: 3}},
		"float numbers":     {`{"parent_pid":12.0,"turns":[{"index":1.5}]}`, &runfile.File{ParentPID: 12, Turns: []runfile.Turn{{}}, Skipped: 1}},
		"usage of no kind":  {`{"turns":[{"index":2,"usage":7},{"index":3,"usage":null}]}`, &runfile.File{Turns: []runfile.Turn{{Index: 2}, {Index: 3}}, Skipped: 1}},
		"wrong types":       {`{"run_id":7,"error":{"code":1},"agents":{"a":1},"turns":"x","layover":[],"failure":"f"}`, &runfile.File{Failure: "f", Skipped: 5}},
		"items of no kind":  {`{"agents":[1,null,[],{"id":"a"},"b"]}`, &runfile.File{Agents: []runfile.Agent{{ID: "a"}}, Skipped: 4}},
		"command as text":   {`{"agents":[{"command":"claude -p"}]}`, agent(runfile.Agent{Command: []string{"claude -p"}})},
		"words of no kind":  {`{"agents":[{"command":["a",1,"b"]}]}`, &runfile.File{Agents: []runfile.Agent{{Command: []string{"a", "b"}}}, Skipped: 1}},
		"status of others":  {`{"agents":[{"status":"interrupted","exit_code":-9}]}`, agent(runfile.Agent{Status: "interrupted", ExitCode: new(-9)})},
		"start as float":    {`{"agents":[{"starttime":1772402400.12}]}`, agent(runfile.Agent{PIDStart: "1772402400.12"})},
		"start as text":     {`{"agents":[{"starttime":"boot:77"}]}`, agent(runfile.Agent{PIDStart: "boot:77"})},
		"start of no kind":  {`{"parent_starttime":{}}`, skipped(1)},
		"unknown words":     {`{"layover":{"version":9,"phase":"dreaming","lanes":[{"id":4,"state":"flying","target":"a:"}]}}`, &runfile.File{Layover: &runfile.Layover{Version: 9, Lanes: []runfile.Lane{{ID: 4}}}, Skipped: 3}},
		"asked to stop":     {`{"layover":{"stop":"soft","cost_usd":1.25,"unpriced_tokens":7}}`, &runfile.File{Layover: &runfile.Layover{Stop: run.StopSoft, CostUSD: 1.25, Unpriced: 7}}},
		"odd costs":         {`{"layover":{"stop":"later","cost_usd":-1,"unpriced_tokens":"x"}}`, &runfile.File{Layover: &runfile.Layover{}, Skipped: 3}},
		"cost of no kind":   {`{"layover":{"cost_usd":[]}}`, &runfile.File{Layover: &runfile.Layover{}, Skipped: 1}},
		"failure as object": {`{"error":{"message":"e"},"failure":{"kind":"provider","message":"m","retryable":true}}`, &runfile.File{Error: "e", Failure: "provider"}},
		"odd failures":      {`{"error":{"message":7},"failure":{}}`, skipped(2)},
		"control sequences": {`{"error":"\u001b]52;c;eA==\u0007"}`, &runfile.File{Error: "\x1b]52;c;eA==\a"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := runfile.Decode([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestKnown(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: false, `{"name":"x","version":"1.0"}`: false, `{"error":"x","start":"2026-03-01T22:00:00Z"}`: false,
		`{"agents":[{}],"turns":[{}],"rate_limited_families":[{}]}`: false, `{"agents":["a"],"run_id":7}`: false,
		`{"run_id":"r"}`: true, `{"agents":[{},{"id":"a"}]}`: true, `{"agents":[{"agent_type":"claude"}]}`: true,
		`{"agents":[{"status":"done"}]}`: true, `{"agents":[{"stdout_log":"l"}]}`: true, `{"layover":{}}`: true,
	} {
		f, err := runfile.Decode([]byte(text))
		if err != nil || f.Known() != want {
			t.Errorf("%s: %v, %v", text, f.Known(), err)
		}
	}
}

func TestDecodeFails(t *testing.T) {
	tests := map[string]struct {
		text      string
		notObject bool
	}{
		"nothing":  {text: ""},
		"half":     {text: `{"run_id":"r","agents":[{"id":`},
		"two":      {text: `{}{}`},
		"NULs":     {text: "\x00\x00"},
		"too deep": {text: `{"a":` + strings.Repeat("[", 1e6) + strings.Repeat("]", 1e6) + `}`},
		"list":     {text: `[{"run_id":"r"}]`, notObject: true},
		"null":     {text: `null`, notObject: true},
		"text":     {text: `"run"`, notObject: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, err := runfile.Decode([]byte(tt.text))
			if f != nil || err == nil || errors.Is(err, runfile.ErrNotObject) != tt.notObject {
				t.Errorf("got %+v, %v", f, err)
			}
		})
	}
}

// Whatever is read is written so that it reads back the same.
func FuzzDecode(f *testing.F) {
	goldens, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(goldens) == 0 {
		f.Fatalf("no golden files: %v", err)
	}
	for _, path := range goldens {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"start":1772402400.5,"parent_starttime":-0.5,"agents":[{"command":"a","exit_code":"3"}],"turns":[{"usage":[]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := runfile.Decode(data)
		if err != nil {
			return
		}
		second, err := runfile.Decode(first.JSON())
		if err != nil {
			t.Fatal(err)
		}
		if second.Skipped != 0 {
			t.Fatalf("%d values of ours cannot be read: %s", second.Skipped, first.JSON())
		}
		first.Skipped = 0
		if d := cmp.Diff(first, second, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("(-first +second):\n%s", d)
		}
	})
}

// Of a list that is far too long the last items are read, and the others are counted.
func TestTooManyItems(t *testing.T) {
	for _, n := range []int{runfile.MaxItems, runfile.MaxItems + 1, 5*runfile.MaxItems + 7} {
		f, err := runfile.Decode([]byte(`{"run_id":"r","agents":[` + strings.Repeat(`{},`, n-1) + `{"id":"last"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Agents) != runfile.MaxItems || f.Agents[len(f.Agents)-1].ID != "last" || f.Skipped != n-runfile.MaxItems {
			t.Errorf("of %d agents %d are read, and %d left out", n, len(f.Agents), f.Skipped)
		}
	}
}
