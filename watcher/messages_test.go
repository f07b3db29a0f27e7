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

// A message that stands in more files than are known counts as long as the latest is there:
// one that was moved twice within a moment has had three names.
func TestMessagesOfFilesThatGoOneAfterTheOther(t *testing.T) {
	var m messages
	for file := range int32(5) {
		m.add(file+1, 7, tokens{output: 10})
	}
	for file := range int32(4) {
		if m.drop(file + 1); m.sum.Output != 10 {
			t.Errorf("without file %d they have used %d, want 10", file+1, m.sum.Output)
		}
	}
	if m.drop(5); m.sum.Output != 0 {
		t.Errorf("without any they have used %d", m.sum.Output)
	}
}

// restarted is what a later process knows that has found all files again, in any order.
func restarted(t *rapid.T, m messages) messages {
	m, sums := relaunched(&m, 1, 2, 3, 4)
	for _, file := range rapid.Permutation(slices.Sorted(maps.Keys(sums))).Draw(t, "order") {
		m.wake(file)
	}
	return m
}

// relaunched is what a later process knows before it has found a file, if these are kept.
func relaunched(m *messages, files ...int32) (messages, map[int32]run.Usage) {
	keeps, sums := map[int32]bool{}, map[int32]run.Usage{}
	for _, f := range files {
		keeps[f] = true
	}
	next := messages{asleep: sums}
	next.restore(m.kept(keeps))
	for c := range m.kept(keeps) {
		sums[c.file] = plus(sums[c.file], c.usage(), 1)
	}
	return next, sums
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
	m, _ = relaunched(&m, 1)
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

// Of many messages none is lost, and they take little more room than they need.
func TestManyMessages(t *testing.T) {
	var m messages
	const n = 50_000
	for i := range uint64(n) {
		m.add(1, i*0x9e3779b97f4a7c15, tokens{output: 1})
		m.add(2, i*0x9e3779b97f4a7c15, tokens{output: 2})
	}
	if m.sum.Output != 2*n {
		t.Errorf("they have used %d, want %d", m.sum.Output, 2*n)
	}
	had, room := 0, 0
	for _, shelf := range m.shelves {
		had, room = had+len(shelf), room+cap(shelf)
	}
	if had != n || room > n*3/2 {
		t.Errorf("%d stand in the room of %d, want %d in little more", had, room, n)
	}
}

// What an earlier process took for the messages of a file that is not there any more, or is
// only listed, counts for another one that has told of them too.
func TestMessagesOfAFileThatIsNotFound(t *testing.T) {
	for _, gone := range []bool{true, false} {
		var m messages
		m.add(1, 7, tokens{output: 10})
		m.add(2, 7, tokens{output: 10})
		m.add(1, 8, tokens{output: 100})
		m, _ = relaunched(&m, 1, 2)
		m.wake(2)
		if gone {
			m.drop(1)
		}
		m.stand()
		if m.sum.Output != 10 {
			t.Errorf("gone %t: they have used %d, want 10", gone, m.sum.Output)
		}
		m.add(3, 7, tokens{output: 11})
		m.wake(1)
		if want := int64(map[bool]int{true: 11, false: 111}[gone]); m.sum.Output != want {
			t.Errorf("gone %t: found at last they have used %d, want %d", gone, m.sum.Output, want)
		}
	}
}

// What is kept leaves out what a file told of which no reader is kept: it is read again.
func TestMessagesOfAFileThatIsNotKept(t *testing.T) {
	var m messages
	m.add(1, 7, tokens{output: 10})
	m.add(2, 7, tokens{output: 10})
	m.add(1, 8, tokens{output: 100})
	next, _ := relaunched(&m, 2)
	if m.sum.Output != 110 {
		t.Errorf("to keep them changes the sum to %d", m.sum.Output)
	}
	m = next
	m.wake(2)
	m.add(3, 8, tokens{output: 100})
	if m.sum.Output != 110 {
		t.Errorf("read again they have used %d, want 110", m.sum.Output)
	}
}
