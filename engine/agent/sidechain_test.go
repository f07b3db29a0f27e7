package agent

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

// Records of sidechains count in what a session has used, and say nothing else of it. In a
// file that has no others they are those of the agent itself.
func TestSidechains(t *testing.T) {
	record := func(side, kind, rest string) string {
		return `{"isSidechain":` + side + `,"type":"` + kind + `","cwd":"/w","sessionId":"s",` + rest + `}`
	}
	say := func(side, id, stop string) string {
		return record(side, "assistant", `"message":{"id":"`+id+`","model":"m-`+side+`","stop_reason":`+stop+`,"usage":{"output_tokens":2},"content":[{"type":"text","text":"said by `+id+`"}]}`)
	}
	ask, askBelow := record("false", "user", `"message":{"content":"x"}`), record("true", "user", `"message":{"content":"x"}`)
	refused := record("true", "assistant", `"isApiErrorMessage":true,"error":"rate_limit","message":{"model":"<synthetic>","content":[{"type":"text","text":"limit reached"}]}`)
	used := func(n int64) run.Usage { return run.Usage{Output: n, Unpriced: n} }
	for name, tc := range map[string]struct {
		stream []string
		want   []run.Sight
		class  run.Class
	}{
		"below a main thread": {
			[]string{ask, say("true", "a", `"end_turn"`), refused},
			[]run.Sight{{Session: "s", Dir: "/w"}, {Usage: used(2)}},
			0,
		},
		"beside a turn that is over": {
			[]string{ask, say("false", "a", `"end_turn"`), say("true", "b", `null`), say("true", "b", `null`)},
			[]run.Sight{
				{Session: "s", Dir: "/w"},
				{Served: "text", Model: "m-false", Usage: used(2), Steps: 1, Terminal: true},
				{Usage: used(4)},
				{Message: "said by a"},
			},
			run.ClassSuccess,
		},
		"alone": {
			[]string{askBelow, say("true", "a", `"end_turn"`)},
			[]run.Sight{
				{Session: "s", Dir: "/w"},
				{Served: "text", Model: "m-true", Usage: used(2), Steps: 1, Terminal: true},
				{Message: "said by a"},
			},
			run.ClassSuccess,
		},
		"alone, at a limit": {
			[]string{askBelow, refused},
			[]run.Sight{{Session: "s", Dir: "/w"}, {Limit: true, Suspect: "a call was rejected", Terminal: true}},
			run.ClassRateLimited,
		},
		"before a main thread": {
			[]string{say("true", "a", `"end_turn"`), ask},
			[]run.Sight{{Session: "s", Dir: "/w", Served: "text", Model: "m-true", Usage: used(2), Steps: 1, Terminal: true}, {Message: "said by a"}},
			0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := NewReader(dialectClaudeTranscript, atNoon())
			if err != nil {
				t.Fatal(err)
			}
			var got []run.Sight
			r.Feed([]byte(lines(tc.stream...)+"\n"), func(s run.Sight) { got = append(got, s) })
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("sights (-want +got):\n%s", diff)
			}
			if v, over := r.Verdict(); v.Class != tc.class || over != (tc.class != 0) {
				t.Errorf("verdict %+v, over %v, want %v", v, over, tc.class)
			}
		})
	}
}

// The directory of work is told when it is another.
func TestDirectories(t *testing.T) {
	for dialect, head := range map[string][2]string{
		DialectClaude:           {`{"type":"system","subtype":"init","cwd":`, `}`},
		dialectClaudeTranscript: {`{"type":"user","cwd":`, `}`},
		dialectCodexRollout:     {`{"type":"turn_context","payload":{"cwd":`, `}}`},
	} {
		var got []run.Untrusted
		r, err := NewReader(dialect, Reference{})
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{`"/a"`, `"/a"`, `"C:\\b"`, `"C:\\b"`, `""`, `7`, `"/a"`} {
			r.Feed([]byte(head[0]+dir+head[1]+"\n"), func(s run.Sight) { got = append(got, s.Dir) })
			if r, err = Resume(dialect, Reference{}, r.Save()); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]run.Untrusted{"/a", `C:\b`, "/a"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", dialect, diff)
		}
	}
}

// A verdict is asked for while the stream goes on: it counts until work goes on.
func TestVerdictByNow(t *testing.T) {
	said := `{"type":"assistant","message":{"id":"a","model":"opus","usage":{"output_tokens":1},"content":[{"type":"text","text":"x"}]}}`
	done := `{"type":"result","subtype":"success","is_error":false,"result":"x"}`
	limited := `{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You've hit your limit · resets 3pm (UTC)"}`
	initial := `{"type":"system","subtype":"init","session_id":"s","model":"opus"}`
	allowed := `{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","rateLimitType":"five_hour"}}`
	for name, tc := range map[string]struct {
		dialect string
		stream  []string
		class   run.Class
	}{
		"nothing":              {DialectClaude, nil, 0},
		"at work":              {DialectClaude, []string{initial, said}, 0},
		"done":                 {DialectClaude, []string{initial, said, done}, run.ClassSuccess},
		"done, then an event":  {DialectClaude, []string{initial, said, done, allowed}, run.ClassSuccess},
		"a further cycle":      {DialectClaude, []string{initial, said, done, initial}, 0},
		"on after a limit":     {DialectClaude, []string{initial, said, limited, said}, 0},
		"limited":              {DialectClaude, []string{initial, said, limited}, run.ClassRateLimited},
		"a turn of codex":      {DialectCodex, []string{`{"type":"turn.completed","usage":{}}`}, run.ClassSuccess},
		"the next of codex":    {DialectCodex, []string{`{"type":"turn.completed","usage":{}}`, `{"type":"item.completed","item":{"type":"reasoning","text":"x"}}`}, 0},
		"words of any command": {DialectGeneric, []string{"done"}, 0},
		"words of aider":       {DialectAider, []string{"Tokens: 1k sent"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := NewReader(tc.dialect, atNoon())
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range tc.stream {
				r.Feed([]byte(line+"\n"), nil)
			}
			if v, over := r.Verdict(); v.Class != tc.class || over != (tc.class != 0) {
				t.Errorf("verdict %+v, over %v, want %v", v, over, tc.class)
			}
		})
	}
}

// A relative reset counts from when its line was read.
func TestAResetCountsFromItsLine(t *testing.T) {
	for dialect, line := range map[string]string{
		DialectCodex:  `{"type":"turn.failed","error":{"message":"You've hit your usage limit. Try again in 2 hours."}}`,
		DialectCursor: `{"type":"result","is_error":true,"result":"You've hit your usage limit. Try again in 2 hours."}`,
		DialectGrok:   `{"type":"error","message":"You've hit your usage limit. Try again in 2 hours."}`,
	} {
		ref := atNoon()
		r, err := NewReader(dialect, ref)
		if err != nil {
			t.Fatal(err)
		}
		r.Feed([]byte(line+"\n"), nil)
		r.SetNow(ref.Now.Add(hour))
		if v, _ := r.Verdict(); !v.Reset.Equal(ref.Now.Add(2 * hour)) {
			t.Errorf("%s: reset %v of %+v", dialect, v.Reset, v)
		}
	}
}
