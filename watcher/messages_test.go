package watcher

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

// Whatever order files are read in, and however often they are put to sleep between, each
// message counts once, with the greatest usage that was told of it; a file that is gone
// takes with it what it alone had told.
func TestMessagesCountOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m messages
		most := map[uint64]counted{}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0: // a restart
				raw, sums := m.pack()
				m = messages{}
				for file, b := range raw {
					m.sleep(file, b, sums[file])
				}
			case 1:
				file := rapid.Int32Range(0, 3).Draw(t, "gone")
				m.drop(file)
				for id, c := range most {
					if c.file == file {
						delete(most, id)
					}
				}
			default:
				c := counted{file: rapid.Int32Range(0, 3).Draw(t, "file")}
				c.tokens = tokens{rapid.Uint32().Draw(t, "in"), rapid.Uint32Range(0, 9).Draw(t, "out"), 0, 1}
				id := rapid.Uint64Range(0, 12).Draw(t, "id")
				m.add(c.file, id, c.tokens)
				if was, known := most[id]; !known || c.total() > was.total() {
					most[id] = c
				}
			}
			var want run.Usage
			for _, c := range most {
				want.Input, want.Output, want.CacheWrite = want.Input+int64(c.input), want.Output+int64(c.output), want.CacheWrite+int64(c.written)
			}
			want.Unpriced = want.Tokens()
			if diff := cmp.Diff(want, m.sum); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// What was packed by another, or torn, costs nothing but its own count.
func TestMessagesTorn(t *testing.T) {
	var m messages
	m.sleep(1, make([]byte, 3*packedSize-1), run.Usage{Input: 5})
	m.add(1, 7, tokens{input: 2})
	if m.sum.Input != 2 {
		t.Errorf("sum is %+v", m.sum)
	}
}
