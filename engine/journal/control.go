package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"

	"example.com/layover/engine/run"
)

// Control is a wish of another process, such as a key pressed in another terminal.
type Control struct {
	Verb run.Verb `json:"verb"`
	// Target is what it is about: the number of a lane, the name of a family; empty
	// for the run.
	Target string `json:"target,omitempty"`
	// From tells where it comes from; empty means "control".
	From string `json:"from,omitempty"`
}

// Wish is the wish that a command means.
func Wish(c run.Command) Control {
	w := Control{Verb: c.Verb, Target: c.Family, From: c.From}
	if c.Lane != 0 {
		w.Target = strconv.Itoa(int(c.Lane))
	}
	return w
}

// maxControl bounds a control file, in bytes.
const maxControl = 4 << 10

// ErrNotRunning is matched by the error of [Send] where nobody holds the run.
var ErrNotRunning error = &hinted{"run is not running", "if it has not ended, layover resume takes it up again"}

// Running reports whether a process holds a run; dir is the directory of the run.
func Running(dir string) bool { return errors.Is(probe(dir, filepath.Base(dir)), ErrOwned) }

// Send leaves a wish for the process that holds a run; dir is the directory of the
// run. The file is there whole or not at all. It fails with [ErrNotRunning] where
// nobody holds the run, with an [UnreadableError] where there is no run, and with an
// [UnwritableError] where the wish cannot be left.
func Send(dir string, c Control) error {
	if err := checkDir(dir); err != nil {
		return unreadable(dir, err)
	}
	err := probe(dir, filepath.Base(dir))
	switch {
	case err == nil:
		return fmt.Errorf("%w: %s", ErrNotRunning, filepath.Base(dir))
	case !errors.Is(err, ErrOwned):
		return err
	}
	if err := ours(dir); err != nil { // its owner would not obey
		return unwritable(dir, err)
	}
	if err := checkDir(filepath.Join(dir, ControlDir)); err != nil {
		return noControl(dir, err)
	}
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, ControlDir, uuid.NewString()+".json")
	if err := replaceFile(path, append(data, '\n')); err != nil {
		return unwritable(path, err)
	}
	return nil
}

// still tells whether a directory needs to be read again. The zero value is ready.
type still struct {
	at    time.Time // when it was changed last
	looks int       // how often it has been the same
}

// same reports whether nothing has changed for several looks: one may fall into the same
// tick of the file system's clock as a change after it. Each tenth look is not spared:
// that clock may be a coarse one.
func (s *still) same(at time.Time) bool {
	if !at.Equal(s.at) {
		*s = still{at: at}
		return false
	}
	s.looks++
	return s.looks > 3 && s.looks%10 != 0
}

// takenSuffix ends the hidden name of a wish that was taken and may not be obeyed yet.
const takenSuffix = ".taken"

// Controls takes the wishes that were left: each is given once. They are put aside until
// [Journal.Obeyed] is called; those of an owner that died before are given to the next.
// A file that is no wish is taken too, and is an error that names it; the others count.
// While nothing changes it costs no more than a look at the time of a directory.
func (j *Journal) Controls() ([]Control, error) {
	dir := filepath.Join(j.dir, ControlDir)
	info, err := statDir(dir)
	if err != nil {
		return nil, noControl(j.dir, err)
	}
	if j.still.same(info.ModTime()) {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, unreadable(dir, err)
	}
	var all []Control
	var errs []error
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".json") || strings.HasPrefix(e.Name(), ".") {
			continue // being written
		}
		path, aside := filepath.Join(dir, e.Name()), filepath.Join(dir, "."+e.Name()+takenSuffix)
		err := os.Rename(path, aside)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			// It could not be obeyed only once, so it is not obeyed at all.
			if moved, ok := errors.AsType[*os.LinkError](err); ok {
				err = moved.Err
			}
			errs = append(errs, unwritable(path, err))
			continue
		}
		j.taken = append(j.taken, aside)
		c, err := readControl(aside)
		if err != nil {
			errs = append(errs, fmt.Errorf("control %q: %w", e.Name(), err))
			continue
		}
		all = append(all, c)
	}
	if len(errs) > 0 {
		j.still = still{} // what is wrong is told until it is not
	}
	return all, errors.Join(errs...)
}

// Obeyed removes the wishes that were taken: what was decided on them is on the disk.
// What cannot be removed is tried again with the next call.
func (j *Journal) Obeyed() error {
	var errs []error
	j.taken = slices.DeleteFunc(j.taken, func(path string) bool {
		err := os.Remove(path)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return true
		}
		errs = append(errs, unwritable(path, err))
		return false
	})
	return errors.Join(errs...)
}

// noControl says that no wish can be left or found, and what else can be done.
func noControl(dir string, err error) error {
	path := filepath.Join(dir, ControlDir)
	if errors.Is(err, fs.ErrNotExist) {
		return &UnreadableError{path, "use the screen of the run itself, or make that directory again", err}
	}
	return unreadable(path, err)
}

// readControl reads one wish of this user.
func readControl(path string) (Control, error) {
	var c Control
	f, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return c, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return c, err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Getuid() {
		return c, errors.New("belongs to somebody else")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxControl+1))
	switch {
	case err != nil:
		return c, err
	case len(data) > maxControl:
		return c, errors.New("is too large")
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("is no wish: %w", err)
	}
	if c.Verb == 0 {
		return c, errors.New("names no verb")
	}
	return c, nil
}
