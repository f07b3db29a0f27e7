package agent

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent/corpus"
	"example.com/layover/engine/run"
)

// spoil breaks lines as crashes and several writers do: it tears them, glues them, leaves
// blocks of NUL bytes in them and takes bytes out.
func spoil(r *rand.Rand, stream []byte) []byte {
	var out []byte
	for line := range bytes.Lines(stream) {
		at := r.IntN(len(line))
		switch r.IntN(40) {
		case 0:
			out = append(out, line[:at]...)
		case 1:
			out = append(out, bytes.TrimSuffix(line, []byte("\n"))...)
		case 2:
			out = append(append(append(out, line[:at]...), 0, 0, 0), line[at:]...)
		case 3:
			out = append(append(out, line[:at]...), line[min(len(line), at+1+r.IntN(9)):]...)
		case 4:
			out = append(append(out, line[:at]...), line...)
		default:
			out = append(out, line...)
		}
	}
	return out
}

// account is all that a reader makes of a stream.
type account struct {
	verdict run.Verdict
	sights  []run.Sight // but for what is told once for all lines of a chunk
	message run.Untrusted
	damaged int
}

// accountOf feeds a reader, and lets it forget the forms that it knows before each chunk if
// that is asked for.
func accountOf(t *testing.T, dialect string, chunks [][]byte, forget bool) account {
	r, err := NewReader(dialect, atNoon())
	if err != nil {
		t.Fatal(err)
	}
	var all account
	see := func(s run.Sight) {
		if s.Message != "" {
			all.message = s.Message
		}
		if s.Doing, s.Message = "", ""; s != (run.Sight{}) {
			all.sights = append(all.sights, s)
		}
	}
	for _, c := range chunks {
		if forget {
			r.extract.Forget()
		}
		r.Feed(c, see)
	}
	all.verdict = r.End(End{}, see)
	all.damaged = r.Damaged()
	return all
}

// The reader that knows forms and reads in large chunks makes of any stream what one
// does that gets each line by itself and goes over it from value to value.
func TestReaderAgreesWithAPlainOne(t *testing.T) {
	dir, seed := t.TempDir(), rand.Uint64()
	if *corpusSeed != 0 {
		seed = *corpusSeed
	}
	if _, err := corpus.Write(dir, corpus.Options{Bytes: 6 << 20, Files: 10, Seed: seed, Limits: .03, Decoys: .05}); err != nil {
		t.Fatal(err)
	}
	damaged := 0
	eachCorpusFile(t, dir, func(path, name string) {
		stream, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, uint64(len(stream))))
		stream = spoil(r, stream)
		var lines, chunks [][]byte
		for line := range bytes.Lines(stream) {
			lines = append(lines, line)
		}
		for rest := stream; len(rest) > 0; {
			n := min(len(rest), 1+r.IntN(ReadSize))
			chunks, rest = append(chunks, rest[:n]), rest[n:]
		}
		dialect := corpus.KindOf(name)
		want, got := accountOf(t, dialect, lines, true), accountOf(t, dialect, chunks, false)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(account{})); diff != "" {
			t.Errorf("-seed %d: %s (-want +got):\n%s", seed, name, diff)
		}
		damaged += got.damaged
	})
	if damaged == 0 {
		t.Error("nothing was damaged")
	}
}
