package tree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCases are the ways in which files come and change, each on a new tree that has
// read a file "a.jsonl" with the line "old", and on one to which each directory is busy
// in which something was written.
func TestCases(t *testing.T) {
	big := `{"big":"` + strings.Repeat("0123456789abcdef", 10<<16) + "\"}\n" // 10 MiB
	for name, play := range map[string]func(t *testing.T, dir, path string, r *reader){
		"append": func(t *testing.T, dir, path string, r *reader) {
			add(t, path, "new\n")
			r.awaitText(t, path, "old\nnew\n")
		},
		"a thousand appends": func(t *testing.T, dir, path string, r *reader) {
			for line := range strings.Lines(numbered(0, 1000)) {
				add(t, path, line)
			}
			r.awaitText(t, path, "old\n"+numbered(0, 1000))
		},
		"a line in two halves": func(t *testing.T, dir, path string, r *reader) {
			add(t, path, `{"half":`)
			time.Sleep(300 * time.Millisecond) // the case is that they are apart
			add(t, path, "1}\n")
			r.awaitText(t, path, "old\n"+`{"half":`+"1}\n")
		},
		"a line of 10 MiB": func(t *testing.T, dir, path string, r *reader) {
			add(t, path, big)
			r.awaitText(t, path, "old\n"+big)
		},
		"copied and truncated": func(t *testing.T, dir, path string, r *reader) {
			write(t, path+".1", "old\n")
			check(t, os.Truncate(path, 0))
			add(t, path, "new\n")
			r.awaitText(t, path, "old\n", "new\n")
		},
		"truncated and grown again at once": func(t *testing.T, dir, path string, r *reader) {
			check(t, os.Truncate(path, 0))
			add(t, path, "longer than the old one\n")
			r.awaitText(t, path, "old\n", "longer than the old one\n")
		},
		"replaced": func(t *testing.T, dir, path string, r *reader) {
			write(t, path+".next", "quite new\n")
			check(t, os.Rename(path+".next", path))
			r.awaitText(t, path, "old\n", "quite new\n")
			add(t, path, "more\n")
			r.awaitText(t, path, "old\n", "quite new\nmore\n")
		},
		"replaced ten times": func(t *testing.T, dir, path string, r *reader) {
			for i := range 10 {
				write(t, path+".next", numbered(i*100, i*100+100))
				check(t, os.Rename(path+".next", path))
				time.Sleep(50 * time.Millisecond) // the case is that they are apart
			}
			last := numbered(900, 1000)
			told := func() []string { return r.stories[path].told() }
			r.await(t, path, func() bool { return told()[len(told())-1] == last }, func() string { return fmt.Sprintf("%q", short(told())) })
			want := map[string]bool{"old\n": true, last: true}
			for i := range 9 {
				want[numbered(i*100, i*100+100)] = true
			}
			for i, g := range told() {
				if !want[g] {
					t.Errorf("generation %d is %q", i, short([]string{g}))
				}
			}
		},
		"rotated": func(t *testing.T, dir, path string, r *reader) {
			add(t, path, "the last before it\n")
			check(t, os.Rename(path, path+".1"))
			write(t, path, "new\n")
			r.awaitText(t, path, "old\nthe last before it\n", "new\n")
		},
		"rotated within what is kept": func(t *testing.T, dir, path string, r *reader) {
			add(t, path, "the last before it\n")
			check(t, os.Rename(path, path+".1.jsonl"))
			write(t, path, "new\n")
			r.awaitText(t, path, "old\nthe last before it\n", "new\n")
			add(t, path+".1.jsonl", "one more\n")
			r.awaitText(t, path+".1.jsonl", "old\nthe last before it\none more\n")
			r.awaitOnce(t, "old\nthe last before it\nnew\none more\n")
		},
		"deleted and made again": func(t *testing.T, dir, path string, r *reader) {
			add(t, path, "the last\n")
			check(t, os.Remove(path))
			write(t, path, "new\n")
			r.awaitText(t, path, "old\nthe last\n", "new\n")
		},
		"a new file written once": func(t *testing.T, dir, path string, r *reader) {
			write(t, filepath.Join(dir, "b.jsonl"), "all\n")
			r.awaitText(t, filepath.Join(dir, "b.jsonl"), "all\n")
		},
		"directories made and written to at once": func(t *testing.T, dir, path string, r *reader) {
			mkdir(t, filepath.Join(dir, "a/b/c"))
			write(t, filepath.Join(dir, "a/b/c/x.jsonl"), "deep\n")
			r.awaitText(t, filepath.Join(dir, "a/b/c/x.jsonl"), "deep\n")
		},
		"200 directories with a file each": func(t *testing.T, dir, path string, r *reader) {
			for i := range 200 {
				d := filepath.Join(dir, fmt.Sprint("n", i))
				mkdir(t, d)
				write(t, filepath.Join(d, "x.jsonl"), fmt.Sprint(i, "\n"))
			}
			for i := range 200 {
				r.awaitText(t, filepath.Join(dir, fmt.Sprint("n", i), "x.jsonl"), fmt.Sprint(i, "\n"))
			}
		},
		"a directory renamed": func(t *testing.T, dir, path string, r *reader) {
			mkdir(t, filepath.Join(dir, "from/below"))
			write(t, filepath.Join(dir, "from/below/x.jsonl"), "one\n")
			r.awaitText(t, filepath.Join(dir, "from/below/x.jsonl"), "one\n")
			check(t, os.Rename(filepath.Join(dir, "from"), filepath.Join(dir, "to")))
			add(t, filepath.Join(dir, "to/below/x.jsonl"), "two\n")
			r.awaitText(t, filepath.Join(dir, "to/below/x.jsonl"), "one\ntwo\n")
			add(t, filepath.Join(dir, "to/below/x.jsonl"), "three\n")
			r.awaitText(t, filepath.Join(dir, "to/below/x.jsonl"), "one\ntwo\nthree\n")
			r.awaitOnce(t, "old\none\ntwo\nthree\n")
			r.await(t, "gone", func() bool { return r.gone[filepath.Join(dir, "from/below/x.jsonl")] }, func() string { return "not told" })
		},
		"a tree moved in": func(t *testing.T, dir, path string, r *reader) {
			outside := filepath.Join(t.TempDir(), "tree")
			mkdir(t, filepath.Join(outside, "a/b"))
			write(t, filepath.Join(outside, "a/b/x.jsonl"), "done\n")
			check(t, os.Rename(outside, filepath.Join(dir, "tree")))
			r.awaitText(t, filepath.Join(dir, "tree/a/b/x.jsonl"), "done\n")
			add(t, filepath.Join(dir, "tree/a/b/x.jsonl"), "more\n")
			r.awaitText(t, filepath.Join(dir, "tree/a/b/x.jsonl"), "done\nmore\n")
		},
		"moved out and back": func(t *testing.T, dir, path string, r *reader) {
			outside := filepath.Join(t.TempDir(), "x")
			is := func(gone bool) {
				t.Helper()
				r.await(t, "gone", func() bool { return r.gone[path] == gone }, func() string { return fmt.Sprint("not ", gone) })
			}
			check(t, os.Rename(path, outside))
			is(true)
			check(t, os.Rename(outside, path))
			is(false)
			add(t, path, "more\n")
			r.awaitText(t, path, "old\nmore\n")
			r.awaitOnce(t, "old\nmore\n")
		},
		"a file renamed": func(t *testing.T, dir, path string, r *reader) {
			add(t, path, "more\n")
			check(t, os.Rename(path, filepath.Join(dir, "b.jsonl")))
			add(t, filepath.Join(dir, "b.jsonl"), "and more\n")
			r.awaitText(t, filepath.Join(dir, "b.jsonl"), "old\nmore\nand more\n")
			r.awaitOnce(t, "old\nmore\nand more\n")
			r.await(t, "gone", func() bool { return r.gone[path] }, func() string { return "not told" })
		},
	} {
		for _, busy := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, busy %t", name, busy), func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "a.jsonl")
				write(t, path, "old\n")
				tree := New(Options{Keep: jsonl, Safety: time.Hour})
				if busy {
					soonBusy(tree)
				}
				r := readingOf(t, tree, dir)
				r.awaitText(t, path, "old\n")
				play(t, dir, path, r)
			})
		}
	}
}
