package program

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// reader collects the faults of one program.
type reader struct {
	opts   Options
	file   string
	places places
	faults Faults
	// known holds the keys that are read, by the shape of their table.
	known map[string][]string
	// unknown are the keys that nothing read.
	unknown []stray
}

// stray is a key that no reader asked for.
type stray struct{ shape, path, key string }

// fault notes a fault at the place of a path; what is missing altogether is
// missing from the first line.
func (r *reader) fault(path, message, hint string) {
	f := Fault{File: r.file, Key: path, Message: short(message), Hint: hint}
	if r.file != "" {
		f.Line = max(r.places.of(path), 1)
	}
	r.faults = append(r.faults, f)
}

// table is one table of the file that is being read. Reading a key that is not
// there gives ok == false and no fault; reading one that is wrong gives both.
type table struct {
	r    *reader
	path string
	// shape names the table to people, such as "[retry]"; empty for the top.
	shape string
	m     map[string]any
}

func (t table) fault(key, message, hint string) { t.r.fault(member(t.path, key), message, hint) }

// raw gives a value and makes its key a known one.
func (t table) raw(key string) (any, bool) {
	if !slices.Contains(t.r.known[t.shape], key) {
		t.r.known[t.shape] = append(t.r.known[t.shape], key)
	}
	v, ok := t.m[key]
	return v, ok
}

// close notes the keys of the table that nothing read.
func (t table) close() {
	for key := range t.m {
		if !slices.Contains(t.r.known[t.shape], key) {
			t.r.unknown = append(t.r.unknown, stray{t.shape, member(t.path, key), key})
		}
	}
}

// tables opens every table of a list; a single one is read too, so that what is wrong
// within is listed with the rest. It gives false if it has complained.
func (t table) tables(key, shape string) (list []table, ok bool) {
	v, ok := t.raw(key)
	if !ok {
		return nil, true
	}
	at := member(t.path, key)
	open := func(path string, m map[string]any) table { return table{t.r, path, shape, m} }
	switch v := v.(type) {
	case map[string]any:
		t.fault(key, key+" must be a list of tables", "write "+shape+" instead of "+shape[1:len(shape)-1])
		return []table{open(at, v)}, false
	case []map[string]any:
		for i, m := range v {
			list = append(list, open(element(at, i), m))
		}
	case []any:
		for i, x := range v {
			if m, isTable := x.(map[string]any); isTable {
				list = append(list, open(element(at, i), m))
			} else {
				t.r.fault(element(at, i), key+" must be a list of tables, but holds "+typeName(x), "write "+shape+" above its keys")
				ok = false
			}
		}
	default:
		t.wrongType(key, "a list of tables", v, "write "+shape+" above its keys")
		ok = false
	}
	return list, ok
}

// strays turns the keys that nothing read into faults. It is called last, when
// all known keys are known.
func (r *reader) strays() {
	for _, s := range r.unknown {
		hint := meant(s.key, r.known[s.shape])
		for _, shape := range slices.Sorted(maps.Keys(r.known)) {
			if slices.Contains(r.known[shape], s.key) {
				hint = "it belongs in " + shape
				if shape == "" {
					hint = "it belongs at the top, before the first [table]"
				}
				break
			}
		}
		r.fault(s.path, fmt.Sprintf("unknown key %q", s.key), hint)
	}
}

// wrongType notes a value of another type than a key takes.
func (t table) wrongType(key, want string, v any, hint string) {
	t.fault(key, fmt.Sprintf("%s must be %s, not %s", key, want, typeName(v)), hint)
}

// typeName words the type of a TOML value.
func typeName(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "a list of tables"
	}
	return "a date or time"
}

// either joins words for people: "a", "b" or "c".
func either(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	last := len(quoted) - 1
	if last < 1 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
