package watcher

import (
	"maps"
	"slices"
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
				m = restarted(t, m)
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

// restarted is what a later process knows that has found all files again, in any order.
func restarted(t *rapid.T, m messages) messages {
	raw, sums := m.packed(map[int32]bool{1: true, 2: true, 3: true, 4: true})
	m = messages{settled: raw, asleep: sums}
	for _, file := range rapid.Permutation(slices.Sorted(maps.Keys(sums))).Draw(t, "order") {
		m.wake(file)
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

// What a file told an earlier process counts once that is found again, also if others have
// told of the same messages before.
func TestMessagesOfAFileThatIsFoundLater(t *testing.T) {
	var m messages
	m.add(1, 7, tokens{output: 10})
	m.add(1, 8, tokens{output: 100})
	raw, sums := m.packed(map[int32]bool{1: true})
	m = messages{settled: raw, asleep: sums}
	if m.sum.Output != 0 {
		t.Errorf("a file that was not found counts with %d", m.sum.Output)
	}
	m.add(2, 7, tokens{output: 10})
	m.add(2, 9, tokens{output: 1000})
	m.wake(1)
	if m.sum.Output != 1110 {
		t.Errorf("they have used %d, want 1110", m.sum.Output)
	}
	m.drop(2)
	if m.sum.Output != 110 {
		t.Errorf("without the second file they have used %d, want 110", m.sum.Output)
	}
}

// Thousands of messages are settled on the way, and none is lost by that.
func TestManyMessages(t *testing.T) {
	var m messages
	const n = 3*maxFresh + 5
	for i := range uint64(n) {
		m.add(1, i*0x9e3779b97f4a7c15, tokens{output: 1})
		m.add(2, i*0x9e3779b97f4a7c15, tokens{output: 2})
	}
	if m.sum.Output != 2*n {
		t.Errorf("they have used %d, want %d", m.sum.Output, 2*n)
	}
	if m.settle(); len(m.settled) != n*packedSize {
		t.Errorf("%d are settled", len(m.settled)/packedSize)
	}
}

// What is kept leaves out what a file told of which no reader is kept: it is read again.
func TestMessagesOfAFileThatIsNotKept(t *testing.T) {
	var m messages
	m.add(1, 7, tokens{output: 10})
	m.add(2, 7, tokens{output: 10})
	m.add(1, 8, tokens{output: 100})
	raw, sums := m.packed(map[int32]bool{2: true})
	if m.sum.Output != 110 {
		t.Errorf("to keep them changes the sum to %d", m.sum.Output)
	}
	m = messages{settled: raw, asleep: sums}
	m.wake(2)
	m.add(3, 8, tokens{output: 100})
	if m.sum.Output != 110 {
		t.Errorf("read again they have used %d, want 110", m.sum.Output)
	}
}
