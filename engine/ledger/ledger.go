package ledger

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/layover/engine/run"
)

// WindowsDir is the name of the ledger's directory below the state directory.
const WindowsDir = "windows"

// keepAside is how many damaged files of one window are kept.
const keepAside = 8

// Ledger is the directory of shared windows. It is safe for use by several
// goroutines; every method waits for the disk.
type Ledger struct {
	dir     string
	account func(family string) string
	now     func() time.Time
	report  func(error)
	// id tells this ledger from all others; run and start say whose it is.
	id, run, start string

	mu sync.Mutex
	// held are the permits that are out, and inherited those of a parent: who
	// holds it, by the stem of the window.
	held      map[run.WindowKey]*permit
	inherited map[string]string
}

// Option changes how a ledger works.
type Option func(*Ledger)

// WithClock sets the clock by which a window is over; the default is time.Now.
func WithClock(now func() time.Time) Option { return func(l *Ledger) { l.now = now } }

// WithRun says which run this is, and when its process started, for those who ask
// who holds a permit. Both may be empty.
func WithRun(id, start string) Option { return func(l *Ledger) { l.run, l.start = id, start } }

// WithReport sets what is told of faults that no method returns: a damaged file
// that was moved away, a permit that could not be had or given back. It may be
// called from any goroutine and must not call the ledger. The default drops them.
func WithReport(f func(error)) Option { return func(l *Ledger) { l.report = f } }

// Open opens the ledger below the state directory and makes it if it is missing.
// Account gives the fingerprint of the account that a family uses now, see
// [Fingerprint]; it is asked often, must not call the
// ledger, and may be empty. Open fails if the directory
// cannot be made or is a symbolic link.
func Open(root string, account func(family string) string, opts ...Option) (*Ledger, error) {
	l := &Ledger{
		dir: filepath.Join(root, WindowsDir), account: account,
		now: time.Now, report: func(error) {}, id: rand.Text(),
		held: map[run.WindowKey]*permit{}, inherited: map[string]string{},
	}
	for _, o := range opts {
		o(l)
	}
	for _, d := range []string{root, l.dir} {
		if err := ensure(d); err != nil {
			return nil, fmt.Errorf("open ledger: %w", err)
		}
	}
	return l, nil
}

// Close gives every permit back.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all error
	for k, p := range l.held {
		delete(l.held, k)
		all = errors.Join(all, p.free())
	}
	return all
}

// path gives the path of a window's file with an ending.
func (l *Ledger) path(k run.WindowKey, ext string) string {
	return filepath.Join(l.dir, stemOf(nameOf(k, l.account(k.Family)))+ext)
}

// Merge tells the others of a window: it is joined with what they said, by
// evidence, unless all that was opened before has been cleared since. With cleared it is removed instead, unless it was opened at or after
// w.OpenedAt, the instant of the clear, where zero is now; other fields than the
// key then mean nothing.
//
// It is on the disk when Merge returns. It waits a second at most for another
// process, see [ErrBusy]. After any error the file is as it was, and the call can
// be repeated, except after [ErrInvalid]. A file that is no window of this version
// is moved to <name>.corrupt-<time> and reported.
func (l *Ledger) Merge(w run.Window, cleared bool) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("share window %q: %w", w.WindowKey, err)
		}
	}()
	r := &record{Key: nameOf(w.WindowKey, l.account(w.Family))}
	if _, _, err := keyOf(r.Key); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	base := filepath.Join(l.dir, stemOf(r.Key))
	lock, err := l.wait(base + lockExt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()

	old, damaged, err := l.load(base + windowExt)
	if err != nil {
		return err
	}
	before := ""
	if old != nil {
		r = old
		data, err := old.encode()
		if err != nil {
			return err
		}
		before = string(data)
	}
	now := l.now()
	if !cleared {
		if w.OpenedAt.Before(r.ClearedAt) && !r.ClearedAt.After(now) {
			return nil // what is said of it is out of date
		}
		r.merge(w, now)
	} else if at := orNow(w.OpenedAt, now); !r.clear(at, now, l.id) {
		if damaged == nil {
			return nil
		}
		r.ClearedAt, r.ClearedBy = at.UTC(), l.id
	}
	data, err := r.encode()
	if err != nil || string(data) == before {
		return err
	}
	return l.replace(base, data, damaged)
}

func orNow(at, now time.Time) time.Time {
	if at.IsZero() {
		return now
	}
	return at
}

// load reads a window's file: nil if there is none, and the damage if it is none.
func (l *Ledger) load(path string) (r *record, damaged, err error) {
	data, _, err := readFile(path)
	if err == nil {
		r, err = decode(strings.TrimSuffix(filepath.Base(path), windowExt), data)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil && damage(err):
		return nil, err, nil
	}
	return r, nil, err
}

// replace puts a file in place of a window's; a damaged one is kept aside. The
// caller holds its lock.
func (l *Ledger) replace(base string, data []byte, damaged error) error {
	if err := draft(base+draftExt, data); err != nil {
		return err
	}
	if damaged != nil {
		if err := l.setAside(base, damaged); err != nil {
			return errors.Join(err, os.Remove(base+draftExt))
		}
	}
	if err := os.Rename(base+draftExt, base+windowExt); err != nil {
		return errors.Join(err, os.Remove(base+draftExt))
	}
	return syncDir(l.dir)
}

// setAside moves a damaged file away under a name that is free, and forgets the
// oldest of many.
func (l *Ledger) setAside(base string, damaged error) error {
	aside := base + corruptExt + time.Now().UTC().Format("20060102T150405.000000000Z")
	if _, err := os.Lstat(aside); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("%s: %w", aside, fs.ErrExist), err)
	}
	if err := os.Rename(base+windowExt, aside); err != nil {
		return err
	}
	l.report(&DamagedError{Path: base + windowExt, Aside: aside, Err: damaged})
	names, _ := list(l.dir, func(n string) bool { return strings.HasPrefix(n, filepath.Base(base)+corruptExt) })
	slices.Sort(names)
	for _, n := range names[:max(0, len(names)-keepAside)] {
		_ = os.Remove(filepath.Join(l.dir, n))
	}
	return nil
}
