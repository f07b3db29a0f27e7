package watcher_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/watcher"
)

// pieces is a follower that hands over a file in pieces of its own choice.
type pieces [][]byte

func (p pieces) Follow(_ context.Context, _ string, sink interface {
	Bytes(p []byte)
	Restart()
},
) error {
	for _, b := range p {
		if b == nil {
			sink.Restart()
			continue
		}
		sink.Bytes(b)
	}
	return nil
}

func night(t interface{ Fatal(...any) }) []byte {
	text, err := os.ReadFile("../testdata/runs/night/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// However the file comes, the facts are those of its replay.
func TestFactsInAnyPieces(t *testing.T) {
	text := night(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, journal.EventsFile), text, 0o600); err != nil {
		t.Fatal(err)
	}
	var want []uint64
	if _, err := journal.Facts(dir, func(f run.Fact) error { want = append(want, f.Seq); return nil }); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var p pieces
		for rest := text; len(rest) > 0; {
			n := rapid.IntRange(1, min(len(rest), 3000)).Draw(t, "n")
			p = append(p, rest[:n])
			rest = rest[n:]
		}
		var got []uint64
		err := watcher.Facts(context.Background(), dir, p, func(fs []run.Fact) {
			for _, f := range fs {
				got = append(got, f.Seq)
			}
		})
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("%v %s", err, diff)
		}
	})
}

func TestFactsEnd(t *testing.T) {
	text := night(t)
	for name, tt := range map[string]struct {
		pieces pieces
		want   string
	}{
		"replaced": {pieces{text[:500], nil, text}, watcher.ErrReplaced.Error()},
		"damaged":  {pieces{[]byte("{\"seq\":1,\"type\":\n")}, "line 1: read fact: unexpected end of JSON input"},
		"foreign":  {pieces{[]byte("hello\n")}, "line 1: read fact: invalid character 'h' looking for beginning of value"},
	} {
		t.Run(name, func(t *testing.T) {
			err := watcher.Facts(t.Context(), t.TempDir(), tt.pieces, func([]run.Fact) {})
			if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
