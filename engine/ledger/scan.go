package ledger

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/layover/engine/run"
)

const (
	// maxWindows bounds how many windows are read.
	maxWindows = 4096
	// racy is how old a change must be to be told from a later one by its time; no
	// file system in use keeps times that are coarser.
	racy = 3 * time.Second
)

// Stamp is what a reader has seen of a ledger. The zero value has seen nothing. It
// is never changed once it is made.
type Stamp struct {
	dir   fs.FileInfo
	files map[string]sight
	// settled is set if no change can hide behind equal times.
	settled bool
}

// sight is what was seen of one file.
type sight struct {
	info    fs.FileInfo
	settled bool
	damaged bool
	// key and account are what the file is about, mine whether that is of us, and
	// open whether there is a window in it.
	key        run.WindowKey
	account    string
	mine, open bool
	sum        [sha256.Size]byte
	clearedAt  time.Time
}

// Read gives the windows of all families, of the accounts they use now, in the
// order of their names. Damaged files are left out; the error tells of each by a
// [DamagedError], and the windows are good nevertheless.
func (l *Ledger) Read() ([]run.Window, error) {
	seen, _, err := l.Since(Stamp{})
	var all []run.Window
	for _, s := range seen {
		if !s.Cleared {
			all = append(all, s.Window)
		}
	}
	return all, err
}

// Since gives what others told since a stamp, as the core takes it, and the stamp
// to go on from: for each window that was cleared its key, with the instant of the
// clear as OpenedAt, and then, as it is now, each that was opened or changed,
// by this ledger too. What this ledger cleared is left out. A window whose file was
// removed counts as cleared, as does one of an account that is used no more; one
// whose file was damaged stays as it was, and the damage is in the error once.
//
// If nothing happened within three seconds it costs one look at the directory; if
// something did, one look at each file and a reading of those that changed.
func (l *Ledger) Since(s Stamp) ([]run.Seen, Stamp, error) {
	now := time.Now()
	dir, err := os.Lstat(l.dir)
	if err == nil && !dir.IsDir() {
		err = &fs.PathError{Op: "read", Path: l.dir, Err: errNotDir}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, s, err
	}
	if s.settled && dir != nil && same(s.dir, dir) && l.unmoved(s) {
		return nil, s, nil
	}
	names, err := list(l.dir, func(n string) bool { return strings.HasSuffix(n, windowExt) })
	var faults []error
	switch {
	case errors.Is(err, ErrTooMany):
		faults = append(faults, err)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, s, err
	}
	for n := range s.files { // a name can be missing in a list made during a rename
		names = append(names, n)
	}
	slices.Sort(names)
	next := Stamp{dir: dir, files: make(map[string]sight, len(names)), settled: dir != nil && old(dir, now)}
	var seen []run.Seen
	for _, n := range slices.Compact(names) {
		was, known := s.files[n]
		is, news, err := l.look(n, was, known, now)
		if err != nil {
			faults = append(faults, err)
		}
		seen = append(seen, news...)
		if is != nil {
			next.files[n] = *is
			next.settled = next.settled && is.settled
		}
	}
	return seen, next, errors.Join(faults...)
}

// unmoved reports whether every file is of ours just as it was.
func (l *Ledger) unmoved(s Stamp) bool {
	for x := range maps.Values(s.files) {
		if x.mine != l.mine(x) {
			return false
		}
	}
	return true
}

func (l *Ledger) mine(x sight) bool {
	return x.info != nil && !x.key.IsZero() && x.account == l.account(x.key.Family)
}

// look sees what became of one file; nil if it is gone.
func (l *Ledger) look(name string, was sight, known bool, now time.Time) (*sight, []run.Seen, error) {
	path := filepath.Join(l.dir, name)
	info, err := os.Lstat(path)
	if err == nil && known && was.settled && same(was.info, info) && was.mine == l.mine(was) {
		return &was, nil, nil
	}
	var data []byte
	var r *record
	if err == nil {
		var read fs.FileInfo
		if data, read, err = readFile(path); read != nil {
			info = read
		}
	}
	if err == nil {
		r, err = decode(strings.TrimSuffix(name, windowExt), data)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, l.gone(was), nil
	case err != nil && damage(err):
		fault := &DamagedError{Path: path, Err: err}
		again := was.damaged && same(was.info, info)
		was.info, was.settled, was.damaged = info, old(info, now), true
		if again {
			return &was, nil, nil
		}
		return &was, nil, fault
	case err != nil:
		if was.settled = false; !known {
			return nil, nil, err
		}
		return &was, nil, err
	}
	is := &sight{
		info: info, settled: old(info, now), key: r.key, account: r.account,
		open: r.Window != nil, sum: sha256.Sum256(data), clearedAt: r.ClearedAt,
	}
	is.mine = l.mine(*is)
	return is, l.compare(was, is, r), nil
}

// gone is what there is to tell of a window that is no more.
func (l *Ledger) gone(was sight) []run.Seen {
	if !was.mine || !was.open {
		return nil
	}
	return []run.Seen{{Window: run.Window{WindowKey: was.key, OpenedAt: l.now().UTC()}, Cleared: true}}
}

// compare tells what happened to a window.
func (l *Ledger) compare(was sight, is *sight, r *record) []run.Seen {
	if !is.mine {
		return l.gone(was)
	}
	var seen []run.Seen
	if r.ClearedBy != l.id {
		switch {
		case !r.ClearedAt.Equal(was.clearedAt) && !r.ClearedAt.IsZero():
			seen = []run.Seen{{Window: run.Window{WindowKey: r.key, OpenedAt: r.ClearedAt}, Cleared: true}}
		case !is.open:
			seen = l.gone(was)
		}
	}
	if is.open && (is.sum != was.sum || !was.mine) {
		seen = append(seen, run.Seen{Window: *r.Window})
	}
	return seen
}

// same reports whether a file has not been changed since; changes within [racy]
// can hide from it.
func same(a, b fs.FileInfo) bool {
	return a != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// old reports whether a file's last change lies so far back that a later one
// will have another time.
func old(info fs.FileInfo, now time.Time) bool { return now.Sub(info.ModTime()) > racy }

// list gives the names in a directory that fit.
func list(dir string, fits func(string) bool) (names []string, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	for {
		some, err := f.Readdirnames(256)
		for _, n := range some {
			if fits(n) {
				names = append(names, n)
			}
		}
		if len(names) > maxWindows {
			return names[:maxWindows], ErrTooMany
		}
		if len(some) == 0 || err != nil {
			return names, ignoreEnd(err)
		}
	}
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
