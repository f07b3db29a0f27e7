package watcher

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"path/filepath"
	"time"

	"example.com/layover/engine/agent/pack"
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

// visit goes through what is kept of a stream.
func (s *saved) visit(c *pack.Codec) {
	path := []byte(s.Path)
	c.Bytes(&path)
	s.Path = string(path)
	pack.Number(c, &s.Number)
	for _, n := range []*int64{&s.Sum.Input, &s.Sum.Output, &s.Sum.CacheRead, &s.Sum.CacheWrite} {
		pack.Number(c, n)
	}
	s.Sum.Unpriced = s.Sum.Tokens()
	c.Bits(&s.Place.Device)
	c.Bits(&s.Place.Inode)
	pack.Number(c, &s.Place.Offset)
	pack.Number(c, &s.Place.Size)
	c.Time(&s.Place.Modified)
	c.Bits(&s.Place.Mark)
	c.Bytes(&s.Rest)
}

// checkpointVersion is the layout; another one is not read.
const checkpointVersion = 3

// The file is the layout and how many messages there are, in 8 bytes each, the messages,
// each stream behind its length, and the sum of all that, against what is torn: nobody else
// can write the file.
const checkpointHead = 16

// maxCheckpoint is how long a file is at most that is read: some millions of messages.
const maxCheckpoint = 512 << 20

// checkpointAge is after how long a checkpoint is removed that nobody has written anew.
const checkpointAge = 30 * 24 * time.Hour

const checkpointPrefix = "watch-"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CheckpointName is the name of the file for a set of roots: another set has another one,
// since what counts in one does not in the other.
func CheckpointName(roots []Root) string {
	h := sha256.New()
	for _, r := range roots {
		_, _ = fmt.Fprintf(h, "%d %q\n", r.Kind, r.Path) // it never fails
	}
	return checkpointPrefix + hex.EncodeToString(h.Sum(nil)[:8])
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
	in := bufio.NewReaderSize(io.NewSectionReader(f, 0, f.Size()-crc32.Size), 64<<10)
	var head [checkpointHead]byte
	if _, err := io.ReadFull(in, head[:]); err != nil || binary.LittleEndian.Uint64(head[:]) != checkpointVersion {
		return nil
	}
	messages(func(yield func(counted) bool) {
		for range binary.LittleEndian.Uint64(head[8:]) {
			packed, err := in.Peek(packedSize)
			if err != nil || !yield(messageAt(packed)) {
				return
			}
			_, _ = in.Discard(packedSize) // they are there
		}
	})
	all := map[string]saved{}
	for {
		n, err := binary.ReadUvarint(in)
		if err != nil || n > uint64(f.Size()) {
			return all
		}
		raw := make([]byte, n)
		if _, err := io.ReadFull(in, raw); err != nil {
			return all
		}
		var s saved
		if pack.Read(raw, checkpointVersion, s.visit) != nil {
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

// store keeps streams and messages; nobody else may read them. It does not wait for the
// disk: what a crash of the machine leaves of the file is told from a whole one by its sum.
func (c checkpoint) store(messages iter.Seq[counted], streams []saved) error {
	dir, name := filepath.Split(c.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, name+".*")
	if err != nil {
		return err
	}
	err = write(f, messages, streams)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), c.path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error that counts is told
	}
	return err
}

// clean removes what nobody has kept for a while: the checkpoints of other roots, and what
// was left half written.
func (c checkpoint) clean(now time.Time) {
	all, _ := filepath.Glob(filepath.Join(filepath.Dir(c.path), checkpointPrefix+"*")) // the pattern is right
	for _, path := range all {
		if info, err := os.Lstat(path); err == nil && now.Sub(info.ModTime()) > checkpointAge {
			_ = os.Remove(path) // somebody else may do the same
		}
	}
}

func write(f io.Writer, messages iter.Seq[counted], streams []saved) error {
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
		buffer = appendMessage(buffer[:0], m)
		if _, err := out.Write(buffer); err != nil {
			return err
		}
	}
	for _, s := range streams {
		raw := pack.Write(checkpointVersion, nil, s.visit)
		if _, err := out.Write(append(binary.AppendUvarint(buffer[:0], uint64(len(raw))), raw...)); err != nil {
			return err
		}
	}
	if _, err := file.Write(sum.Sum(nil)); err != nil {
		return err
	}
	return file.Flush()
}

// packedSize is how long a message is: its id, its four counts and its two files.
const packedSize = 8 + 4*4 + 2*4

func appendMessage(b []byte, c counted) []byte {
	b = binary.LittleEndian.AppendUint64(b, c.id)
	for _, n := range [...]uint32{c.input, c.output, c.read, c.written, uint32(c.file), uint32(c.other)} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

func messageAt(b []byte) counted {
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
	was := w.unkept
	w.unkept = nil
	if err := w.checkpoint.store(messages, all); err != nil {
		w.unkept = &UnkeptError{err}
	}
	w.dirty = w.dirty || (w.unkept == nil) != (was == nil) // a note tells it
	w.checkpoint.clean(w.Now())
}

// UnkeptError says that what was read could not be kept for the next start. Nothing else is
// amiss.
type UnkeptError struct{ Err error }

func (e *UnkeptError) Error() string {
	return fmt.Sprintf("what was read is not kept for the next start: %v", e.Err)
}

func (e *UnkeptError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *UnkeptError) Hint() string {
	return "the next start reads everything again; XDG_CACHE_HOME names another place"
}
