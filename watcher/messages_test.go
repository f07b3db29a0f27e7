package watcher

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

// Whatever order files are read in, and however often they are put to sleep between, each
// message counts once, with the greatest usage that was told of it.
func TestMessagesCountOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m messages
		most := map[uint64]tokens{}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
				m = restarted(m)
			}
			told := tokens{rapid.Uint32().Draw(t, "in"), rapid.Uint32Range(0, 9).Draw(t, "out"), 0, 1}
			id := rapid.Uint64Range(0, 12).Draw(t, "id")
			m.add(rapid.Int32Range(1, 4).Draw(t, "file"), id, told)
			if was, known := most[id]; !known || told.total() > was.total() {
				most[id] = told
			}
			checkSum(t, &m, most)
		}
	})
}

// A file that is gone takes with it what it alone had told.
func TestMessagesOfAFileThatIsGone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m messages
		told := [3]map[uint64]bool{1: {}, 2: {}}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			file := rapid.Int32Range(1, 2).Draw(t, "file")
			if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
				m.drop(file)
				told[file] = map[uint64]bool{}
			} else {
				id := rapid.Uint64Range(0, 12).Draw(t, "id")
				m.add(file, id, tokens{output: uint32(id)})
				told[file][id] = true
			}
			all := map[uint64]tokens{}
			for _, ids := range told {
				for id := range ids {
					all[id] = tokens{output: uint32(id)}
				}
			}
			checkSum(t, &m, all)
		}
	})
}

func restarted(m messages) messages {
	raw, sums := m.pack()
	m = messages{}
	for file, b := range raw {
		m.sleep(file, b, sums[file])
	}
	return m
}

func checkSum(t *rapid.T, m *messages, all map[uint64]tokens) {
	var want run.Usage
	for _, x := range all {
		want.Input, want.Output, want.CacheWrite = want.Input+int64(x.input), want.Output+int64(x.output), want.CacheWrite+int64(x.written)
	}
	want.Unpriced = want.Tokens()
	if diff := cmp.Diff(want, m.sum); diff != "" {
		t.Fatal(diff)
	}
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
