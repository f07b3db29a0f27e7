package journal

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

// disk is a file on a disk that fails when it is told to.
type disk struct {
	data, saved []byte
	// room is how many bytes fit; writeErr, syncErr and cutErr fail the next call.
	room            int
	writeErr        bool
	syncErr, cutErr bool
	writes, syncs   int
}

var _ file = (*disk)(nil)

var errDisk = &os.PathError{Op: "write", Path: "events.jsonl", Err: syscall.ENOSPC}

func (d *disk) Write(b []byte) (int, error) {
	d.writes++
	n := min(len(b), max(0, d.room-len(d.data)))
	if d.writeErr {
		d.writeErr, n = false, n/2
	}
	d.data = append(d.data, b[:n]...)
	if n < len(b) {
		return n, errDisk
	}
	return n, nil
}

func (d *disk) Sync() error {
	d.syncs++
	if d.syncErr {
		d.syncErr = false
		return errDisk
	}
	d.saved = bytes.Clone(d.data)
	return nil
}

func (d *disk) Truncate(n int64) error {
	if d.cutErr {
		d.cutErr = false
		return errDisk
	}
	d.data = d.data[:n]
	return nil
}

func (d *disk) Close() error { return nil }

// notices makes facts of the numbers from first to last.
func notices(first, last uint64) []run.Fact {
	var facts []run.Fact
	for seq := first; seq <= last; seq++ {
		at := time.Date(2026, 3, 1, 0, 0, int(seq%60), 0, time.UTC)
		facts = append(facts, run.Fact{Seq: seq, At: at, Body: run.Notice{Message: fmt.Sprint("notice ", seq)}})
	}
	return facts
}

// holds fails unless the data is exactly the facts from one to last.
func holds(t interface{ Fatalf(string, ...any) }, data []byte, last uint64) {
	var want bytes.Buffer
	for _, f := range notices(1, last) {
		line, err := f.MarshalJSON()
		if err != nil {
			t.Fatalf("encode: %v", err)
		}
		want.Write(append(line, '\n'))
	}
	if !bytes.Equal(want.Bytes(), data) {
		t.Fatalf("want the facts up to %d, have:\n%s", last, data)
	}
}

func TestAppendIsOneWriteAndOneSync(t *testing.T) {
	d := &disk{room: math.MaxInt}
	e := &events{file: d}
	if err := e.append(notices(1, 40)); err != nil {
		t.Fatal(err)
	}
	if err := e.append(nil); err != nil {
		t.Fatal(err)
	}
	if d.writes != 1 || d.syncs != 1 {
		t.Errorf("%d writes, %d syncs", d.writes, d.syncs)
	}
	holds(t, d.saved, 40)
}

func TestAppendRepairs(t *testing.T) {
	tests := map[string]func(*disk){
		"short write":          func(d *disk) { d.room = len(d.data) + 30 },
		"nothing fits":         func(d *disk) { d.room = len(d.data) },
		"failed write":         func(d *disk) { d.writeErr = true },
		"failed sync":          func(d *disk) { d.syncErr = true },
		"write and cut failed": func(d *disk) { d.writeErr, d.cutErr = true, true },
		"sync and cut failed":  func(d *disk) { d.syncErr, d.cutErr = true, true },
	}
	for name, fail := range tests {
		t.Run(name, func(t *testing.T) {
			d := &disk{room: math.MaxInt}
			e := &events{file: d, path: "events.jsonl"}
			if err := e.append(notices(1, 3)); err != nil {
				t.Fatal(err)
			}
			fail(d)
			err := e.append(notices(4, 6))
			u, ok := errors.AsType[*UnwritableError](err)
			if !ok || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(u.Remedy, "free some space") {
				t.Fatalf("got %v", err)
			}
			holds(t, d.saved, 3)
			d.room = math.MaxInt
			if err := e.append(notices(6, 7)); err != nil { // 6 was handed over before
				t.Fatal(err)
			}
			holds(t, d.saved, 7)
		})
	}
}

func TestAppendReportsUntilItSucceeds(t *testing.T) {
	d := &disk{}
	e := &events{file: d}
	for seq := uint64(1); seq <= 5; seq++ {
		if err := e.append(notices(seq, seq)); err == nil {
			t.Fatal("no error on a full disk")
		}
		if err := e.append(nil); err == nil {
			t.Fatal("no error on a full disk, without facts")
		}
		holds(t, d.data, 0)
	}
	d.room = math.MaxInt
	if err := e.append(nil); err != nil {
		t.Fatal(err)
	}
	holds(t, d.saved, 5)
}

func TestAppendRefuses(t *testing.T) {
	tests := map[string]run.Fact{
		"gap":         {Seq: 3, Body: run.Notice{}},
		"no body":     {Seq: 2},
		"no number":   {Seq: 2, Body: run.UsageCounted{Usage: run.Usage{CostUSD: math.NaN()}}},
		"far instant": {Seq: 2, Body: run.Notice{}, At: time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)},
		"too large":   {Seq: 2, Body: run.Notice{Message: strings.Repeat("m", MaxLine)}},
	}
	for name, bad := range tests {
		t.Run(name, func(t *testing.T) {
			d := &disk{room: math.MaxInt}
			e := &events{file: d}
			if err := e.append(append(notices(1, 1), bad)); err == nil {
				t.Fatal("it was taken")
			}
			if err := e.append(notices(3, 3)); err == nil {
				t.Fatal("what follows was taken")
			}
			holds(t, d.data, 0)
		})
	}
}

// The buffer is used again: what is allocated is what encoding a fact takes.
func TestAppendAllocatesNoMore(t *testing.T) {
	const n = 64
	facts := notices(1, n)
	e := &events{file: &sink{}}
	encode := testing.AllocsPerRun(50, func() {
		for _, f := range facts {
			_, _ = f.MarshalJSON()
		}
	})
	whole := testing.AllocsPerRun(50, func() {
		e.last = 0
		_ = e.append(facts)
	})
	if whole > encode+n/2 { // pools lose some of what they hold, and under the race detector more
		t.Errorf("%v allocations for %d facts, of which %v for encoding", whole, n, encode)
	}
}

type sink struct{ disk }

func (*sink) Write(b []byte) (int, error) { return len(b), nil }
func (*sink) Sync() error                 { return nil }

// Whatever fails and whenever, the disk holds whole facts in order, and once
// nothing fails any more it holds all of them.
func TestAppendSurvivesFaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &disk{room: math.MaxInt}
		e := &events{file: d}
		next := uint64(1)
		for range rapid.IntRange(1, 20).Draw(t, "calls") {
			d.room = len(d.data) + rapid.IntRange(0, 1000).Draw(t, "room")
			d.writeErr = rapid.Bool().Draw(t, "write fails")
			d.syncErr = rapid.Bool().Draw(t, "sync fails")
			d.cutErr = rapid.Bool().Draw(t, "cut fails")
			n := rapid.Uint64Range(0, 4).Draw(t, "facts")
			err := e.append(notices(next, next+n-1))
			next += n
			if err == nil {
				holds(t, d.saved, next-1)
			}
			report, err := readFacts("", bytes.NewReader(d.data), func(run.Fact) error { return nil })
			if err != nil || report.Facts >= int(next) {
				t.Fatalf("%+v, %v", report, err)
			}
		}
		*d = disk{data: d.data, room: math.MaxInt}
		if err := e.append(nil); err != nil {
			t.Fatal(err)
		}
		holds(t, d.data, next-1)
	})
}

// A real full device fails like the one above.
func TestAppendOnFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := &events{file: full, path: "/dev/full"}
	if err := e.append(notices(1, 3)); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v", err)
	}
	path := filepath.Join(t.TempDir(), EventsFile)
	if e.file, err = openFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND); err != nil {
		t.Fatal(err)
	}
	e.path, e.ragged = path, true // what a device refuses to cut is cut before the next write
	if err := e.append(notices(4, 4)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, data, 4)
}
