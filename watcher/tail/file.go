package tail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"sync"
	"syscall"
)

// ErrNotRegular is matched by the error of Follow when there is a directory, a
// pipe, a device, a socket or a loop of links where a file should be.
var ErrNotRegular = errors.New("not a regular file")

// Buffers are what files are read into, shared by any number of them. The zero value
// can be used. It must not be copied.
type Buffers struct{ pool sync.Pool }

type buffer = [markSize + MaxChunk]byte

func (b *Buffers) get() *buffer {
	if buf, ok := b.pool.Get().(*buffer); ok {
		return buf
	}
	return new(buffer)
}

// File reads one file when it is told to, across its replacements. It has no goroutine,
// holds no buffer, and is used by one goroutine at a time. What it reads next is known
// by identity and by the bytes before it, so it may be closed between two looks; only
// what is written just before a file is replaced or removed is lost then.
type File struct {
	path    string
	sink    Sink
	buffers *Buffers

	file   *os.File // nil while it is closed or missing
	place  Place    // Identity is zero before the first
	before Place    // reached in the file before this one
}

// NewFile makes a reader of the file at path that goes on at from, which is the zero
// value for all of it. If the file is another by then, or was truncated, the sink is
// told so and all of it is read. Nothing is opened yet.
func NewFile(path string, from Place, sink Sink, buffers *Buffers) *File {
	if from.Offset <= 0 {
		from = Place{Identity: from.Identity, Mark: sum(nil)}
	}
	return &File{path: path, sink: sink, buffers: buffers, place: from}
}

// Place tells how far the file has been read.
func (f *File) Place() Place { return f.place }

// Before tells how far the file was read that was at the path before this one; zero if
// there was none.
func (f *File) Before() Place { return f.before }

// Opened reports whether the file is held open.
func (f *File) Opened() bool { return f.file != nil }

// Close closes the file until the next look, and may be called any number of times.
func (f *File) Close() {
	if f.file != nil {
		_ = f.file.Close() // only read from
		f.file = nil
	}
}

// Look delivers what is new, at most limit bytes, and leaves the file open; more says
// that it ended for the limit or for ctx. Where there is no file, there is nothing new.
// After an error the next look opens the file anew.
func (f *File) Look(ctx context.Context, limit int64) (more bool, err error) {
	return f.pass(ctx, math.MaxInt, &limit, func() (int64, error) { return math.MaxInt64, nil })
}

// last delivers what is new up to the size that the file has now, and up to that
// of one that has taken its place, so that it ends however fast files grow.
func (f *File) last() error {
	limit := int64(math.MaxInt64)
	_, err := f.pass(context.Background(), 2, &limit, func() (int64, error) {
		info, err := f.file.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	})
	return err
}

// pass reads the file to its end, then whatever has taken its place, and so on for a
// number of files and bytes.
func (f *File) pass(ctx context.Context, files int, limit *int64, end func() (int64, error)) (more bool, err error) {
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	for range files {
		next := false
		if f.file == nil {
			if missing, err := f.open(); missing || err != nil {
				return false, err
			}
		} else if next, err = f.successor(); err != nil {
			return false, err
		}
		// Whoever replaced the file wrote to it before, so it is read to the end
		// only now.
		to, err := end()
		if err != nil {
			return false, err
		}
		if err := f.drain(ctx, to, limit); err != nil {
			return false, err
		}
		if more := *limit <= 0 || ctx.Err() != nil; more || !next {
			return more, nil
		}
		f.Close()
	}
	return false, nil
}

// open opens the file without ever waiting, and begins anew if it is another than
// the one read before.
func (f *File) open() (missing bool, err error) {
	file, err := os.OpenFile(f.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return true, nil
	case errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENXIO):
		return false, fmt.Errorf("%w: %w", ErrNotRegular, err)
	case err != nil:
		return false, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		_ = file.Close()
		return false, err
	}
	if id := IdentityOf(info); f.place.Identity != id {
		f.before = f.place
		f.restart()
		f.place.Identity = id
	}
	f.file = file
	f.seen(info)
	return false, nil
}

// successor reports whether another file is at the path by now. A path where there
// is nothing has none: the open file is read on.
func (f *File) successor() (bool, error) {
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return false, nil
	case err != nil:
		return false, err
	case IdentityOf(info) != f.place.Identity:
		return true, nil
	}
	f.seen(info)
	return false, nil
}

// seen takes down what the file looks like before it is read.
func (f *File) seen(info fs.FileInfo) {
	f.place.Size, f.place.Modified = info.Size(), info.ModTime()
}

// drain delivers the open file up to end, and no more than limit.
func (f *File) drain(ctx context.Context, end int64, limit *int64) error {
	buf := f.buffers.get()
	defer f.buffers.pool.Put(buf)
	for ctx.Err() == nil && *limit > 0 {
		// The mark and what follows it come from one read, so what follows belongs
		// to the file that was read before, whatever happens to it meanwhile.
		marked := f.place.marked()
		room := max(0, min(MaxChunk, end-f.place.Offset, *limit))
		n, err := f.file.ReadAt(buf[:marked+int(room)], f.place.Offset-int64(marked))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n < marked || sum(buf[:marked]) != f.place.Mark {
			f.restart()
			continue
		}
		if n == marked {
			return nil
		}
		chunk := buf[marked:n]
		f.place.Offset += int64(len(chunk))
		f.place.Mark = sum(buf[n-f.place.marked() : n])
		*limit -= int64(len(chunk))
		f.sink.Bytes(chunk)
	}
	return nil
}

// restart begins anew at the first byte of the file.
func (f *File) restart() {
	if f.place.Offset > 0 {
		f.sink.Restart()
	}
	f.place.Offset, f.place.Mark = 0, sum(nil)
}
