package agent

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/layover/engine/agent/record"
)

// Stamps in the form that is read faster mean the same as by the rules of time.
func TestStamps(t *testing.T) {
	for text, want := range map[string]string{
		`"2026-11-30T12:00:01.250Z"`:      "2026-11-30T12:00:01.25Z",
		`"2026-11-30T12:00:01Z"`:          "2026-11-30T12:00:01Z",
		`"2026-11-30T12:00:01.123456Z"`:   "2026-11-30T12:00:01.123456Z",
		`"2026-11-30T12:00:01.000+02:00"`: "2026-11-30T10:00:01Z",
		`"2024-02-29T00:00:00.000Z"`:      "2024-02-29T00:00:00Z",
		`1796017500123`:                   "2026-11-30T05:45:00.123Z",
		`"2026-02-30T00:00:00.000Z"`:      "", `"2026-13-01T00:00:00.000Z"`: "", `"2026-11-31T00:00:00.000Z"`: "",
		`"0000-01-01T00:00:00.000Z"`: "", `"2026-11-30T24:00:00.000Z"`: "", `"2026-1a-30T00:00:00.000Z"`: "",
		`"2026-11-3000:00:00.000ZZ"`: "", `"noon"`: "", `""`: "", `"`: "", `null`: "", `-5`: "", `1e300`: "", `{}`: "",
	} {
		got, ok := stampOf(record.Raw(text))
		if ok != (want != "") || ok && got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %v, %v, want %q", text, got, ok, want)
		}
	}
}

func TestAnyStamp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]\.[0-9]{3}Z`).Draw(t, "stamp")
		want, err := time.Parse(time.RFC3339, text)
		got, ok := stampOf(record.Raw(`"` + text + `"`))
		if ok != (err == nil) || ok && !got.Equal(want) {
			t.Fatalf("%s: %v, %v, want %v, %v", text, got, ok, want, err)
		}
	})
}

// A reader tells the first instant and the last, but for one that no line can have been
// written at.
func TestBeganAndAt(t *testing.T) {
	r, err := NewReader(dialectCodexRollout, atNoon())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ stamp, began, at string }{
		{"noon", "", ""},
		{"2025-01-01T00:00:02.000Z", "2025-01-01T00:00:02Z", "2025-01-01T00:00:02Z"},
		{"noon", "2025-01-01T00:00:02Z", "2025-01-01T00:00:02Z"},
		{"2025-01-01T00:00:01Z", "2025-01-01T00:00:02Z", "2025-01-01T00:00:01Z"},
		{"2999-01-01T00:00:00.000Z", "2025-01-01T00:00:02Z", ""},
		{"2025-01-01T00:00:03.500Z", "2025-01-01T00:00:02Z", "2025-01-01T00:00:03.5Z"},
		{"2999-01-01T00:00:00Z", "2025-01-01T00:00:02Z", ""},
	} {
		r.Feed([]byte(`{"timestamp":"`+step.stamp+`","type":"event_msg","payload":{}}`+"\n"), nil)
		for i, at := range []time.Time{r.Began(), r.At()} {
			want, _ := time.Parse(time.RFC3339, []string{step.began, step.at}[i])
			if !at.Equal(want) {
				t.Errorf("after %q: %v, want %v", step.stamp, at, want)
			}
		}
	}
}
