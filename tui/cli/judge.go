package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
)

const (
	// headSize is how much of an output is looked at to guess whose it is, in bytes.
	headSize  = 1 << 20
	chunkSize = 64 << 10
)

// message explains the text of an error message by itself.
func (e *explainer) message(text string) explanation {
	family := e.family
	if family == "" {
		family = agent.Presets()[0] // messages are read alike for all
	}
	end := agent.End{Exit: run.Exit{Code: 1}, Stderr: []byte(text)}
	if e.exit.Code != 0 {
		end.Exit = e.exit
	}
	now := e.now
	if now.IsZero() {
		now = e.ports.Now()
	}
	x, err := e.judge("", family, now, bytes.NewReader(nil), end)
	if err != nil { // there is nothing to read
		return explanation{Family: family}
	}
	return x
}

// file explains the output in a file; "-" is the standard input.
func (e *explainer) file(path string) (explanation, error) {
	in, now, err := e.open(path)
	if err != nil {
		return explanation{}, err
	}
	defer in.Close() //nolint:errcheck // nothing was written
	if !e.now.IsZero() {
		now = e.now
	}
	head, err := io.ReadAll(io.LimitReader(in, headSize))
	if err != nil {
		return explanation{}, cannotRead(path, err)
	}
	family := e.family
	if family == "" {
		if family = guess(head, now); family == "" {
			return explanation{}, &UsageError{
				fmt.Sprintf("explain %s: cannot tell whose output it is", path),
				"name it, such as --family claude",
			}
		}
	}
	x, err := e.judge(path, family, now, io.MultiReader(bytes.NewReader(head), in), agent.End{Exit: e.exit})
	if err != nil {
		return explanation{}, cannotRead(path, err)
	}
	return x, nil
}

// open opens a file and tells when it was last written. It never waits for somebody
// to write: a pipe or a device is refused, but for the standard input.
func (e *explainer) open(path string) (io.ReadCloser, time.Time, error) {
	if path == "-" {
		return io.NopCloser(e.ports.Stdin), e.ports.Now(), nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // else opening a pipe waits
	if err != nil {
		return nil, time.Time{}, cannotRead(path, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = cannotRead(path, err)
	case info.IsDir():
		err = &UsageError{
			fmt.Sprintf("explain %s: is a directory", path), "name the files in it, such as " + path + "/stdout.jsonl",
		}
	case !info.Mode().IsRegular():
		err = &UsageError{
			fmt.Sprintf("explain %s: is not a regular file", path), `pipe it to "-", such as: layover explain - < ` + path,
		}
	default:
		return f, info.ModTime(), nil
	}
	_ = f.Close() // nothing was written
	return nil, time.Time{}, err
}

// cannotRead words why a file could not be read.
func cannotRead(path string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err // the path stands in front already
	}
	return &UsageError{fmt.Sprintf("explain %s: %v", path, err), "check the path and who may read it"}
}

// judge reads an output to its end and explains it.
func (e *explainer) judge(path, family string, now time.Time, in io.Reader, end agent.End) (explanation, error) {
	p, _ := agent.Lookup(family) // it was looked up before
	r, err := agent.NewReader(p.Dialect, agent.Reference{Now: now, Zone: e.zone, File: path})
	if err != nil {
		return explanation{}, err
	}
	chunk := make([]byte, chunkSize)
	for {
		n, err := in.Read(chunk)
		r.Feed(chunk[:n], nil)
		if errors.Is(err, io.EOF) {
			return explanation{File: path, Family: family, Verdict: r.End(end, nil), Damaged: r.Damaged()}, nil
		}
		if err != nil {
			return explanation{}, err
		}
	}
}

// guess tells whose output begins with head: that of the agent whose reader sees
// most in it. It is empty if none sees anything.
func guess(head []byte, now time.Time) string {
	best, most := "", 0
	for _, name := range agent.Presets() {
		p, _ := agent.Lookup(name)
		r, err := agent.NewReader(p.Dialect, agent.Reference{Now: now})
		if err != nil {
			continue
		}
		seen, ended := 0, 0
		count := func(s run.Sight) {
			if s == (run.Sight{Doing: s.Doing}) {
				return // any text is that much
			}
			if seen++; s.Terminal {
				ended = 1
			}
		}
		r.Feed(head, count)
		r.End(agent.End{}, count)
		if seen += ended; seen > most {
			best, most = name, seen
		}
	}
	return best
}
