//go:build unix

package proc

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestGrowth(t *testing.T) {
	dir := t.TempDir()
	files := make([]*os.File, 3)
	for i, name := range []string{"a", "a", "b"} {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = f
	}
	write := func(name, text string) {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(text)
		if err != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	type seen struct {
		Added  int64
		Silent time.Duration
	}
	write("a", "before")
	at := time.Unix(1000, 0)
	same := newGrowth(files[:2], at) // one file twice
	write("a", "123")
	var got []seen
	look := func(g *growth, after time.Duration) {
		added, silent := g.look(at.Add(after))
		got = append(got, seen{added, silent})
	}
	look(same, time.Second)
	look(same, 3*time.Second)
	both := newGrowth([]*os.File{same.files[0], files[2]}, at)
	write("b", "4567")
	look(both, time.Second)
	if err := os.Remove(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	look(both, 5*time.Second)
	look(newGrowth(nil, at), time.Hour) // nothing to watch is never silent
	want := []seen{{3, 0}, {3, 2 * time.Second}, {4, 0}, {4, 4 * time.Second}, {0, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
