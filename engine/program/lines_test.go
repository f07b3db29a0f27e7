package program

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestScan(t *testing.T) {
	tests := map[string]struct {
		text string
		want places
	}{
		"plain":         {"a = 1\n\nb = 2", places{"a": 1, "b": 3}},
		"comment":       {"# x = 1\na = 1 # b = 2\n#\nc = 3", places{"a": 2, "c": 4}},
		"dotted":        {"a.b . c = 1\na.d = 2", places{"a": 1, "a.b": 1, "a.b.c": 1, "a.d": 2}},
		"quoted":        {"\"a.b\" = 1\n'c d'.\"\\u0065\" = 2", places{`"a.b"`: 1, `"c d"`: 2, `"c d".e`: 2}},
		"table":         {"[a]\nb = 1\n[ a . c ]\nd = 1", places{"a": 1, "a.b": 2, "a.c": 3, "a.c.d": 4}},
		"tables":        {"[[t]]\na = 1\n[[t]]\na = 2", places{"t": 1, "t[0]": 1, "t[0].a": 2, "t[1]": 3, "t[1].a": 4}},
		"nested":        {"[[t]]\n[t.u]\na = 1\n[[t.v]]\nb = 2", places{"t": 1, "t[0]": 1, "t[0].u": 2, "t[0].u.a": 3, "t[0].v": 4, "t[0].v[0]": 4, "t[0].v[0].b": 5}},
		"list":          {"a = [ # one\n'x',\n\n[1,\n2],\n]\nb = 1", places{"a": 1, "a[0]": 2, "a[1]": 4, "a[1][0]": 4, "a[1][1]": 5, "b": 7}},
		"inline":        {"a = { b = 1, c.d = ['}'] }\ne = 1", places{"a": 1, "a.b": 1, "a.c": 1, "a.c.d": 1, "a.c.d[0]": 1, "e": 2}},
		"strings":       {"a = \"\\\"#\" # c\nb = 'c:\\'\nd = 1", places{"a": 1, "b": 2, "d": 3}},
		"long strings":  {"a = \"\"\"\nb = 1\n\\\"\"\"\" x\"\"\"\"\"\nc = '''\nd = 2\n''''\ne = 1", places{"a": 1, "c": 4, "e": 7}},
		"quotes at end": {"a = [\"\"\"x\"\"\"\"\",\n'''''''', '#'] # b", places{"a": 1, "a[0]": 1, "a[1]": 2, "a[2]": 2}},
		"crlf":          {"a = 1\r\n\r\n[b]\r\nc = 1\r\n", places{"a": 1, "b": 3, "b.c": 4}},
		"mark":          {"\ufeffa = 1", places{"a": 1}},
		"not toml":      {"a = [1 2\nb = }{", places{"a": 1, "a[0]": 1}},
		"empty":         {"", places{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, deep := scan(tt.text)
			if diff := cmp.Diff(tt.want, got); diff != "" || deep != 0 {
				t.Errorf("deep %d (-want +got)\n%s", deep, diff)
			}
		})
	}
}

func TestPlacesOf(t *testing.T) {
	p := places{"a": 1, "a.b": 2, "t": 3, "t[0]": 4}
	for path, want := range map[string]int{
		"a": 1, "a.b": 2, "a.b[3]": 2, "a.c": 1, "t[0].x.y": 4, "t[9]": 3, "z": 0, "": 0,
	} {
		if got := p.of(path); got != want {
			t.Errorf("of(%q) = %d, want %d", path, got, want)
		}
	}
}

// paths lists the path of everything in a decoded TOML text.
func paths(path string, v any, all map[string]bool) {
	if path != "" {
		all[path] = true
	}
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			paths(member(path, k), x, all)
		}
	case []map[string]any:
		for i, x := range v {
			paths(element(path, i), x, all)
		}
	case []any:
		for i, x := range v {
			paths(element(path, i), x, all)
		}
	}
}

// checkPlaces fails if a valid text holds something that has no place.
func checkPlaces(t interface {
	Helper()
	Errorf(string, ...any)
}, text string,
) {
	t.Helper()
	at, deep := scan(text)
	if deep > 0 {
		return
	}
	var m map[string]any
	if _, err := toml.Decode(text, &m); err != nil {
		return
	}
	all := map[string]bool{}
	paths("", m, all)
	for path := range all {
		if line := at[path]; line < 1 || line > 1+strings.Count(text, "\n") {
			t.Errorf("%s is on line %d of %q", path, line, text)
		}
	}
}

// TestScanFindsAll writes a random tree as TOML, noting where each key goes.
func TestScanFindsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		want := places{}
		line := func() int { return 1 + strings.Count(b.String(), "\n") }
		value := rapid.SampledFrom([]string{
			"1", "'#'", `"\""`, "\"\"\"\n[x]\ny = 1\n\"\"\"", "'''\n\n'''", "1979-05-27T07:32:00Z", "[]", "{}",
		})
		blank := rapid.SampledFrom([]string{"", "\n", "# c = 1\n", "  \t"})
		for i := range rapid.IntRange(0, 6).Draw(t, "tables") {
			path := element("t", i)
			if i == 0 {
				want["t"] = line()
			}
			want[path] = line()
			b.WriteString("[[t]] # '\n")
			for k := range rapid.IntRange(0, 5).Draw(t, "keys") {
				b.WriteString(blank.Draw(t, "blank"))
				key := string(rune('a' + k))
				want[member(path, key)] = line()
				b.WriteString(key + " = ")
				if rapid.Bool().Draw(t, "list") {
					b.WriteString("[")
					for e := range rapid.IntRange(1, 3).Draw(t, "elements") {
						b.WriteString("\n")
						want[element(member(path, key), e)] = line()
						b.WriteString(value.Draw(t, "value") + ",")
					}
					b.WriteString("]")
				} else {
					b.WriteString(value.Draw(t, "value"))
				}
				b.WriteString(" # \"\"\"\n")
			}
		}
		got, _ := scan(b.String())
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n(-want +got)\n%s", b.String(), diff)
		}
		checkPlaces(t, b.String())
	})
}

func FuzzScan(f *testing.F) {
	f.Add(everything)
	f.Add("a = {b = [\n{c = 1}]}\n\"x.y\".'z' = 1")
	f.Fuzz(func(t *testing.T, text string) { checkPlaces(t, text) })
}
