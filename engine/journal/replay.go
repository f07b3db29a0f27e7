package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/layover/engine/run"
)

// Replay gives the state that the facts of a run add up to; dir is the directory
// of the run. Nothing is changed by it, and the run may be going on.
func Replay(dir string) (*run.State, Report, error) {
	s := &run.State{}
	report, err := Facts(dir, func(f run.Fact) error {
		if f.Body == nil {
			s.Skip(f)
			return nil
		}
		return s.Apply(f)
	})
	if err != nil {
		return nil, report, err
	}
	return s, report, nil
}

// Facts gives the facts of a run one after the other; dir is the directory of the
// run. A fact of a type that this version does not know comes without a body, so
// that the count of facts has no gap. A last decision that was not written to its end
// is left out, with all of its facts and half a line; any other damage, and an error of the caller's function, ends the
// reading with a [DamagedError]. Where there is nothing to read, or no reading it, the
// error is an [UnreadableError], and where the run has a format that this version does
// not know, a [NewerError].
func Facts(dir string, each func(run.Fact) error) (Report, error) {
	if err := checkDir(dir); err != nil {
		return Report{}, unreadable(dir, err)
	}
	path := filepath.Join(dir, EventsFile)
	f, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return Report{}, unreadable(path, err)
	}
	defer func() { _ = f.Close() }()
	return readFacts(path, f, each)
}

func readFacts(path string, r io.Reader, each func(run.Fact) error) (Report, error) {
	in := newLines(r)
	p := &parser{each: each}
	for {
		line, whole, err := in.next()
		p.at = in.number
		switch {
		case errors.Is(err, io.EOF):
			p.cut(in, p.torn != nil)
			return p.report, nil
		case p.torn != nil: // it was not the last line after all
			return p.report, &DamagedError{Path: path, Line: p.tornAt, Err: p.torn}
		case err == nil && !whole:
			p.cut(in, true)
			return p.report, nil
		case err == nil:
			err = p.parse(line, in)
		}
		if newer, ok := errors.AsType[*NewerError](err); ok {
			newer.Path = path
			return p.report, newer
		}
		if failed, ok := errors.AsType[*fs.PathError](err); ok && failed.Path == path {
			return p.report, unreadable(path, err)
		}
		if err != nil {
			return p.report, &DamagedError{Path: path, Line: p.at, Err: err}
		}
	}
}

// parser takes the lines of a file one by one.
type parser struct {
	each   func(run.Fact) error
	report Report
	// at is the line that is taken, or handed on.
	at int
	// last is the fact before.
	last uint64
	// held are the facts of a decision whose last has not come yet.
	held []heldFact
	// torn is what is wrong with a line that can only be the last one.
	torn   error
	tornAt int
}

// heldFact is a fact of a decision that is not whole yet.
type heldFact struct {
	run.Fact
	unknown bool
	line    int
}

// cut leaves out what lies behind the last whole decision: facts of one that was not
// written to its end, and half a line.
func (p *parser) cut(in *lines, torn bool) {
	p.report.Halved, p.report.TornBytes = len(p.held), in.end-p.report.End
	if torn {
		p.report.Torn = 1
	}
}

func (p *parser) parse(line []byte, in *lines) error {
	if len(bytes.TrimSpace(line)) == 0 {
		if len(p.held) == 0 {
			p.report.End = in.end
		}
		return nil
	}
	if p.last == 0 {
		if format := formatOf(line); format > run.Format {
			return &NewerError{Format: format}
		}
	}
	var f run.Fact
	err := f.UnmarshalJSON(line)
	unknown := errors.Is(err, run.ErrUnknownFact)
	switch {
	case err != nil && !unknown && !json.Valid(line):
		p.torn, p.tornAt = err, in.number
		return nil
	case err != nil && !unknown:
		return err
	case f.Seq != p.last+1:
		return fmt.Errorf("fact %d does not follow %d", f.Seq, p.last)
	}
	p.last = f.Seq
	p.held = append(p.held, heldFact{f, unknown, in.number})
	if f.More {
		return nil
	}
	return p.give(in.end)
}

// give hands on the facts of a decision that is whole, and ends at a byte.
func (p *parser) give(end int64) error {
	for _, f := range p.held {
		p.at = f.line
		if err := p.each(f.Fact); err != nil {
			return err
		}
		if f.unknown {
			p.report.Unknown++
		} else {
			p.report.Facts++
		}
	}
	p.report.End, p.held = end, p.held[:0]
	return nil
}

// formatOf gives the format that the first fact of a run states; zero if it does not.
// Of a newer format nothing else is certain, so nothing else is read.
func formatOf(line []byte) int {
	var first struct {
		Type   string `json:"type"`
		Format int    `json:"format"`
	}
	if json.Unmarshal(line, &first) != nil || first.Type != (run.RunStarted{}).Name() {
		return 0
	}
	return first.Format
}
