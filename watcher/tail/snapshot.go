package tail

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// Snapshot is a regular file as long as it was when it was opened.
type Snapshot struct {
	*io.SectionReader
	// Modified is when it had been written to last.
	Modified time.Time
	file     *os.File
}

// Open opens what a file holds now. It never waits, follows no link at its end, and
// takes nothing but a regular file: its error matches [ErrNotRegular] otherwise, and
// fs.ErrNotExist where there is none. What is written later is not read.
func Open(path string) (*Snapshot, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENXIO) {
		return nil, fmt.Errorf("%w: %w", ErrNotRegular, err)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &Snapshot{io.NewSectionReader(f, 0, info.Size()), info.ModTime(), f}, nil
}

// Close closes the file.
func (s *Snapshot) Close() error { return s.file.Close() }

var _ io.ReadSeekCloser = (*Snapshot)(nil)
