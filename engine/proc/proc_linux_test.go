package proc

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseStat(t *testing.T) {
	const tail = " 10 20 30 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2 3"
	good := entry{pid: 5, ppid: 10, pgid: 20, sid: 30, start: "98765"}
	dead := good
	dead.zombie = true
	for name, tc := range map[string]struct {
		stat string
		want entry
	}{
		"plain":              {"5 (sh) S" + tail, good},
		"zombie":             {"5 (sh) Z" + tail, dead},
		"first thread ended": {"5 (sh) Z 10 20 30 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 2 0 98765 1 2 3", good},
		"name of a trick":    {"5 (a) Z 1 1 1 () S" + tail, good},
		"cut off":            {"5 (sh) S 10 20 30 0", entry{}},
		"not a number":       {"5 (sh) S x" + tail, entry{}},
		"empty":              {"", entry{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := parseStat(5, []byte(tc.stat))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(entry{})); diff != "" || ok != (tc.want != entry{}) {
				t.Error(ok, diff)
			}
		})
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("5 (a) b) S 10 20 30 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2 3"))
	f.Fuzz(func(t *testing.T, stat []byte) {
		if e, ok := parseStat(5, stat); ok == (e == entry{}) || (ok && e.start == "") {
			t.Errorf("read %+v, %v", e, ok)
		}
	})
}

func TestTableHoldsOurselves(t *testing.T) {
	want, ok := look(os.Getpid())
	if !ok {
		t.Fatal("we cannot be seen")
	}
	for _, e := range table() {
		if e.identity() == want.identity() {
			return
		}
	}
	t.Error("we are not in the table")
}
