package journal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// decided writes facts of two decisions behind the first fact of a run: 2 is one by
// itself, 3 to 5 are the other. Fact 5 may have a type that nobody knows.
func decided(t *testing.T, last string) []byte {
	t.Helper()
	head, _, _ := strings.Cut(string(eventsOf(t)), "\n")
	fact := func(seq int, name string, more bool) string {
		mark := ""
		if more {
			mark = `,"more":true`
		}
		return fmt.Sprintf(`{"seq":%d,"ts":"2026-03-01T22:00:00Z","type":%q%s,"message":"m"}`, seq, name, mark)
	}
	return []byte(strings.Join([]string{
		head, fact(2, "notice", false), fact(3, "notice", true), fact(4, "new_in_the_next_version", true), fact(5, last, false), "",
	}, "\n"))
}

// A decision is there whole or not at all, whichever byte the file ends at, also if its
// last fact is of an unknown type; and what is cut off is told.
func TestADecisionIsThereWholeOrNotAtAll(t *testing.T) {
	for _, last := range []string{"notice", "new_in_the_next_version"} {
		data := decided(t, last)
		ends := []int{0} // where each line ends
		for i, c := range data {
			if c == '\n' {
				ends = append(ends, i+1)
			}
		}
		for cut := ends[2]; cut < len(data); cut++ {
			lines := 2
			for lines < 4 && ends[lines+1] <= cut {
				lines++
			}
			want := journal.Report{Facts: 2, End: int64(ends[2]), TornBytes: int64(cut - ends[2]), Halved: lines - 2}
			if cut > ends[lines] {
				want.Torn = 1
			}
			_, dir := runDir(t, data[:cut])
			s, report, err := journal.Replay(dir)
			if err != nil || report != want || s.Seq != 2 {
				t.Fatalf("%s cut at %d: fact %d, %+v, %v, want %+v", last, cut, s.Seq, report, err, want)
			}
		}
		_, dir := runDir(t, data)
		s, report, err := journal.Replay(dir)
		if err != nil || s.Seq != 5 || report.Facts+report.Unknown != 5 || report.TornBytes+int64(report.Halved) != 0 {
			t.Errorf("%s: fact %d, %+v, %v", last, s.Seq, report, err)
		}
	}
}

// The owner that follows writes where the last whole decision ends.
func TestResumeCutsHalfADecision(t *testing.T) {
	data := decided(t, "notice")
	third := strings.Index(string(data), `{"seq":3`)
	half := strings.Index(string(data), `{"seq":4`)
	for name, cut := range map[string]int{"between lines": half, "within a line": half + 7} {
		t.Run(name, func(t *testing.T) {
			root, dir := runDir(t, data[:cut])
			j, s, report, err := journal.Resume(root, id)
			if err != nil || s.Seq != 2 || report.Halved != 1 || report.TornBytes != int64(cut-third) {
				t.Fatalf("fact %d, %+v, %v", s.Seq, report, err)
			}
			next := run.Fact{Seq: 3, At: s.LastAt, Body: run.RunResumed{}}
			if err := errors.Join(j.Append([]run.Fact{next}), j.Close()); err != nil {
				t.Fatal(err)
			}
			line, err := next.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			now, err := os.ReadFile(filepath.Join(dir, journal.EventsFile))
			if want := string(data[:third]) + string(line) + "\n"; err != nil || string(now) != want {
				t.Errorf("%v, the file is\n%s", err, now)
			}
		})
	}
}

// Damage within a decision is told at its own line.
func TestDamageWithinADecision(t *testing.T) {
	data := string(decided(t, "notice"))
	for name, tt := range map[string]struct {
		from, to string
		line     int
	}{
		"no JSON":        {`{"seq":3`, `{"seq":`, 3},
		"gap":            {`{"seq":4`, `{"seq":6`, 4},
		"does not apply": {`"type":"notice","more"`, `"lane":9,"type":"notice","more"`, 3},
	} {
		t.Run(name, func(t *testing.T) {
			_, dir := runDir(t, []byte(strings.Replace(data, tt.from, tt.to, 1)))
			_, _, err := journal.Replay(dir)
			if damaged, ok := errors.AsType[*journal.DamagedError](err); !ok || damaged.Line != tt.line {
				t.Errorf("got %v, want damage at line %d", err, tt.line)
			}
		})
	}
}
