package run_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

// Every type with an apply method is a kind of fact, and is listed.
func TestBodiesListsEveryFact(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Name.Name != "apply" {
				continue
			}
			if of, ok := fn.Recv.List[0].Type.(*ast.Ident); ok {
				want = append(want, of.Name)
			}
		}
	}
	for _, b := range run.Bodies() {
		got = append(got, reflect.TypeOf(b).Name())
	}
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" || len(want) == 0 {
		t.Errorf("facts (-declared +listed):\n%s", d)
	}
}

func TestNames(t *testing.T) {
	fit := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	seen := map[string]bool{}
	for _, b := range run.Bodies() {
		if !fit.MatchString(b.Name()) || seen[b.Name()] {
			t.Errorf("%T is named %q", b, b.Name())
		}
		seen[b.Name()] = true
	}
}

// A body's fields share one object with the head of the fact, and with each other.
func TestFieldNamesDoNotCollide(t *testing.T) {
	fit := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for _, b := range run.Bodies() {
		seen := map[string]bool{"seq": true, "ts": true, "type": true, "lane": true, "more": true, "obs": true}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(b)) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" || f.Anonymous {
				continue
			}
			if !fit.MatchString(name) || seen[name] {
				t.Errorf("%s: field %s is written as %q", b.Name(), f.Name, name)
			}
			seen[name] = true
		}
	}
}

var same = cmpopts.EquateEmpty()

func TestEveryFactDecodesToItself(t *testing.T) {
	for _, b := range run.Bodies() {
		t.Run(b.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				want := anyFact(t, b)
				line, err := want.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				if bytes.ContainsRune(line, '\n') || !json.Valid(line) {
					t.Fatalf("not one line: %s", line)
				}
				var got run.Fact
				if err := json.Unmarshal(line, &got); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, got, same); d != "" || got.At.Location() != time.UTC {
					t.Fatalf("%s\n(-want +got):\n%s", line, d)
				}
			})
		})
	}
}

func TestUnknownFieldsAreIgnored(t *testing.T) {
	for _, b := range run.Bodies() {
		rapid.Check(t, func(t *rapid.T) {
			want := anyFact(t, b)
			line, err := want.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			line = append(line[:len(line)-1], `,"of_the_next_version":{"a":[1,null,"x"]}}`...)
			var got run.Fact
			if err := got.UnmarshalJSON(line); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got, same); d != "" {
				t.Fatalf("%s (-want +got):\n%s", b.Name(), d)
			}
		})
	}
}

func TestUnknownTypeGivesTheHead(t *testing.T) {
	at := time.Date(2026, 3, 1, 22, 0, 0, 5, time.UTC)
	f := run.Fact{Seq: 99, Body: run.Notice{Message: "of before"}}
	err := f.UnmarshalJSON([]byte(
		`{"seq":7,"ts":"2026-03-01T22:00:00.000000005Z","type":"of_the_next_version","lane":3,"more":true,"attempt":"x","message":4}`))
	if !errors.Is(err, run.ErrUnknownFact) || !strings.Contains(err.Error(), `"of_the_next_version"`) {
		t.Errorf("got %v", err)
	}
	if d := cmp.Diff(run.Fact{Seq: 7, At: at, Lane: 3, More: true}, f); d != "" {
		t.Errorf("head (-want +got):\n%s", d)
	}
}

func TestWrongFactsAreErrors(t *testing.T) {
	tests := map[string]string{
		"nothing":             ``,
		"half":                `{"seq":1,"type":"notice"`,
		"list":                `[]`,
		"two":                 `{"seq":1,"type":"program_paused"}{"seq":2}`,
		"negative number":     `{"seq":-1,"type":"program_paused"}`,
		"instant":             `{"seq":1,"ts":"yesterday","type":"program_paused"}`,
		"field of wrong type": `{"seq":1,"type":"notice","message":4}`,
		"unknown word":        `{"seq":1,"type":"lane_ended","lane":1,"state":"gone"}`,
		"negative length":     `{"seq":1,"type":"run_started","program":{"deadline":"-3s"}}`,
		"target":              `{"seq":1,"type":"lane_routed","lane":1,"to":"claude:"}`,
	}
	for name, line := range tests {
		t.Run(name, func(t *testing.T) {
			var f run.Fact
			if err := f.UnmarshalJSON([]byte(line)); err == nil || errors.Is(err, run.ErrUnknownFact) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func FuzzFact(f *testing.F) {
	for _, b := range run.Bodies() {
		line, err := run.Fact{Seq: 1, Lane: 2, Body: b}.MarshalJSON()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Add([]byte(`{"seq":1,"ts":"2026-03-01T22:00:00+14:00","type":"error","hint_s":1e300,"resets_at":null}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var first, second run.Fact
		if first.UnmarshalJSON(line) != nil {
			return
		}
		again, err := first.MarshalJSON()
		if err != nil {
			t.Fatalf("read, but not to be written: %v", err)
		}
		if err := second.UnmarshalJSON(again); err != nil {
			t.Fatalf("written, but not to be read: %v\n%s", err, again)
		}
		if d := cmp.Diff(first, second, same); d != "" {
			t.Fatalf("(-first +second):\n%s", d)
		}
	})
}

// anyFact draws a fact with a body of the type of a sample.
func anyFact(t *rapid.T, sample run.Body) run.Fact {
	body := reflect.New(reflect.TypeOf(sample)).Elem()
	fill(t, body)
	return run.Fact{
		Seq:  rapid.Uint64().Draw(t, "seq"),
		At:   instant().Draw(t, "at"),
		Lane: run.LaneID(rapid.IntRange(0, 1000).Draw(t, "lane")),
		More: rapid.Bool().Draw(t, "more"),
		Body: body.Interface().(run.Body),
	}
}

// instant draws an instant that RFC 3339 can write, or none.
func instant() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.IntRange(0, 3).Draw(t, "no instant") == 0 {
			return time.Time{}
		}
		return time.Unix(rapid.Int64Range(0, 250e9).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC()
	})
}

// fill draws a value of any type that occurs in a fact.
func fill(t *rapid.T, v reflect.Value) {
	switch into := v.Addr().Interface().(type) {
	case *time.Time:
		*into = instant().Draw(t, "instant")
		return
	case *run.Duration:
		*into = run.Duration(rapid.Int64Range(int64(run.Off), math.MaxInt64).Draw(t, "length"))
		return
	case *run.Target:
		if into.Agent = rapid.StringMatching(`[a-z]{0,8}`).Draw(t, "agent"); into.Agent != "" {
			into.Model = rapid.StringMatching(`([a-z0-9.:/-]{1,12})?`).Draw(t, "model")
		}
		return
	case encoding.TextMarshaler:
		v.SetInt(int64(rapid.IntRange(0, words(v.Type())).Draw(t, v.Type().Name())))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "uint"))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "float"))
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "string"))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 3).Draw(t, "len"), 3))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 3).Draw(t, "len") {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key)
			fill(t, value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Name != "Permit" && f.Name != "Waiters" { // facts of their own
				fill(t, v.Field(i))
			}
		}
	default:
		t.Fatalf("no values of type %s", v.Type())
	}
}

// words is how many words an enum has.
func words(enum reflect.Type) int {
	for n := 1; ; n++ {
		v := reflect.New(enum).Elem()
		v.SetInt(int64(n))
		text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
		if err != nil || strings.HasPrefix(string(text), "unknown(") {
			return n - 1
		}
	}
}
