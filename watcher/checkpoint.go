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
	// Place is how far it was read, Rest what its reader goes on from.
	Place tail.Place
	Rest  []byte
	// Messages are those that it alone told of, as messages packs them, and Sum their usage.
	Messages []byte
	Sum      run.Usage
}

// checkpointVersion is the layout; another one is not read.
const checkpointVersion = 1

// The file is the sum of all that follows, and then, by gob, the version and one saved
// after another. The sum is against what is torn: nobody else can write the file.
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

// load gives what was kept, by path.
func (c checkpoint) load() map[string]saved {
	if c.path == "" {
		return nil
	}
	f, err := tail.Open(c.path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // only read from
	data := make([]byte, f.Size())
	if _, err := f.ReadAt(data, 0); err != nil || len(data) < crc32.Size {
		return nil
	}
	body := data[crc32.Size:]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(data) {
		return nil
	}
	from, version := gob.NewDecoder(bytes.NewReader(body)), 0
	if from.Decode(&version) != nil || version != checkpointVersion {
		return nil
	}
	all := map[string]saved{}
	for {
		var s saved
		if from.Decode(&s) != nil {
			return all
		}
		all[s.Path] = s
	}
}

// store keeps streams; nobody else may read them.
func (c checkpoint) store(each iter.Seq[saved]) error {
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
	to := gob.NewEncoder(io.MultiWriter(out, sum))
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
	raw, sums := w.messages.pack()
	err := w.checkpoint.store(func(yield func(saved) bool) {
		for _, s := range w.sources {
			rest, place := s.kept()
			if rest != nil && !yield(saved{s.path, place, rest, raw[s.number], sums[s.number]}) {
				return
			}
		}
		for _, old := range w.restored { // of files that were not found again, or are only listed
			if !yield(old) {
				return
			}
		}
	})
	if err != nil {
		w.say(fmt.Sprintf("what was read is not kept for the next start: %v", err))
	}
}
