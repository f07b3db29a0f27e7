package tree

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// world is what a script has done to files, beside the real ones.
type world struct {
	t     *testing.T
	dir   string
	files map[string]string // what they hold, by path
	count int
}

// text is never twice the same.
func (w *world) text(t *rapid.T) string {
	w.count++
	n := rapid.SampledFrom([]int{1, 1, 3, 50, 5000}).Draw(t, "lines")
	return strings.Repeat(fmt.Sprintf("{\"text\":%d}\n", w.count), n)
}

// place draws a path in one of a few directories, of which some are in others.
func (w *world) place(t *rapid.T) string {
	dir := rapid.SampledFrom([]string{"", "a", "b", "a/c"}).Draw(t, "dir")
	return filepath.Join(w.dir, dir, rapid.SampledFrom([]string{"x.jsonl", "y.jsonl"}).Draw(t, "name"))
}

// old draws a file that there is; empty if there is none.
func (w *world) old(t *rapid.T) string {
	var paths []string
	for path := range w.files {
		paths = append(paths, path)
	}
	if len(paths) == 0 {
		return ""
	}
	slices.Sort(paths)
	return rapid.SampledFrom(paths).Draw(t, "file")
}

func (w *world) append(t *rapid.T) {
	path, text := w.place(t), w.text(t)
	mkdir(w.t, filepath.Dir(path))
	add(w.t, path, text)
	w.files[path] += text
}

func (w *world) truncate(t *rapid.T) {
	if path := w.old(t); path != "" {
		text := w.text(t)
		check(w.t, os.Truncate(path, 0))
		add(w.t, path, text)
		w.files[path] = text
	}
}

func (w *world) replace(t *rapid.T) {
	if path := w.old(t); path != "" {
		w.files[path] = w.text(t)
		write(w.t, path+".next", w.files[path])
		check(w.t, os.Rename(path+".next", path))
	}
}

func (w *world) remove(t *rapid.T) {
	if path := w.old(t); path != "" {
		check(w.t, os.Remove(path))
		delete(w.files, path)
	}
}

func (w *world) rename(t *rapid.T) {
	if path := w.old(t); path != "" {
		to := w.place(t)
		mkdir(w.t, filepath.Dir(to))
		check(w.t, os.Rename(path, to))
		text := w.files[path]
		delete(w.files, path)
		w.files[to] = text
	}
}

// move renames a directory to a name that is free.
func (w *world) move(t *rapid.T) {
	names := []string{"a", "b", "a/c", "b/d"}
	from := filepath.Join(w.dir, rapid.SampledFrom(names).Draw(t, "from"))
	to := filepath.Join(w.dir, rapid.SampledFrom(names).Draw(t, "to"))
	_, missing := os.Stat(from)
	_, free := os.Stat(to)
	if missing != nil || free == nil || within(to, from) {
		return
	}
	mkdir(w.t, filepath.Dir(to))
	check(w.t, os.Rename(from, to))
	for path, text := range w.files {
		if within(path, from) {
			delete(w.files, path)
			w.files[to+strings.TrimPrefix(path, from)] = text
		}
	}
}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// Whatever happens to files, in the end each was told as it is: nothing is lost and
// nothing doubled.
func TestTreeAgreesWithTheFiles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "tree")
		check(t, err)
		defer func() { _ = os.RemoveAll(dir) }()
		w := &world{t: t, dir: dir, files: map[string]string{}}
		options := Options{Keep: jsonl, Safety: time.Hour, Poll: 5 * time.Millisecond}
		options.Watches = rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(rt, "watches")
		tree := New(options)
		if rapid.Bool().Draw(rt, "busy") {
			soonBusy(tree)
		}
		r := readingOf(t, tree, dir)
		defer func() { check(t, r.stop()) }()
		steps := map[string]func(*rapid.T){
			"append": w.append, "truncate": w.truncate, "replace": w.replace,
			"remove": w.remove, "rename": w.rename, "move": w.move,
			"pause": func(t *rapid.T) { // so that some of it has been read
				if path := w.old(t); path != "" && rapid.Bool().Draw(t, "wait") {
					w.agree(t, r, path)
				}
			},
		}
		names := []string{"append", "append", "truncate", "replace", "remove", "rename", "move", "pause"}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			steps[rapid.SampledFrom(names).Draw(rt, "step")](rt)
		}
		for path := range w.files {
			w.agree(rt, r, path)
		}
		r.mu.Lock()
		var told []string
		for path := range r.stories {
			told = append(told, path)
		}
		r.mu.Unlock()
		for _, path := range told {
			if _, there := w.files[path]; !there {
				r.await(t, path, func() bool { return r.gone[path] }, func() string { return "is gone and was not told so" })
			}
		}
	})
}

// agree waits until a file was told as it is.
func (w *world) agree(t *rapid.T, r *reader, path string) {
	t.Helper()
	last := func() string {
		told := r.stories[path].told()
		if len(told) == 0 {
			return "nothing"
		}
		return told[len(told)-1]
	}
	deadline := time.Now().Add(patience)
	for {
		r.mu.Lock()
		got := last()
		r.mu.Unlock()
		if got == w.files[path] {
			return
		}
		select {
		case <-r.news:
		case <-time.After(time.Until(deadline)):
			t.Fatalf("%s: told %q, holds %q; %+v", path, short(r.stories[path].told()), short([]string{w.files[path]}), r.tree.Status())
		}
	}
}
