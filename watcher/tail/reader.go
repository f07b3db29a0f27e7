package tail

import (
	"bytes"
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

// markSize is how many bytes before the place reached are remembered.
const markSize = 256

// reader reads one file, across its replacements. It belongs to one goroutine.
type reader struct {
	path    string
	sink    Sink
	buffers *sync.Pool

	file   *os.File    // nil while there is none
	info   os.FileInfo // of the file read last; nil before the first
	offset int64       // what was delivered since the last Restart
	mark   [markSize]byte
	marked int // how much of mark is used: the last bytes delivered
}

func (r *reader) close() {
	if r.file != nil {
		_ = r.file.Close() // only read from
		r.file = nil
	}
}

// look delivers what is new, until there is nothing more or ctx ends.
func (r *reader) look(ctx context.Context) error {
	return r.pass(ctx, math.MaxInt, func() (int64, error) { return math.MaxInt64, nil })
}

// last delivers what is new up to the size that the file has now, and up to that
// of one that has taken its place, so that it ends however fast files grow.
func (r *reader) last() error {
	return r.pass(context.Background(), 2, func() (int64, error) {
		info, err := r.file.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	})
}

// pass reads the file to its limit, then whatever has taken its place, and so on
// for a number of files. After an error the next pass opens the file anew.
func (r *reader) pass(ctx context.Context, files int, limit func() (int64, error)) (err error) {
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	for range files {
		if r.file == nil {
			if missing, err := r.open(); missing || err != nil {
				return err
			}
		}
		next, err := r.successor()
		if err != nil {
			return err
		}
		// Whoever replaced the file wrote to it before, so it is read to the end
		// only now.
		end, err := limit()
		if err != nil {
			return err
		}
		if err := r.drain(ctx, end); err != nil {
			return err
		}
		if !next || ctx.Err() != nil {
			return nil
		}
		r.close()
	}
	return nil
}

// open opens the file without ever waiting, and begins anew if it is another than
// the one read before.
func (r *reader) open() (missing bool, err error) {
	file, err := os.OpenFile(r.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
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
	if r.info != nil && !os.SameFile(r.info, info) {
		r.restart()
	}
	r.file, r.info = file, info
	return false, nil
}

// successor reports whether another file is at the path by now. A path where there
// is nothing has none: the open file is read on.
func (r *reader) successor() (bool, error) {
	info, err := os.Stat(r.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return false, nil
	case err != nil:
		return false, err
	}
	return !os.SameFile(r.info, info), nil
}

// drain delivers the open file up to end.
func (r *reader) drain(ctx context.Context, end int64) error {
	buf := r.buffers.Get().(*[markSize + MaxChunk]byte)
	defer r.buffers.Put(buf)
	for ctx.Err() == nil {
		// The mark and what follows it come from one read, so what follows belongs
		// to the file that was read before, whatever happens to it meanwhile.
		room := int64(len(buf) - markSize + r.marked)
		room = max(int64(r.marked), min(room, end-r.offset+int64(r.marked)))
		n, err := r.file.ReadAt(buf[:room], r.offset-int64(r.marked))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if !bytes.HasPrefix(buf[:n], r.mark[:r.marked]) {
			r.restart()
			continue
		}
		if n == r.marked {
			return nil
		}
		chunk := buf[r.marked:n]
		r.offset += int64(len(chunk))
		r.marked = copy(r.mark[:], buf[max(0, n-markSize):n])
		r.sink.Bytes(chunk)
	}
	return nil
}

// restart begins anew at the first byte of the file.
func (r *reader) restart() {
	if r.offset > 0 {
		r.sink.Restart()
	}
	r.offset, r.marked = 0, 0
}
