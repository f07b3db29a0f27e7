package watcher_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher"
)

// patience bounds how long a test waits for what must come.
const patience = 20 * time.Second

// desk is a watcher at work, and all that it has told.
type desk struct {
	tb      testing.TB
	watcher *watcher.Watcher
	end     func() // and wait
	unkept  error  // what it ended with

	mu    sync.Mutex
	moved chan struct{} // closed and made anew when something was told
	runs  map[string]run.Watched
	last  run.Changes
	fams  []run.FamilySeen
	feeds []watcher.Feed
	told  int
}

// sitDown begins to watch; it ends with the test at the latest.
func sitDown(tb testing.TB, o watcher.Options) *desk {
	tb.Helper()
	if o.Now == nil {
		o.Now = time.Now
	}
	ctx, cancel := context.WithCancel(context.Background())
	d := &desk{tb: tb, watcher: watcher.New(o), moved: make(chan struct{}), runs: map[string]run.Watched{}}
	done := make(chan error, 1)
	go func() { done <- d.watcher.Run(ctx, d.tell, d.feed) }()
	d.end = sync.OnceFunc(func() {
		cancel()
		err := <-done
		if lost, ok := errors.AsType[*watcher.UnkeptError](err); ok {
			d.unkept = lost
		} else if err != nil {
			tb.Errorf("the watcher ended with %v", err)
		}
	})
	tb.Cleanup(d.end)
	return d
}

func (d *desk) tell(c run.Changes) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, key := range c.Gone {
		delete(d.runs, key)
	}
	for _, w := range c.Runs {
		d.runs[w.Key] = w
	}
	if c.Families != nil {
		d.fams = c.Families
	}
	d.last = c
	d.told++
	close(d.moved)
	d.moved = make(chan struct{})
}

func (d *desk) feed(f watcher.Feed) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.feeds = append(d.feeds, f)
	close(d.moved)
	d.moved = make(chan struct{})
}

// until waits until what was told fits.
func (d *desk) until(what string, fits func() bool) {
	d.tb.Helper()
	deadline := time.After(patience)
	for {
		d.mu.Lock()
		ok, moved := fits(), d.moved
		d.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-moved:
		case <-deadline:
			d.mu.Lock()
			defer d.mu.Unlock()
			d.tb.Fatalf("%s: not told; %d runs, last %+v", what, len(d.runs), d.last)
		}
	}
}

// complete waits until all has been read.
func (d *desk) complete() { d.until("all that there is", func() bool { return d.last.Complete }) }

// stands waits until a run stands so.
func (d *desk) stands(key string, s run.Standing) {
	d.tb.Helper()
	d.until(key+" "+s.String(), func() bool { return d.runs[key].State == s })
}

// put writes a file with all above it.
func put(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// add appends to a file.
func add(tb testing.TB, path, text string) {
	tb.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
}
