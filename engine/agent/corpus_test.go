package agent

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent/corpus"
	"example.com/layover/engine/run"
)

var (
	corpusBytes = flag.Int64("corpus", 24<<20, "how many bytes of made-up output the corpus test reads")
	corpusSeed  = flag.Uint64("seed", 0, "the seed of that output; 0 draws one")
)

// writeCorpus writes made-up output, with more limits and decoys than real output has.
func writeCorpus(t testing.TB) (string, corpus.Truth) {
	t.Helper()
	o := corpus.Options{Bytes: *corpusBytes, Files: 60, Seed: *corpusSeed, Limits: .004, Decoys: .01}
	if o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	dir := t.TempDir()
	truth, err := corpus.Write(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("corpus: %d bytes, %d lines, %d limits, %d decoys; go test ./engine/agent -run Corpus -corpus %d -seed %d",
		truth.Bytes, truth.Lines, len(truth.Hits), truth.Decoys, *corpusBytes, o.Seed)
	return dir, truth
}

// eachCorpusFile calls do with each file, and the path by which its hits name it.
func eachCorpusFile(t testing.TB, dir string, do func(path string, name string)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			do(path, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Every line that tells of a limit is found, and no other: not one that quotes such lines.
func TestCorpus(t *testing.T) {
	dir, truth := writeCorpus(t)
	found := map[corpus.Hit]bool{}
	for _, h := range truth.Hits {
		h.Kind = ""
		found[h] = true
	}
	missed, wrong := len(truth.Hits), 0
	eachCorpusFile(t, dir, func(path, name string) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewReader(corpus.KindOf(name), Reference{})
		if err != nil {
			t.Fatal(err)
		}
		line := 0
		for text := range bytes.Lines(data) {
			line++
			limit := false
			r.Feed(text, func(s run.Sight) { limit = limit || s.Limit })
			if !limit {
				continue
			}
			if !found[corpus.Hit{File: name, Line: line}] {
				wrong++
				t.Errorf("%s:%d tells of no limit: %.300s", name, line, text)
				continue
			}
			missed--
		}
		if r.End(End{}, nil); r.Damaged() > 0 {
			t.Errorf("%s: %d lines are damaged", name, r.Damaged())
		}
	})
	if diff := cmp.Diff("0 missed, 0 wrong", fmt.Sprintf("%d missed, %d wrong", missed, wrong)); diff != "" || truth.Decoys == 0 || len(truth.Hits) < 10 {
		t.Errorf("of %d limits and %d decoys: %s", len(truth.Hits), truth.Decoys, diff)
	}
}
