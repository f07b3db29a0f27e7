package record

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// membersOf collects the members of an object as text.
func membersOf(in string) (map[string]string, bool) {
	got := map[string]string{}
	ok := Members(Raw(in), func(name string, v Raw) { got[name] = string(v) })
	return got, ok
}

func TestMembers(t *testing.T) {
	escapes := strings.Repeat(`\\`, 300_000) + strings.Repeat(`\"`, 300_000)
	deep := strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000)
	for name, tc := range map[string]struct {
		in   string
		want map[string]string
		bad  bool
	}{
		"empty":          {in: ` { } `, want: map[string]string{}},
		"last wins":      {in: `{"a":1,"a":2}`, want: map[string]string{"a": "2"}},
		"escaped name":   {in: `{"\u0061":"x"}`, want: map[string]string{"a": `"x"`}},
		"nested":         {in: `{"a" : {"b":[1,{}]} , "c":null}`, want: map[string]string{"a": `{"b":[1,{}]}`, "c": "null"}},
		"quote in text":  {in: `{"a":"x\\\"}","b":1}`, want: map[string]string{"a": `"x\\\"}"`, "b": "1"}},
		"deep":           {in: `{"a":` + deep + `,"b":1}`, want: map[string]string{"a": deep, "b": "1"}},
		"escapes only":   {in: `{"a":"` + escapes + `"}`, want: map[string]string{"a": `"` + escapes + `"`}},
		"not UTF-8":      {in: "{\"a\":\"\xff\"}", want: map[string]string{"a": "\"\xff\""}},
		"torn":           {in: `{"a":1,"b":"x`, bad: true},
		"wrong brackets": {in: `{"a":[}]}`, bad: true},
		"no object":      {in: `[1]`, bad: true},
		"no colon":       {in: `{"a" 1}`, bad: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := membersOf(tc.in)
			if ok == tc.bad {
				t.Fatalf("ok = %v", ok)
			}
			if diff := cmp.Diff(tc.want, got); !tc.bad && diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	for in, want := range map[string]int64{
		"12": 12, "12.9": 12, `"12"`: 12, "1e3": 1000, "-5": 0, "1e400": 0, "1180591620717411303424": 0, "null": 0, `"x"`: 0, "{}": 0, "": 0,
	} {
		if got := Raw(in).Count(); got != want {
			t.Errorf("count(%s) = %d, want %d", in, got, want)
		}
	}
}

func TestTextOfBadStrings(t *testing.T) {
	for in, want := range map[string]string{
		"\"a\xffb\"": "a\ufffdb", `"\ud800"`: "\ufffd", "\"a\x1bb\"": "a\x1bb", `12`: "", `"é\n"`: "é\n",
	} {
		if got := Raw(in).Text(); got != want {
			t.Errorf("text(%q) = %q, want %q", in, got, want)
		}
	}
}

// jsonValue draws any JSON value.
func jsonValue() *rapid.Generator[any] {
	return rapid.Deferred(func() *rapid.Generator[any] {
		leaf := rapid.OneOf(rapid.Just(any(nil)), rapid.Bool().AsAny(), rapid.Float64().AsAny(), rapid.String().AsAny(), rapid.SampledFrom([]any{`"`, `\`, `}{`}))
		return rapid.OneOf(leaf, leaf, rapid.SliceOfN(jsonValue(), 0, 3).AsAny(), rapid.MapOfN(rapid.String(), jsonValue(), 0, 3).AsAny())
	})
}

func TestMembersAgreeWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(rapid.MapOfN(rapid.String(), jsonValue(), 0, 4).Draw(t, "object"))
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		got, ok := membersOf(string(text))
		if !ok || len(got) != len(want) {
			t.Fatalf("members of %s = %v, %v", text, got, ok)
		}
		for name, value := range want {
			if got[name] != string(value) {
				t.Fatalf("member %q = %s, want %s", name, got[name], value)
			}
		}
		cutAt := rapid.IntRange(0, len(text)-1).Draw(t, "cut")
		if _, ok := membersOf(string(text[:cutAt])); ok {
			t.Fatalf("a torn object is taken as whole: %s", text[:cutAt])
		}
	})
}
