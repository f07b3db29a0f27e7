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
	"slices"

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
const checkpointVersion = 1

// The file is the sum of all that follows, how many messages there are, these, and then, by
// gob, the version and one saved after another. The sum is against what is torn: nobody
// else can write the file.
const checkpointHead = crc32.Size + 8

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

// load gives what was kept: the streams, by path, and the messages.
func (c checkpoint) load() (map[string]saved, []byte) {
	if c.path == "" {
		return nil, nil
	}
	f, err := tail.Open(c.path)
	if err != nil {
		return nil, nil
	}
	defer func() { _ = f.Close() }() // only read from
	if f.Size() > maxCheckpoint {
		return nil, nil
	}
	data := make([]byte, f.Size())
	if _, err := f.ReadAt(data, 0); err != nil || len(data) < checkpointHead {
		return nil, nil
	}
	if crc32.Checksum(data[crc32.Size:], castagnoli) != binary.LittleEndian.Uint32(data) {
		return nil, nil
	}
	rest := data[checkpointHead:]
	n := binary.LittleEndian.Uint64(data[crc32.Size:])
	if n > uint64(len(rest)) || n%packedSize != 0 {
		return nil, nil
	}
	from, version := gob.NewDecoder(bytes.NewReader(rest[n:])), 0
	if from.Decode(&version) != nil || version != checkpointVersion {
		return nil, nil
	}
	all := map[string]saved{}
	for {
		var s saved
		if from.Decode(&s) != nil {
			return all, slices.Clone(rest[:n]) // the rest of the file is let go
		}
		all[s.Path] = s
	}
}

// store keeps streams and messages; nobody else may read them.
func (c checkpoint) store(messages []byte, each iter.Seq[saved]) error {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	f, err := renameio.NewPendingFile(c.path, renameio.WithStaticPermissions(0o600))
	if err != nil {
		return err
	}
	defer func() { _ = f.Cleanup() }() // nothing is left of it once it is in its place
	sum, out := crc32.New(castagnoli), bufio.NewWriter(f)
	if _, err := out.Write(make([]byte, crc32.Size)); err != nil {
		return err
	}
	both := io.MultiWriter(out, sum)
	if _, err := both.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(messages)))); err != nil {
		return err
	}
	if _, err := both.Write(messages); err != nil {
		return err
	}
	to := gob.NewEncoder(both)
	if err := to.Encode(checkpointVersion); err != nil {
		return err
	}
	for s := range each {
		if err := to.Encode(s); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if _, err := f.WriteAt(binary.LittleEndian.AppendUint32(nil, sum.Sum32()), 0); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
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
	messages, sums := w.messages.packed(keeps)
	err := w.checkpoint.store(messages, func(yield func(saved) bool) {
		for _, s := range all {
			if s.Sum = sums[s.Number]; !yield(s) {
				return
			}
		}
	})
	if err != nil {
		w.say(fmt.Sprintf("what was read is not kept for the next start: %v", err))
	}
}
