package tail

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

func TestFollow(t *testing.T) {
	lines := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return b.String()
	}
	big := strings.Repeat(lines(1<<12), 230) // more than 10 MiB
	for name, play := range map[string]func(t *testing.T, path string, r *record){
		"append": func(t *testing.T, path string, r *record) {
			r.await(t, "old\n")
			add(t, path, "new\n")
			r.await(t, "old\nnew\n")
		},
		"a thousand appends": func(t *testing.T, path string, r *record) {
			for line := range strings.Lines(lines(1000)) {
				add(t, path, line)
			}
			r.await(t, "old\n"+lines(1000))
		},
		"a line in two halves": func(t *testing.T, path string, r *record) {
			add(t, path, `{"half":`)
			r.await(t, "old\n"+`{"half":`)
			add(t, path, "1}\n")
			r.await(t, "old\n"+`{"half":`+"1}\n")
		},
		"ten mebibytes": func(t *testing.T, path string, r *record) {
			add(t, path, big)
			r.await(t, "old\n"+big)
		},
		"copied and truncated": func(t *testing.T, path string, r *record) {
			r.await(t, "old\n")
			check(t, os.Truncate(path, 0))
			r.await(t, "old\n", "")
			add(t, path, "new\n")
			r.await(t, "old\n", "new\n")
		},
		"replaced": func(t *testing.T, path string, r *record) {
			r.await(t, "old\n")
			write(t, path+".next", "quite new\n")
			check(t, os.Rename(path+".next", path))
			r.await(t, "old\n", "quite new\n")
			add(t, path, "more\n")
			r.await(t, "old\n", "quite new\nmore\n")
		},
		"deleted and made again": func(t *testing.T, path string, r *record) {
			r.await(t, "old\n")
			check(t, os.Remove(path))
			write(t, path, "new\n")
			r.await(t, "old\n", "new\n")
		},
	} {
		t.Run(name, func(t *testing.T) { playOn(t, never, play) })
	}
}

// What notices do not tell is found by looking.
func TestFollowLooksWithoutNotice(t *testing.T) {
	for name, play := range map[string]func(t *testing.T, path string, r *record){
		"directory deleted and made again": func(t *testing.T, path string, r *record) {
			r.await(t, "old\n")
			check(t, os.RemoveAll(filepath.Dir(path)))
			check(t, os.Mkdir(filepath.Dir(path), 0o700))
			write(t, path, "new\n")
			r.await(t, "old\n", "new\n")
			add(t, path, "more\n")
			r.await(t, "old\n", "new\nmore\n")
		},
		"dangling link": func(t *testing.T, path string, r *record) {
			r.await(t, "old\n")
			check(t, os.Remove(path))
			check(t, os.Symlink(path+".target", path))
			add(t, path, "new\n")
			r.await(t, "old\n", "new\n")
		},
		"directory renamed and made again": func(t *testing.T, path string, r *record) {
			r.await(t, "old\n")
			check(t, os.Rename(filepath.Dir(path), filepath.Dir(path)+".old"))
			check(t, os.Mkdir(filepath.Dir(path), 0o700))
			write(t, path, "new\n")
			r.await(t, "old\n", "new\n")
		},
	} {
		t.Run(name, func(t *testing.T) { playOn(t, soon, play) })
	}
}

func playOn(t *testing.T, safety time.Duration, play func(t *testing.T, path string, r *record)) {
	// A name that is no UTF-8 and would be a nuisance on a terminal.
	path := filepath.Join(t.TempDir(), "dir", "a\xff\n\x1b[31m.jsonl")
	check(t, os.Mkdir(filepath.Dir(path), 0o700))
	write(t, path, "old\n")
	r, stop := following(t, newTest(t, safety), path)
	play(t, path, r)
	check(t, stop())
	if r.largest > MaxChunk {
		t.Errorf("a chunk had %d bytes", r.largest)
	}
}

func TestFollowWaitsForTheFile(t *testing.T) {
	for name, before := range map[string]func(t *testing.T, path string){
		"directory exists":     func(t *testing.T, path string) { check(t, os.MkdirAll(filepath.Dir(path), 0o700)) },
		"directory is missing": func(*testing.T, string) {},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "later", "x.jsonl")
			before(t, path)
			f := newTest(t, never)
			r, stop := following(t, f, path)
			check(t, os.MkdirAll(filepath.Dir(path), 0o700))
			add(t, path, "first\n")
			r.await(t, "first\n")
			check(t, stop())
		})
	}
}

func TestFollowRefusesWhatIsNoFile(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"pipe":          func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"directory":     func(path string) error { return os.Mkdir(path, 0o700) },
		"device":        func(path string) error { return os.Symlink("/dev/zero", path) },
		"loop of links": func(path string) error { return os.Symlink(path, path) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.jsonl")
			check(t, make(path))
			r := newRecord()
			if err := newTest(t, never).Follow(t.Context(), path, r); !errors.Is(err, ErrNotRegular) {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff([]string{""}, r.generations()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestManyFilesWithOneFollower(t *testing.T) {
	const files = 300
	dir := t.TempDir()
	f := newTest(t, never)
	path := func(i int) string { return filepath.Join(dir, fmt.Sprint(i%7), fmt.Sprint(i)) }
	var records []*record
	var stops []func() error
	for i := range files {
		check(t, os.MkdirAll(filepath.Dir(path(i)), 0o700))
		r, stop := following(t, f, path(i))
		records, stops = append(records, r), append(stops, stop)
	}
	for i := range files {
		add(t, path(i), fmt.Sprint("of ", i))
	}
	for i, r := range records {
		r.await(t, fmt.Sprint("of ", i))
	}
	if diff := cmp.Diff(Status{Following: files}, f.Status()); diff != "" {
		t.Error(diff)
	}
	for _, stop := range stops {
		check(t, stop())
	}
}

func TestTwoFollowOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	f := newTest(t, never)
	one, stopOne := following(t, f, path)
	two, stopTwo := following(t, f, path)
	add(t, path, "a")
	one.await(t, "a")
	two.await(t, "a")
	check(t, stopOne())
	add(t, path, "b")
	two.await(t, "ab")
	check(t, stopTwo())
}

func TestEndDeliversTheRest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	rest := strings.Repeat("rest ", MaxChunk)
	create, _ := deaf(t)
	f := newFollower(create, never)
	defer f.Close()
	write(t, path, "begin ")
	r, stop := following(t, f, path)
	r.await(t, "begin ")
	add(t, path, rest)
	check(t, stop())
	r.await(t, "begin "+rest)
}

func TestCloseDeliversTheRestAndEndsFollows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	create, _ := deaf(t)
	f := newFollower(create, never)
	write(t, path, "begin ")
	r := newRecord()
	ended := make(chan error, 1)
	go func() { ended <- f.Follow(t.Context(), path, r) }()
	r.await(t, "begin ")
	add(t, path, "rest")
	f.Close()
	f.Close()
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Errorf("error %v", err)
	}
	r.await(t, "begin rest")
	if err := f.Follow(t.Context(), path, r); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: error %v", err)
	}
	if diff := cmp.Diff(Status{}, f.Status()); diff != "" {
		t.Error(diff)
	}
}

func TestOverflowLooksAtEveryFile(t *testing.T) {
	dir := t.TempDir()
	create, errs := deaf(t)
	f := newFollower(create, never)
	defer f.Close()
	var records []*record
	for i := range 5 {
		path := filepath.Join(dir, fmt.Sprint(i))
		write(t, path, "a")
		r, stop := following(t, f, path)
		defer func() { check(t, stop()) }()
		r.await(t, "a")
		add(t, path, "b")
		records = append(records, r)
	}
	errs <- fsnotify.ErrEventOverflow
	errs <- fsnotify.ErrEventOverflow // is taken once the one before has been told to the owner
	for _, r := range records {
		r.await(t, "ab")
	}
	got := f.Status()
	for range 1000 { // the owner may answer before it takes the word of the overflow, by chance each time
		if got.Overflows > 0 {
			break
		}
		got = f.Status()
	}
	if got.Following != 5 || got.Polled != 0 || got.Overflows == 0 {
		t.Errorf("status %+v", got)
	}
}

func TestLostNoticesAreMadeUpFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	create, _ := deaf(t)
	f := newFollower(create, soon)
	defer f.Close()
	write(t, path, "a")
	r, stop := following(t, f, path)
	r.await(t, "a")
	add(t, path, "b")
	r.await(t, "ab")
	check(t, stop())
}

func TestWithoutNotifierFilesArePolled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	f := newFollower(func() (*fsnotify.Watcher, error) { return nil, syscall.EMFILE }, never)
	defer f.Close()
	r, stop := following(t, f, path)
	add(t, path, "a")
	r.await(t, "a")
	add(t, path, "b")
	r.await(t, "ab")
	got := f.Status()
	if got.Following != 1 || got.Polled != 1 || !errors.Is(got.Reason, syscall.EMFILE) {
		t.Errorf("status %+v", got)
	}
	check(t, stop())
}

func TestFollowOfAnEndedContextStillReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	write(t, path, "all of it")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := newRecord()
	check(t, newTest(t, never).Follow(ctx, path, r))
	r.await(t, "all of it")
}

// A follower whose owner had to give up says so to everybody, instead of ending the
// program.
func TestAPanicOfTheOwnerEndsEveryFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	asked := false
	f := newFollower(func() (*fsnotify.Watcher, error) {
		if asked {
			panic("boom")
		}
		asked = true
		return nil, errors.New("none yet")
	}, soon)
	defer f.Close()
	for range 2 {
		err := f.Follow(t.Context(), path, newRecord())
		if !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "boom") {
			t.Errorf("followed with %v", err)
		}
	}
}
