package agent

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var errDisk = errors.New("disk trouble")

// flaky opens a stream whose first readings each break after so many bytes.
type flaky struct {
	data   []byte
	breaks []int
	opens  int
}

func (f *flaky) open() (io.ReadCloser, error) {
	f.opens++
	if f.opens > len(f.breaks) {
		return io.NopCloser(bytes.NewReader(f.data)), nil
	}
	part := f.data[:f.breaks[f.opens-1]]
	return io.NopCloser(io.MultiReader(bytes.NewReader(part), brokenReader{})), nil
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errDisk }

// pauses counts the pauses instead of waiting.
type pauses []time.Duration

func (p *pauses) wait(ctx context.Context, d time.Duration) error {
	*p = append(*p, d)
	return ctx.Err()
}

func TestJudgeReadsAgainAfterAnError(t *testing.T) {
	stream, err := os.ReadFile(filepath.Join(fixtures, "catalogue/claude/limit_two_windows_max_merge.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	want := Judge(t.Context(), sourceOf(stream), "claude", atNoon(), End{}, nil)
	if want.Class != run.ClassRateLimited {
		t.Fatalf("class = %v", want.Class)
	}
	for n := range len(stream) + 1 {
		f, p := flaky{data: stream, breaks: []int{n}}, pauses{}
		got := Judge(t.Context(), f.open, "claude", atNoon(), End{}, p.wait)
		if diff := cmp.Diff(want, got); diff != "" || len(p) != 1 {
			t.Fatalf("an error at byte %d, %d pauses (-want +got):\n%s", n, len(p), diff)
		}
	}
}

func TestJudgeOfAnyRecordedStreamHeals(t *testing.T) {
	var files []string
	for _, pattern := range []string{"streams/c*/*", "catalogue/c*/*"} {
		found, err := filepath.Glob(filepath.Join(fixtures, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom(files).Draw(t, "file")
		stream, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dialect := filepath.Base(filepath.Dir(path))
		f := flaky{data: stream, breaks: rapid.SliceOfN(rapid.IntRange(0, len(stream)), 1, judgeRetries).Draw(t, "breaks")}
		var p pauses
		want := Judge(context.Background(), sourceOf(stream), dialect, atNoon(), End{}, nil)
		got := Judge(context.Background(), f.open, dialect, atNoon(), End{}, p.wait)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("verdict (-want +got):\n%s", diff)
		}
	})
}

func TestJudgeGivesUp(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, tc := range map[string]struct {
		ctx   context.Context
		open  Source
		waits pauses
	}{
		"read errors": {t.Context(), (&flaky{data: []byte(claudeDone), breaks: []int{9, 9, 9, 9}}).open, pauses{100 * time.Millisecond, 400 * time.Millisecond, 1600 * time.Millisecond}},
		"open errors": {t.Context(), func() (io.ReadCloser, error) { return nil, errDisk }, pauses{100 * time.Millisecond, 400 * time.Millisecond, 1600 * time.Millisecond}},
		"stopped":     {stopped, sourceOf([]byte(claudeDone)), pauses{100 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			var p pauses
			v := Judge(tc.ctx, tc.open, "claude", Reference{File: "f"}, End{}, p.wait)
			if v.Class != run.ClassIncomplete || rulesOf(v) != RuleUnreadable || v.Evidence[0].File != "f" || v.Message == "" {
				t.Errorf("verdict = %+v, want incomplete and unreadable", v)
			}
			if diff := cmp.Diff(tc.waits, p); diff != "" {
				t.Errorf("pauses (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownDialect(t *testing.T) {
	if _, err := NewReader("cobol", Reference{}); !errors.Is(err, ErrUnknownDialect) {
		t.Errorf("err = %v, want ErrUnknownDialect", err)
	}
	var p pauses
	v := Judge(t.Context(), sourceOf(nil), "cobol", Reference{}, End{}, p.wait)
	if v.Class != run.ClassIncomplete || len(p) != 0 {
		t.Errorf("verdict = %+v after %d pauses, want incomplete at once", v, len(p))
	}
}
