package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// ofFormat gives the recorded run with further fields at the start of its first fact.
func ofFormat(t *testing.T, fields string) []byte {
	t.Helper()
	data := eventsOf(t)
	mark := []byte(`"type":"run_started",`)
	if bytes.Count(data, mark) != 1 {
		t.Fatal("the recorded run has another form")
	}
	return bytes.Replace(data, mark, append(mark, fields...), 1)
}

func TestFormats(t *testing.T) {
	next := fmt.Sprintf(`"format":%d,`, run.Format+1)
	unknown := []byte(`{"seq":52,"ts":"2026-03-02T22:00:00Z","type":"new_in_the_next_version"}` + "\n")
	torn := []byte(`{"seq":52,"ts":"2026-0`)
	tests := map[string]struct {
		data           []byte
		replay, resume *journal.NewerError
	}{
		"not said":     {data: eventsOf(t)},
		"ours":         {data: ofFormat(t, fmt.Sprintf(`"format":%d,`, run.Format))},
		"of the next":  {ofFormat(t, next), &journal.NewerError{Format: run.Format + 1}, &journal.NewerError{Format: run.Format + 1}},
		"much changed": {[]byte(`{"type":"run_started","seq":"one","format":9,"program":7}` + "\n"), &journal.NewerError{Format: 9}, &journal.NewerError{Format: 9}},
		"and torn":     {append(ofFormat(t, next), torn...), &journal.NewerError{Format: run.Format + 1}, &journal.NewerError{Format: run.Format + 1}},
		"new kinds":    {append(eventsOf(t), unknown...), nil, &journal.NewerError{Unknown: 1}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			root, dir := runDir(t, tt.data)
			before := snapshot(t, root)
			check := func(what string, err error, want *journal.NewerError) {
				t.Helper()
				if want == nil {
					refused(t, what, err, "")
					return
				}
				refused(t, what, err, "a newer layover wrote "+filepath.Join(dir, journal.EventsFile))
				got, ok := errors.AsType[*journal.NewerError](err)
				if !ok || got.Format != want.Format || got.Unknown != want.Unknown || got.Path != filepath.Join(dir, journal.EventsFile) {
					t.Errorf("%s: got %#v, want %#v", what, err, want)
				}
			}
			_, _, err := journal.Replay(dir)
			check("replay", err, tt.replay)
			_, err = journal.Facts(dir, func(run.Fact) error { return nil })
			check("facts", err, tt.replay)
			for range 2 { // the lock is given back, so the second time is like the first
				j, _, _, err := journal.Resume(root, id)
				check("resume", err, tt.resume)
				if err == nil {
					_ = j.Close()
					continue
				}
				same(t, root, before)
			}
		})
	}
}
