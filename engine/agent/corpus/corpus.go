// Package corpus writes files as coding agents leave them behind, for tests and
// measurements of their readers: sessions of Claude Code and Codex as they are kept on
// disk, and streams as they are printed. It says which lines tell of a limit; others
// only quote such lines, and must not be taken for them.
//
// It owns the shapes and sizes of what it writes, which are those of real ones; what they
// say is made up. The same [Options] give the same bytes. It is never part of the
// program.
package corpus

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Options say what is written.
type Options struct {
	// Bytes is about how much, over all files.
	Bytes int64
	// Files is how many files.
	Files int
	Seed  uint64
	// Limits is the share of lines that tell of a limit, Decoys that of lines that only
	// quote such a line.
	Limits, Decoys float64
	// Sessions leaves out streams as they are printed.
	Sessions bool
}

// Truth is what was written.
type Truth struct {
	Bytes, Lines, Decoys int64
	// Kinds counts the lines of each kind.
	Kinds map[string]int64
	// Tokens are what agents have used, by the kind of file: in sessions of Claude Code
	// each message counts once, and of Codex the last count.
	Tokens map[string]int64
	// Hits are the lines that tell of a limit.
	Hits []Hit
}

// Hit is a line that tells of a limit.
type Hit struct {
	// File is its path below the directory, with slashes; Line counts from one.
	File string
	Line int
	Kind string
}

// The kinds of files, as the dialects that read them are called.
const (
	Transcript = "claude-transcript"
	Stream     = "claude"
	Rollout    = "codex-rollout"
)

// KindOf is the kind of a file, by its path below the directory.
func KindOf(path string) string {
	switch {
	case strings.HasPrefix(path, "claude/"):
		return Transcript
	case strings.HasPrefix(path, "codex/"):
		return Rollout
	}
	return Stream
}

// Write writes files below a directory, which is made if it is not there.
func Write(dir string, o Options) (Truth, error) {
	master := rand.New(rand.NewPCG(o.Seed, 1))
	pool := buildPool(master, 4<<20)
	sizes, sum := make([]float64, o.Files), 0.0
	for i := range sizes {
		sizes[i] = math.Exp(master.NormFloat64())
		sum += sizes[i]
	}
	truth := Truth{Kinds: map[string]int64{}, Tokens: map[string]int64{}}
	for i := range o.Files {
		w := &writer{
			r: rand.New(rand.NewPCG(o.Seed, uint64(1000+i))), pool: pool, idx: starts(pool), o: o, truth: &truth,
			target: int64(sizes[i] / sum * float64(o.Bytes)),
		}
		w.t = time.Date(2026, 7, 27, 0, 0, 0, 0, time.UTC).Add(time.Duration(w.r.IntN(14*24*3600)) * time.Second)
		if err := w.file(dir, i); err != nil {
			return truth, fmt.Errorf("write corpus: %w", err)
		}
	}
	return truth, nil
}

// file writes one file of its number's kind.
func (w *writer) file(dir string, i int) error {
	w.session = w.uuid()
	lines := w.codex
	kind := i % 5
	if w.o.Sessions && kind == 2 {
		kind = 0
	} else if w.o.Sessions && kind == 3 {
		kind = 4
	}
	switch kind {
	case 0, 1:
		lines = w.claude
		w.path = fmt.Sprintf("claude/projects/-home-dev-src-proj%02d/%s.jsonl", i%17, w.session)
	case 2, 3:
		lines = w.stream
		w.path = fmt.Sprintf("spawn/run-%03d/iter-%02d/claude-%03d.stream.jsonl", i%20, (i/20)%10, i)
	default:
		w.path = fmt.Sprintf("codex/sessions/%s/rollout-%s-%s.jsonl", w.t.Format("2006/01/02"), w.t.Format("2006-01-02T15-04-05"), w.session)
	}
	full := filepath.Join(dir, filepath.FromSlash(w.path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	f, err := os.Create(full)
	if err != nil {
		return err
	}
	w.out = bufio.NewWriterSize(f, 1<<20)
	lines()
	if err := w.out.Flush(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// put ends a line of a kind; it is a hit if it tells of a limit.
func (w *writer) put(kind string, hit bool) {
	w.buf = append(w.buf, '\n')
	_, _ = w.out.Write(w.buf) // Flush tells of a failure
	w.off += int64(len(w.buf))
	w.truth.Bytes += int64(len(w.buf))
	w.line++
	w.buf = w.buf[:0]
	w.truth.Kinds[kind]++
	w.truth.Lines++
	if hit {
		w.truth.Hits = append(w.truth.Hits, Hit{w.path, w.line, kind})
	}
}
