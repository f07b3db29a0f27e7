package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
)

// exportEvery is the least time between two exports that are not forced.
const exportEvery = time.Second

// Identify tells the start time of this process, in the unit that the facts use,
// for the exports from now on. Until then they do not say it.
func (j *Journal) Identify(start string) { j.start, j.exported = start, 0 }

// Export writes run.json if the state has changed since the last export and that
// is at least a second of now's clock ago; with force it always does. Readers find
// the old file or the new one, never a part, and the new one is on the disk when
// it returns. After an error the next second's call tries again.
func (j *Journal) Export(s *run.State, now time.Time, force bool) error {
	since := now.Sub(j.exportAt)
	if !force && (s.Seq == j.exported || (since >= 0 && since < exportEvery)) {
		return nil
	}
	j.exportAt, j.exported = now, 0
	data, err := runfile.Encode(s, runfile.Options{
		ParentPID: os.Getpid(), ParentStart: j.start,
		Logs: func(name string) (string, string) {
			w := workerAt(j.dir, name)
			return w.Stdout, w.Stderr
		},
	})
	if err != nil {
		return err
	}
	path := filepath.Join(j.dir, RunFile)
	if err := errors.Join(replaceFile(path, data), syncDir(j.dir)); err != nil {
		return unwritable(path, err)
	}
	j.exported = s.Seq
	return nil
}

// replaceFile writes a private file beside another, saves it and puts it in that
// one's place; a link there is replaced, not followed.
func replaceFile(path string, data []byte) (err error) {
	defer func() {
		var failed *fs.PathError
		var moved *os.LinkError
		switch { // the name of the file beside it is news each time
		case errors.As(err, &failed):
			err = &fs.PathError{Op: failed.Op, Path: path, Err: failed.Err}
		case errors.As(err, &moved):
			err = &fs.PathError{Op: moved.Op, Path: path, Err: moved.Err}
		}
	}()
	f, err := renameio.NewPendingFile(path,
		renameio.WithTempDir(filepath.Dir(path)), renameio.WithStaticPermissions(fileMode))
	if err != nil {
		return err
	}
	defer func() { _ = f.Cleanup() }()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}
