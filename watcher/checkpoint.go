package watcher

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
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

type checkpointFile struct {
	Version int
	Streams []saved
}

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
	if _, err := f.ReadAt(data, 0); err != nil || len(data) < sha256.Size {
		return nil
	}
	sum, body := data[:sha256.Size], data[sha256.Size:]
	if is := sha256.Sum256(body); !bytes.Equal(sum, is[:]) {
		return nil
	}
	var file checkpointFile
	if gob.NewDecoder(bytes.NewReader(body)).Decode(&file) != nil || file.Version != checkpointVersion {
		return nil
	}
	all := make(map[string]saved, len(file.Streams))
	for _, s := range file.Streams {
		all[s.Path] = s
	}
	return all
}

// store keeps streams; nobody else may read them.
func (c checkpoint) store(all []saved) error {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(checkpointFile{checkpointVersion, all}); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	sum := sha256.Sum256(body.Bytes())
	return renameio.WriteFile(c.path, append(sum[:], body.Bytes()...), 0o600, renameio.WithStaticPermissions(0o600))
}

// save keeps what has been read so far. A stream within a line is kept as it was before.
func (w *owner) save() {
	if !w.unsaved {
		return
	}
	w.unsaved = false
	var all []saved
	raw, sums := w.messages.pack()
	for _, s := range w.sources {
		if s.stream != nil && s.stream.Held() == 0 {
			s.rest, s.place = s.stream.Save(), s.at
		}
		if s.rest != nil {
			all = append(all, saved{s.path, s.place, s.rest, raw[s.number], sums[s.number]})
		}
	}
	for _, old := range w.restored { // of files that have not been seen again, such as those that are only listed
		all = append(all, old)
	}
	if err := w.checkpoint.store(all); err != nil {
		w.say(fmt.Sprintf("what was read is not kept for the next start: %v", err))
	}
}
