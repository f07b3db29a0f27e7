package agent

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// What a copied file says counts from when it was said, not from when it was copied.
func TestLinesOfACopyAreAsOldAsThoseBeforeThem(t *testing.T) {
	said := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	copied := said.AddDate(0, 0, 9)
	stream := lines(claudeInit,
		`{"type":"user","timestamp":"2026-11-01T12:00:00.000Z","message":{"role":"user","content":"go"},"session_id":"s"}`,
		`{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You've hit your session limit · resets 3pm (UTC)","session_id":"s"}`)
	for name, tc := range map[string]struct {
		late, live bool
		want       time.Time
	}{
		"a copy":     {late: true, want: said.Add(3 * time.Hour)},
		"live":       {late: true, live: true, want: copied.Add(3 * time.Hour)},
		"not a file": {want: copied.Add(3 * time.Hour)},
	} {
		r, err := NewReader(DialectClaude, Reference{Now: copied, Late: tc.late})
		if err != nil {
			t.Fatal(err)
		}
		if tc.live {
			r.SetNow(copied)
		}
		r.Feed([]byte(stream), nil)
		if v, over := r.Verdict(); !over || v.Class != run.ClassRateLimited || !v.Reset.Equal(tc.want) {
			t.Errorf("%s: %v, %s until %s, want %s", name, over, v.Class, v.Reset, tc.want)
		}
	}
	if v := judgeText(DialectClaude, lines(claudeInit), Reference{Now: copied, Late: true}, End{}); v.Class != run.ClassIncomplete {
		t.Errorf("without a time it is %s", v.Class)
	}
}
