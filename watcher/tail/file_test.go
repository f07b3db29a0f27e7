package tail

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func testReader(path string, sink Sink) *File { return NewFile(path, Place{}, sink, new(Buffers)) }

// look delivers all there is.
func (f *File) look(ctx context.Context) error {
	_, err := f.Look(ctx, math.MaxInt64)
	return err
}

// Whatever happens to a file between two looks: after a look the sink holds what
// the file holds, and of a file that was replaced it holds everything.
func TestLookAgreesWithTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "tail")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		path := filepath.Join(dir, "x")
		sink := newRecord()
		r := testReader(path, sink)
		defer r.Close()
		count := 0
		text := func(t *rapid.T) []byte { // never twice the same
			count++
			n := rapid.SampledFrom([]int{0, 1, 20, 20, 200, 200, 2000, 30_000}).Draw(t, "lines")
			return []byte(strings.Repeat(fmt.Sprintf("%d;", count), n))
		}
		must := func(err error) {
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		appended := func(b []byte) {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
			must(err)
			_, err = f.Write(b)
			must(err)
			must(f.Close())
		}
		t.Repeat(map[string]func(*rapid.T){
			"append":   func(t *rapid.T) { appended(text(t)) },
			"truncate": func(t *rapid.T) { must(os.Truncate(path, 0)) },
			"cut": func(t *rapid.T) {
				if info, err := os.Stat(path); err == nil {
					must(os.Truncate(path, info.Size()/2))
				}
			},
			"rewrite": func(t *rapid.T) { must(os.WriteFile(path, text(t), 0o600)) },
			"replace": func(t *rapid.T) {
				must(os.WriteFile(path+".next", text(t), 0o600))
				must(os.Rename(path+".next", path))
			},
			"replace after a last line": func(t *rapid.T) {
				want, err := os.ReadFile(path)
				if err != nil {
					return // what never was at the path when we looked is not read
				}
				must(r.look(context.Background()))
				line := text(t)
				appended(line)
				must(os.Rename(path, path+".1"))
				must(os.WriteFile(path, text(t), 0o600))
				must(r.look(context.Background()))
				all := strings.Join(sink.generations(), "\x00")
				if !strings.Contains(all, string(want)+string(line)) {
					t.Fatal("the end of a replaced file is lost")
				}
			},
			"remove": func(t *rapid.T) { must(os.Remove(path)) },
			"break":  func(t *rapid.T) { r.Close() }, // as after a read error
			"": func(t *rapid.T) {
				must(rapidLook(t, r))
				want, err := os.ReadFile(path)
				if err != nil {
					return // what is gone may have been read
				}
				if got := sink.now.String(); got != string(want) {
					t.Fatalf("have %d bytes %.40q, want %d bytes %.40q", len(got), got, len(want), want)
				}
			},
		})
	})
}

// rapidLook looks now and then only, so that changes add up.
func rapidLook(t *rapid.T, r *File) error {
	if rapid.IntRange(0, 2).Draw(t, "skip") > 0 {
		return r.look(context.Background())
	}
	return r.last()
}

func TestGrownAgainBetweenTwoLooks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	sink := newRecord()
	r := testReader(path, sink)
	defer r.Close()
	head := strings.Repeat("the same head\n", 100)
	write(t, path, head+"first\n")
	check(t, r.look(t.Context()))
	check(t, os.Truncate(path, 0))
	add(t, path, head+"other, and longer\n")
	check(t, r.look(t.Context()))
	want := []string{head + "first\n", head + "other, and longer\n"}
	if diff := cmp.Diff(want, sink.generations()); diff != "" {
		t.Error(diff)
	}
}

func TestNothingDeliveredNeedsNoRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	sink := newRecord()
	r := testReader(path, sink)
	defer r.Close()
	write(t, path, "")
	check(t, r.look(t.Context()))
	write(t, path+".next", "a")
	check(t, os.Rename(path+".next", path))
	check(t, r.look(t.Context()))
	if diff := cmp.Diff([]string{"a"}, sink.generations()); diff != "" {
		t.Error(diff)
	}
}

// meddler is a sink that does something with every chunk.
type meddler struct {
	*record
	meddle func()
}

func (m meddler) Bytes(p []byte) {
	m.meddle()
	m.record.Bytes(p)
}

func TestAReplacedFileIsReadToTheEndAlsoWhenStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	ctx, cancel := context.WithCancel(t.Context())
	sink := newRecord()
	r := testReader(path, meddler{sink, cancel}) // stopped after the first chunk
	defer r.Close()
	check(t, os.WriteFile(path, nil, 0o600))
	check(t, r.look(ctx))
	old := strings.Repeat("old", MaxChunk)
	add(t, path, old)
	write(t, path+".next", "new")
	check(t, os.Rename(path+".next", path))
	check(t, r.look(ctx))
	check(t, r.last())
	if diff := cmp.Diff([]string{old, "new"}, sink.generations()); diff != "" {
		t.Error(diff)
	}
}

func TestTheLastReadEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	write(t, path, strings.Repeat("x", MaxChunk+1))
	sink := meddler{newRecord(), func() { add(t, path, "more") }} // would never be done
	r := testReader(path, sink)
	defer r.Close()
	check(t, r.last())
	if got := sink.now.Len(); got != MaxChunk+1 {
		t.Errorf("%d bytes, want %d", got, MaxChunk+1)
	}
}

func TestAFailedReadIsDoneAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	sink := newRecord()
	r := testReader(path, sink)
	defer r.Close()
	write(t, path, "a")
	check(t, r.look(t.Context()))
	add(t, path, "b")
	check(t, r.file.Close()) // every read fails from now on
	if err := r.look(t.Context()); err == nil {
		t.Error("no error")
	}
	check(t, r.look(t.Context()))
	if diff := cmp.Diff([]string{"ab"}, sink.generations()); diff != "" {
		t.Error(diff)
	}
}

func TestLookEndsAtItsLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	sink := newRecord()
	r := testReader(path, sink)
	defer r.Close()
	write(t, path, "0123456789")
	for _, want := range []string{"0123", "01234567", "0123456789"} {
		more, err := r.Look(t.Context(), 4)
		check(t, err)
		if diff := cmp.Diff([]string{want}, sink.generations()); diff != "" || more != (len(want) < 10) {
			t.Errorf("more %v: %s", more, diff)
		}
	}
}

// What has taken the place of a file is read after the rest of it, also in slices.
func TestLimitDoesNotCutAReplacedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	sink := newRecord()
	r := testReader(path, sink)
	defer r.Close()
	write(t, path, "01")
	check(t, r.look(t.Context()))
	add(t, path, "23456789")
	write(t, path+".next", "new")
	check(t, os.Rename(path+".next", path))
	for more := true; more; {
		var err error
		more, err = r.Look(t.Context(), 3)
		check(t, err)
	}
	if diff := cmp.Diff([]string{"0123456789", "new"}, sink.generations()); diff != "" {
		t.Error(diff)
	}
	if before := r.Before(); before.Offset != 10 || before.Identity == r.Place().Identity {
		t.Errorf("before: %+v", before)
	}
}

// A closed file goes on where it was, also in another process.
func TestPlaceIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	sink := newRecord()
	r := testReader(path, sink)
	text := strings.Repeat("some text\n", 100)
	write(t, path, text)
	check(t, r.look(t.Context()))
	r.Close()
	kept, err := json.Marshal(r.Place())
	check(t, err)
	var place Place
	check(t, json.Unmarshal(kept, &place))
	info, err := os.Stat(path)
	check(t, err)
	if !place.Fits(info) {
		t.Errorf("%s does not fit", kept)
	}
	add(t, path, "new")
	if info, err = os.Stat(path); err != nil || place.Fits(info) {
		t.Errorf("%s fits: %v", kept, err)
	}
	later := newRecord()
	second := NewFile(path, place, later, new(Buffers))
	defer second.Close()
	check(t, second.look(t.Context()))
	check(t, r.look(t.Context()))
	r.Close()
	if diff := cmp.Diff([][]string{{text + "new"}, {"new"}}, [][]string{sink.generations(), later.generations()}); diff != "" {
		t.Error(diff)
	}
}
