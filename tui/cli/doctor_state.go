package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

// How much room there should be for runs, and how much there must be, in bytes.
const (
	roomWanted = 4 << 30
	roomNeeded = 64 << 20
)

// remote are the filesystems on which locks and notices may not reach other machines,
// and fleeting those that are gone with the machine's next start.
var (
	remote   = []string{"nfs", "smb", "cifs", "fuse", "9p", "ceph", "afs", "virtiofs"}
	fleeting = []string{"tmpfs", "ramfs"}
)

// examineState looks at the directory that runs are kept in.
func examineState(p Ports) []finding {
	const about = "state"
	root, err := journal.Root(p.Getenv)
	if err != nil {
		return []finding{{gradeBad, about, err.Error(), "export HOME, or XDG_STATE_HOME"}}
	}
	said, dir := text.Name(run.Untrusted(root), longestPart), existing(root)
	const move = "set XDG_STATE_HOME to a directory of yours on a local disk"
	info, err := os.Lstat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		said += ", which the first run makes"
	case err != nil:
		return []finding{{gradeBad, about, cannotReach(root, err), move}}
	case info.Mode()&fs.ModeSymlink != 0, !info.IsDir():
		return []finding{{gradeBad, about, said + ": is not a directory, or a link to one", "move it away, or " + move}}
	case !mine(info):
		return []finding{{gradeBad, about, said + ": belongs to another user", move}}
	case info.Mode().Perm()&0o077 != 0:
		said += fmt.Sprintf(", mode %#o, which the next run closes to others", info.Mode().Perm())
	default:
		said += fmt.Sprintf(", mode %#o", info.Mode().Perm())
	}
	all := []finding{{gradeOK, about, said, ""}}
	if err := trial(dir); err != nil {
		all[0] = finding{gradeBad, about, fmt.Sprintf("%s: %v", said, err), move}
		return all
	}
	return append(all, examineDisk(p, dir))
}

func examineDisk(p Ports, dir string) finding {
	const about = "disk"
	d, err := p.Machine.Disk(dir)
	if err != nil {
		return finding{gradeOK, about, "files can be locked and replaced; nothing else is known of it", ""}
	}
	said := "files can be locked and replaced"
	if d.Kind != "" {
		said = text.Line(run.Untrusted(d.Kind), longestValue) + ", " + said
	}
	if d.Free >= 0 {
		said = text.Count(d.Free) + "B free, " + said
	}
	const room = "make room: agents' output is kept, up to max_output_bytes of each"
	switch {
	case d.Free >= 0 && d.Free < roomNeeded:
		return finding{gradeBad, about, said, room}
	case d.Free >= 0 && d.Free < roomWanted:
		return finding{gradeWarn, about, said, room}
	case slices.Contains(remote, d.Kind):
		return finding{gradeWarn, about, said + "; other machines may not see the locks", "set XDG_STATE_HOME to a directory on a local disk"}
	case slices.Contains(fleeting, d.Kind):
		return finding{gradeWarn, about, said + "; it is lost when the machine starts anew", "set XDG_STATE_HOME to a directory on a disk"}
	}
	return finding{gradeOK, about, said, ""}
}

func mine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}

func cannotReach(path string, err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return fmt.Sprintf("%s: %v", text.Name(run.Untrusted(path), longestPart), err)
}

// trial does in a directory what runs do there: it makes a file, saves it, locks it and
// replaces it. Nothing is left of it.
func trial(dir string) (err error) {
	made, err := os.MkdirTemp(dir, ".layover-doctor-")
	if err != nil {
		return fmt.Errorf("cannot make a directory: %w", bare(err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(made)) }()
	before, after := filepath.Join(made, "before"), filepath.Join(made, "after")
	one, err := os.OpenFile(before, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("cannot make a file: %w", bare(err))
	}
	defer func() { _ = one.Close() }()
	if _, err := one.WriteString("layover\n"); err != nil {
		return fmt.Errorf("cannot write: %w", bare(err))
	}
	if err := one.Sync(); err != nil {
		return fmt.Errorf("cannot save what was written: %w", bare(err))
	}
	if err := syscall.Flock(int(one.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("cannot lock a file: %w", err)
	}
	other, err := os.Open(before)
	if err != nil {
		return fmt.Errorf("cannot open a file: %w", bare(err))
	}
	defer func() { _ = other.Close() }()
	if err := syscall.Flock(int(other.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); !errors.Is(err, syscall.EWOULDBLOCK) {
		return errors.New("locks keep nobody out")
	}
	if err := errors.Join(os.WriteFile(after, nil, 0o600), os.Rename(before, after)); err != nil {
		return fmt.Errorf("cannot replace a file: %w", bare(err))
	}
	if got, err := os.ReadFile(after); err != nil || string(got) != "layover\n" {
		return errors.New("a file that was replaced does not hold what was written")
	}
	return nil
}

// bare is an error without the paths in it, which say nothing to anybody.
func bare(err error) error {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno
	}
	return err
}
