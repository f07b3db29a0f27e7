package journal

import (
	"bytes"
	"os"
	"testing"

	"example.com/layover/engine/run"
)

// Whatever lies in the file, the facts come in order, and cutting it where the good
// ones end gives the same facts without a torn line.
func FuzzFacts(f *testing.F) {
	data, err := os.ReadFile("../../testdata/runs/night/events.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:2000])
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"seq":1,"ts":"2026-03-01T22:00:00Z","type":"notice","message":"m"}` + "\n{\x00"))
	f.Add([]byte(`{"seq":1,"type":"of_the_next_version"}` + "\n\n\r\n{]\n"))
	f.Add([]byte(`{"seq":1,"type":"notice","more":true}` + "\n" + `{"seq":2,"type":"new"}` + "\n\n" + `{"seq":3,"type":"notice","more":true}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		seen := 0
		report, err := readFacts("", bytes.NewReader(data), func(fact run.Fact) error {
			if seen++; fact.Seq != uint64(seen) {
				t.Fatalf("fact %d comes at place %d", fact.Seq, seen)
			}
			return nil
		})
		if seen != report.Facts+report.Unknown || report.End > int64(len(data)) || report.Torn > 1 {
			t.Fatalf("%d facts seen of %d bytes, report %+v, %v", seen, len(data), report, err)
		}
		if err != nil {
			return
		}
		if report.End+report.TornBytes != int64(len(data)) || (report.TornBytes > 0) != (report.Torn+report.Halved > 0) {
			t.Fatalf("%d bytes, report %+v", len(data), report)
		}
		want := Report{Facts: report.Facts, Unknown: report.Unknown, End: report.End}
		again, err := readFacts("", bytes.NewReader(data[:report.End]), func(run.Fact) error { return nil })
		if again != want || err != nil {
			t.Fatalf("after the cut: %+v, %v, want %+v", again, err, want)
		}
	})
}
