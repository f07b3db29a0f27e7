package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/tui/text"
)

// input is an output that is being read.
type input struct {
	from io.Reader
	// written is when it was written last.
	written time.Time
	file    *os.File // nil for the standard input
	// size is how much of it there was when it was opened, in bytes. No more is read, so
	// that a file which grows faster than it is read has an end.
	size int64
	// was is what it said of its size then.
	was int64
}

// open opens an output. It never waits for somebody to write: a pipe or a device is
// refused, but for the standard input.
func (e *explainer) open(path string) (*input, error) {
	if path == "-" {
		return &input{from: e.ports.Stdin, written: e.ports.Now()}, nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // else opening a pipe waits
	if err != nil {
		return nil, cannotRead(path, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = cannotRead(path, err)
	case info.IsDir():
		err = cannotRead(path, syscall.EISDIR)
	case !info.Mode().IsRegular(), f.SetDeadline(time.Time{}) == nil: // reading from it can wait
		err = &UsageError{
			fmt.Sprintf("explain %s: is not a regular file", path), `pipe it to "-", such as: layover explain - < ` + path,
		}
	default:
		size := max(info.Size(), agent.GuessSize) // some tell no size
		return &input{from: io.LimitReader(f, size), written: info.ModTime(), file: f, size: size, was: info.Size()}, nil
	}
	_ = f.Close() // nothing was written
	return nil, err
}

func (in *input) close() {
	if in.file != nil {
		_ = in.file.Close() // nothing was written
	}
}

// changed tells what happened to a file while it was read; empty if nothing did.
func (in *input) changed() string {
	if in.file == nil {
		return ""
	}
	info, err := in.file.Stat()
	switch {
	case err != nil:
		return ""
	case info.Size() > in.size:
		return "it is still written to; this is of its first " + text.Count(in.size) + " bytes"
	case info.Size() < in.was:
		return "it was cut to " + text.Count(info.Size()) + " bytes while it was read; what is told may be of a part of it"
	case info.ModTime().Equal(in.written):
		return ""
	}
	return "it was written to while it was read; what is told may be of a part of it"
}

// cannotRead words why a file could not be read.
func cannotRead(path string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err // the path stands in front already
	}
	return &UsageError{fmt.Sprintf("explain %s: %v", path, err), "check the path and who may read it"}
}
