package agent

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent/corpus"
	"example.com/layover/engine/run"
)

// The tokens of all files are those that agents have used: by what each reader sums up, and
// of those that tell of messages by what these used, each counted once.
func TestTokensOfACorpus(t *testing.T) {
	dir := t.TempDir()
	truth, err := corpus.Write(dir, corpus.Options{Bytes: 6 << 20, Files: 25, Seed: 11, Limits: .01, Decoys: .02})
	if err != nil {
		t.Fatal(err)
	}
	summed, messages := map[string]int64{}, map[string]map[uint64]run.Usage{}
	eachCorpusFile(t, dir, func(path, name string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		kind := corpus.KindOf(name)
		if messages[kind] == nil {
			messages[kind] = map[uint64]run.Usage{}
		}
		r, err := NewReader(kind, Reference{Counted: func(id uint64, u run.Usage) { messages[kind][id] = u }})
		if err != nil {
			t.Fatal(err)
		}
		for len(text) > 0 {
			n := min(len(text), 4000)
			if end := bytes.IndexByte(text[n:], '\n'); end >= 0 {
				n += end + 1
			}
			r.Feed(text[:n], nil)
			if text = text[n:]; len(text)%7 == 0 { // at some places it is put to rest
				if r, err = Resume(kind, *r.ref, r.Save()); err != nil {
					t.Fatal(err)
				}
			}
		}
		v, _ := r.Verdict()
		summed[kind] += v.Usage.Tokens()
	})
	counted := map[string]int64{corpus.Rollout: 0}
	for kind, all := range messages {
		for _, u := range all {
			counted[kind] += u.Tokens()
		}
	}
	if summed[corpus.Rollout] != truth.Tokens[corpus.Rollout] || summed[corpus.Transcript] != truth.Tokens[corpus.Transcript] {
		t.Errorf("summed %v, want %v", summed, truth.Tokens)
	}
	want := map[string]int64{corpus.Rollout: 0, corpus.Transcript: truth.Tokens[corpus.Transcript], corpus.Stream: truth.Tokens[corpus.Stream]}
	if diff := cmp.Diff(want, counted); diff != "" {
		t.Errorf("counted (-want +got):\n%s", diff)
	}
	for kind, n := range truth.Tokens {
		if n == 0 {
			t.Errorf("%s used no tokens", kind)
		}
	}
}
