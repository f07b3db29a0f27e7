package runfile

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is split is what encoding/json splits.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, `{"a":1}`, ` { "a" : [ 1 , { "b" : "}]\\\"," } ] , "a\u0062\\" : null } `, `[[],{},"",0,-1.5e3,true,false,null]`,
		`{"a":"\\","a":"\\\\\"","":{}}`, `"x"`, `7`, `[1,[2,[3]],"\\"]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var whole json.RawMessage
		if json.Unmarshal(text, &whole) != nil {
			return
		}
		var object map[string]json.RawMessage
		is := json.Unmarshal(whole, &object) == nil && object != nil
		got, ok := members(whole)
		for name := range got {
			if _, there := object[name]; !there {
				return // a name that is not UTF-8, and is none that is read
			}
		}
		if d := cmp.Diff(object, got); ok != is || d != "" {
			t.Fatalf("members of %s: %v (-want +got):\n%s", whole, ok, d)
		}
		var list []json.RawMessage
		is = json.Unmarshal(whole, &list) == nil && list != nil
		items, _, ok := elements(whole)
		if ok != is || len(items) != len(list) || len(list) > 0 && !cmp.Equal(list, items) {
			t.Fatalf("elements of %s: %v, %q", whole, ok, items)
		}
	})
}
