package pack

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type all struct {
	Number int64
	Count  int
	Bits   uint64
	Float  float64
	Flag   bool
	Time   time.Time
	Text   string
	Word   string
	Bytes  []byte
	List   []string
}

func (a *all) visit(c *Codec) {
	Number(c, &a.Number)
	c.Count(&a.Count, 9)
	c.Bits(&a.Bits)
	c.Float(&a.Float)
	c.Flag(&a.Flag)
	c.Time(&a.Time)
	Text(c, &a.Text)
	Word(c, &a.Word)
	c.Bytes(&a.Bytes)
	List(c, &a.List, 5, Text[string])
}

func draw(t *rapid.T) all {
	a := all{
		Number: rapid.Int64().Draw(t, "number"), Count: rapid.IntRange(0, 9).Draw(t, "count"), Bits: rapid.Uint64().Draw(t, "bits"),
		Float: rapid.Float64Range(-1e300, 1e300).Draw(t, "float"), Flag: rapid.Bool().Draw(t, "flag"),
		Text: rapid.String().Draw(t, "text"), Word: rapid.String().Draw(t, "word"),
		Bytes: rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"), List: rapid.SliceOfN(rapid.String(), 0, 5).Draw(t, "list"),
	}
	if rapid.Bool().Draw(t, "dated") {
		a.Time = time.Unix(rapid.Int64Range(firstSecond+1, lastSecond).Draw(t, "second"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanosecond")).UTC()
	}
	return a
}

// What is written is read back, and nothing that is cut short.
func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := draw(t)
		saved := Write(3, nil, a.visit)
		var got all
		if err := Read(saved, 3, got.visit); err != nil {
			t.Fatal(err)
		}
		if len(a.Bytes) == 0 {
			a.Bytes, got.Bytes = nil, nil
		}
		if len(a.List) == 0 {
			a.List = nil
		}
		if diff := cmp.Diff(a, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if err := Read(saved, 4, got.visit); !errors.Is(err, ErrBroken) {
			t.Fatalf("another version: %v", err)
		}
		for n := range saved {
			if err := Read(saved[:n], 3, got.visit); !errors.Is(err, ErrBroken) {
				t.Fatalf("%d of %d bytes: %v", n, len(saved), err)
			}
		}
	})
}

func TestTextsAreKept(t *testing.T) {
	keep := func(text string) string { return strings.ReplaceAll(text, "secret", "***") }
	a := all{Text: "a secret", Word: "secret", List: []string{"secret", strings.Repeat("many words ", MaxText)}}
	var got all
	if err := Read(Write(1, keep, a.visit), 1, got.visit); err != nil {
		t.Fatal(err)
	}
	if got.Text != "a ***" || got.Word != "secret" || got.List[0] != "***" {
		t.Errorf("got %+v", got)
	}
	if n := len(got.List[1]); n > MaxText || n < MaxText-len("many words ") {
		t.Errorf("a long text has %d bytes", n)
	}
}

func TestWhatCannotBeIsRefused(t *testing.T) {
	for name, visit := range map[string]func(*Codec){
		"a number that is none": func(c *Codec) { v := math.NaN(); c.Float(&v) },
		"a count over its bound": func(c *Codec) {
			v := 10
			if !c.Reading() {
				Number(c, &v)
				return
			}
			c.Count(&v, 9)
		},
		"a count below zero":     func(c *Codec) { v := -1; c.Count(&v, 9) },
		"a list over its bound":  func(c *Codec) { v := make([]bool, 6); List(c, &v, 5, (*Codec).Flag) },
		"what the reader denies": func(c *Codec) { c.Fail() },
		"a flag of two": func(c *Codec) {
			n, v := 1, false
			if !c.Reading() {
				Number(c, &n) // written as 2
				return
			}
			c.Flag(&v)
		},
	} {
		saved := Write(1, nil, visit)
		if err := Read(saved, 1, visit); !errors.Is(err, ErrBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever is read, nothing panics, and what is read is read again as it is.
func FuzzRead(f *testing.F) {
	a := all{Number: 7, Count: 3, Text: "text", Time: time.Unix(1e9, 5), List: []string{"a", "b"}}
	saved := Write(1, nil, a.visit)
	f.Add(saved[1 : len(saved)-sumSize])
	f.Fuzz(func(t *testing.T, body []byte) {
		sealed := Seal(1, body)
		var got, again all
		if Read(sealed, 1, got.visit) != nil {
			return
		}
		if err := Read(Write(1, nil, got.visit), 1, again.visit); err != nil && len(got.Text) <= MaxText && len(got.Word) <= MaxText {
			t.Fatal(err)
		}
	})
}
