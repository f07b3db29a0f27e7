package watcher

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/tail"
)

// checkpoint keeps in a file what has been read, for a later watcher of the same roots. It
// is a cache: what cannot be read of it is read from the files again.
type checkpoint struct{ path string }

// saved is what is kept of a stream.
type saved struct {
	Path string
	// Number is that which it has among the messages, and Sum what those have used that count
	// as its own.
	Number int32
	Sum    run.Usage
	// Place is how far it was read, Rest what its reader goes on from.
	Place tail.Place
	Rest  []byte
}

// checkpointVersion is the layout; another one is not read.
const checkpointVersion = 2

// The file is the layout and how many messages there are, in 8 bytes each, the messages,
// each stream by gob, and the sum of all that, against what is torn: nobody else can write
// the file.
const checkpointHead = 16

// maxCheckpoint is how long a file is at most that is read: some millions of messages.
const maxCheckpoint = 512 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CheckpointName is the name of the file for a set of roots: another set has another one,
// since what counts in one does not in the other.
func CheckpointName(roots []Root) string {
	h := sha256.New()
	for _, r := range roots {
		_, _ = fmt.Fprintf(h, "%d %q\n", r.Kind, r.Path) // it never fails
	}
	return "watch-" + hex.EncodeToString(h.Sum(nil)[:8])
}

// load gives what was kept: the streams, by path, and the messages to a function.
func (c checkpoint) load(messages func(iter.Seq[counted])) map[string]saved {
	if c.path == "" {
		return nil
	}
	f, err := tail.Open(c.path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // only read from
	if f.Size() < checkpointHead+crc32.Size || f.Size() > maxCheckpoint || !whole(f) {
		return nil
	}
	in := bufio.NewReader(io.NewSectionReader(f, 0, f.Size()-crc32.Size))
	var head [checkpointHead]byte
	if _, err := io.ReadFull(in, head[:]); err != nil || binary.LittleEndian.Uint64(head[:]) != checkpointVersion {
		return nil
	}
	messages(func(yield func(counted) bool) {
		var packed [packedSize]byte
		for range binary.LittleEndian.Uint64(head[8:]) {
			if _, err := io.ReadFull(in, packed[:]); err != nil || !yield(unpack(packed[:])) {
				return
			}
		}
	})
	streams, all := gob.NewDecoder(in), map[string]saved{}
	for {
		var s saved
		if streams.Decode(&s) != nil {
			return all
		}
		all[s.Path] = s
	}
}

// whole reports whether the sum at the end of a checkpoint is that of the rest.
func whole(f *tail.Snapshot) bool {
	sum, want := crc32.New(castagnoli), make([]byte, crc32.Size)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, f.Size()-crc32.Size)); err != nil {
		return false
	}
	_, err := f.ReadAt(want, f.Size()-crc32.Size)
	return err == nil && bytes.Equal(sum.Sum(nil), want)
}

// store keeps streams and messages; nobody else may read them.
func (c checkpoint) store(messages iter.Seq[counted], streams []saved) error {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	f, err := renameio.NewPendingFile(c.path, renameio.WithStaticPermissions(0o600))
	if err != nil {
		return err
	}
	defer func() { _ = f.Cleanup() }() // nothing is left of it once it is in its place
	var n uint64
	for range messages {
		n++
	}
	sum, file := crc32.New(castagnoli), bufio.NewWriter(f)
	out := io.MultiWriter(file, sum)
	buffer := binary.LittleEndian.AppendUint64(nil, checkpointVersion)
	if _, err := out.Write(binary.LittleEndian.AppendUint64(buffer, n)); err != nil {
		return err
	}
	for m := range messages {
		buffer = pack(buffer[:0], m)
		if _, err := out.Write(buffer); err != nil {
			return err
		}
	}
	to := gob.NewEncoder(out)
	for _, s := range streams {
		if err := to.Encode(s); err != nil {
			return err
		}
	}
	if _, err := file.Write(sum.Sum(nil)); err != nil {
		return err
	}
	if err := file.Flush(); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// packedSize is how long a message is: its id, its four counts and its two files.
const packedSize = 8 + 4*4 + 2*4

func pack(b []byte, c counted) []byte {
	b = binary.LittleEndian.AppendUint64(b, c.id)
	for _, n := range [...]uint32{c.input, c.output, c.read, c.written, uint32(c.file), uint32(c.other)} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

func unpack(b []byte) counted {
	n := func(i int) uint32 { return binary.LittleEndian.Uint32(b[8+4*i:]) }
	return counted{binary.LittleEndian.Uint64(b), tokens{n(0), n(1), n(2), n(3)}, int32(n(4)), int32(n(5))}
}

// save keeps what has been read so far. A stream within a line is kept as it was before.
func (w *owner) save() {
	if !w.unsaved {
		return
	}
	w.unsaved = false
	var all []saved
	keeps := map[int32]bool{}
	for _, s := range w.sources {
		if rest, place := s.kept(); rest != nil {
			all = append(all, saved{Path: s.path, Number: s.number, Place: place, Rest: rest})
			keeps[s.number] = true
		}
	}
	for _, old := range w.restored { // of files that were not found again, or are only listed
		all = append(all, old)
		keeps[old.Number] = true
	}
	messages := w.messages.kept(keeps)
	sums := map[int32]run.Usage{}
	for m := range messages {
		sums[m.file] = plus(sums[m.file], m.usage(), 1)
	}
	for i := range all {
		all[i].Sum = sums[all[i].Number]
	}
	err := w.checkpoint.store(messages, all)
	if err != nil {
		w.say(fmt.Sprintf("what was read is not kept for the next start: %v", err))
	}
}
