package record

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var testPaths = map[string]Field{"a": 1, "b.a": 2, "b.c": 3, "l[].a": 4, "l[].b.c": 5, "d": 6}

// extracted is what is taken of a record, by field.
func extracted(x *Extractor, text []byte) (map[Field]string, int) {
	end, ok := x.Read(text, 0)
	if !ok {
		return nil, -1
	}
	got := map[Field]string{}
	for f, v := range x.Values.Fields {
		if v != nil {
			got[Field(f)] = string(v)
		}
	}
	return got, end
}

func TestExtract(t *testing.T) {
	deep := strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000)
	long := "+" + strings.Repeat("1", 300)
	for name, tc := range map[string]struct {
		in   string
		want map[Field]string
		bad  bool
	}{
		"each kind":       {in: `{"a":"x","b":{"a":-1.5e3,"c":null},"d":true}`, want: map[Field]string{1: `"x"`, 2: "-1.5e3", 3: "null", 6: "true"}},
		"a whole value":   {in: `{"d":{"a":[1,{}]}, "a":[]}`, want: map[Field]string{6: `{"a":[1,{}]}`, 1: "[]"}},
		"other kinds":     {in: `{"b":"x","l":{"a":1}}`, want: map[Field]string{}},
		"the last counts": {in: `{"a":1,"a":"2"}`, want: map[Field]string{1: `"2"`}},
		"the last of all": {in: `{"l":[{"a":1,"b":{"c":2}},{"a":3}]}`, want: map[Field]string{4: "3"}},
		"blanks":          {in: " {\t\"a\" :\r\n 1 , \"b\" : { \"a\" : \"\" } } ", want: map[Field]string{1: "1", 2: `""`}},
		"deep":            {in: `{"x":` + deep + `,"a":1}`, want: map[Field]string{1: "1"}},
		"a long literal":  {in: `{"a":` + long + `}`, want: map[Field]string{1: long}},
		"torn":            {in: `{"a":1,"b":{"a":2`, bad: true},
		"wrong brackets":  {in: `{"a":[}]}`, bad: true},
		"no comma":        {in: `{"a":1 "b":2}`, bad: true},
		"comma at first":  {in: `{,"a":1}`, bad: true},
		"comma at last":   {in: `{"a":1,}`, bad: true},
		"no value":        {in: `{"a":}`, bad: true},
	} {
		t.Run(name, func(t *testing.T) {
			x := NewExtractor(Wants(testPaths))
			for range 2 { // the second time it may know the form
				got, end := extracted(&x, []byte(tc.in))
				if (end < 0) != tc.bad || !tc.bad && strings.TrimSpace(tc.in[end:]) != "" {
					t.Fatalf("ends at %d", end)
				}
				if diff := cmp.Diff(tc.want, got); !tc.bad && diff != "" {
					t.Errorf("values (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// record draws the text of a record, which may be broken.
func record(t *rapid.T) []byte {
	names := rapid.SampledFrom([]string{"a", "b", "c", "d", "l", "x"})
	var value func(depth int) any
	value = func(depth int) any {
		switch kind := rapid.IntRange(0, 7).Draw(t, "kind"); {
		case kind < 2 || depth == 0 && kind > 4:
			return rapid.SampledFrom([]string{"", "x", `q"`, `\`, "é\n", "null", "1"}).Draw(t, "text")
		case kind == 2:
			return rapid.SampledFrom([]float64{0, -1, 1.5, 1e300, 12345}).Draw(t, "number")
		case kind == 3:
			return rapid.Bool().Draw(t, "flag")
		case kind == 4:
			return nil
		case kind == 5:
			var list []any
			for range rapid.IntRange(0, 2).Draw(t, "elements") {
				list = append(list, value(depth-1))
			}
			return list
		}
		object := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			object[names.Draw(t, "name")] = value(depth - 1)
		}
		return object
	}
	object := map[string]any{}
	for range 3 {
		object[names.Draw(t, "name")] = value(3)
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.IntRange(0, 5).Draw(t, "break") == 0 {
		i := rapid.IntRange(0, len(text)-1).Draw(t, "where")
		text = append(text[:i:i], text[min(len(text), i+rapid.IntRange(1, 5).Draw(t, "gap")):]...)
	}
	return text
}

// Whatever forms are known: what is taken of a record is what is taken without them.
func TestKnownFormsChangeNothing(t *testing.T) {
	w := Wants(testPaths)
	rapid.Check(t, func(t *rapid.T) {
		x := NewExtractor(w)
		for range rapid.IntRange(2, 12).Draw(t, "records") {
			text := record(t)
			afresh := NewExtractor(w)
			want, wantEnd := extracted(&afresh, text)
			got, end := extracted(&x, text)
			if diff := cmp.Diff(want, got); diff != "" || end != wantEnd {
				t.Fatalf("%s\nends at %d, want %d, values (-want +got):\n%s", text, end, wantEnd, diff)
			}
		}
	})
}

func TestKnownFormsAreBounded(t *testing.T) {
	x := NewExtractor(Wants(testPaths))
	for n := range 20_000 {
		text := []byte(`{"a":1,"n` + strings.Repeat("n", n%3000) + string(rune('a'+n%26)) + `":"x"}`)
		if got, _ := extracted(&x, text); got[1] != "1" {
			t.Fatalf("%s: %v", text, got)
		}
		if x.forms.count > maxForms || x.forms.size > maxFormText {
			t.Fatalf("%d parts of %d bytes", x.forms.count, x.forms.size)
		}
	}
}

// The records that agents print have known forms by far for the most part.
func TestAKnownFormAllocatesNothing(t *testing.T) {
	stream, err := os.ReadFile("../../../testdata/streams/claude/tool.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	x := NewExtractor(Wants(map[string]Field{"type": 1, "session_id": 2, "message.id": 3, "message.content[].type": 4, "usage.output_tokens": 5}))
	known := 0
	for line := range bytes.Lines(stream) {
		x.Read(line, 0)
		if !x.plain {
			continue
		}
		known++
		if _, ok := x.forms.match(line, 0, &x.Values); !ok {
			t.Errorf("its form is not known: %.80s", line)
		}
		if n := testing.AllocsPerRun(10, func() { x.Read(line, 0) }); n != 0 {
			t.Errorf("%.0f allocations for %.80s", n, line)
		}
	}
	if known < 3 {
		t.Errorf("%d lines have a form", known)
	}
}
