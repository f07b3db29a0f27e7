package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRecords(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		want []string
		torn bool
	}{
		"one":              {in: `{"a":1}`, want: []string{`{"a":1}`}},
		"glued":            {in: `{"a":1}{"b":2}`, want: []string{`{"a":1}`, `{"b":2}`}},
		"glued and torn":   {in: `{"a":1}{"b":`, want: []string{`{"a":1}`}, torn: true},
		"colours around":   {in: "\x1b[?2004h\x1b[33m {\"a\":1}\x1b[0m", want: []string{`{"a":1}`}},
		"title before":     {in: "\x1b]0;title\x07{\"a\":1}", want: []string{`{"a":1}`}},
		"words before":     {in: `[DEBUG] {"type":"result"}`},
		"words behind":     {in: `{"a":1} ok`, want: []string{`{"a":1}`}},
		"array":            {in: `[ {"a":1} , {"b":2}]`, want: []string{`{"a":1}`, `{"b":2}`}},
		"scalars":          {in: `123`},
		"open bracket":     {in: `[`},
		"escape at end":    {in: "\x1b"},
		"torn":             {in: `{"a":"b`, torn: true},
		"string of record": {in: `"{\"type\":\"result\"}"`},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			whole := Records([]byte(tc.in), func(r Raw) { got = append(got, string(r)) })
			if diff := cmp.Diff(tc.want, got); diff != "" || whole == tc.torn {
				t.Errorf("whole = %v, records (-want +got):\n%s", whole, diff)
			}
		})
	}
}

func TestSplice(t *testing.T) {
	for name, tc := range map[string]struct{ head, tail, want string }{
		"middle member":        {`{"a":1,"b":"xxx`, `x","c":{"d":[2,3]},"e":4}`, `{"a":1,"c":{"d":[2,3]},"e":4}`},
		"first member":         {`{"b":"xxx`, `x","c":1}`, `{"c":1}`},
		"last member":          {`{"a":1,"b":{"c":2,"d":"xxx`, `xx"}}`, `{"a":1}`},
		"only member":          {`{"b":"xxx`, `xx"}`, `{}`},
		"quotes in the tail":   {`{"a":1,"b":"xxx`, `,\"c\":2}\\","d":"},{"}  `, `{"a":1,"d":"},{"}`},
		"commas in the tail":   {`{"a":1,"b":"xxx`, `x, y","c":1}`, `{"a":1,"c":1}`},
		"cut between members":  {`{"a":1,"b":2`, `,"c":3}`, `{"a":1,"c":3}`},
		"commas inside a list": {`{"a":[1,2],"b":[1,2`, `3,4],"c":[5,6]}`, `{"a":[1,2],"c":[5,6]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Splice([]byte(tc.head), []byte(tc.tail))
			if !ok || string(got) != tc.want {
				t.Errorf("splice = %s, %v; want %s", got, ok, tc.want)
			}
		})
	}
	for _, bad := range [][2]string{{`text`, `{}`}, {`{"a":1`, `"b"`}, {``, ``}} {
		if got, ok := Splice([]byte(bad[0]), []byte(bad[1])); ok {
			t.Errorf("splice(%q) = %s, want none", bad, got)
		}
	}
}
