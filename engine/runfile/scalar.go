package runfile

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// readText reads a JSON string.
func readText(raw json.RawMessage) (string, bool) {
	switch {
	case raw[0] != '"':
		return "", false
	case bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw):
		return string(raw[1 : len(raw)-1]), true
	}
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// readWhole reads a whole number, also one written as a float or as a string.
func readWhole(raw json.RawMessage) (int64, bool) {
	digits := string(raw)
	if s, ok := readText(raw); ok {
		digits = s
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return n, true
	}
	f, ok := readFloat(digits)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// readFloat reads a decimal number that is finite.
func readFloat(digits string) (float64, bool) {
	f, err := strconv.ParseFloat(digits, 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// naive is how some programs write an instant: without a zone, meaning UTC.
const naive = "2006-01-02T15:04:05.999999999"

// readTime reads an instant: RFC 3339, the same without a zone, or the seconds or
// milliseconds since 1970.
func readTime(raw json.RawMessage) (time.Time, bool) {
	s, quoted := readText(raw)
	if !quoted {
		s = string(raw)
	}
	for _, layout := range []string{time.RFC3339Nano, naive} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), plausible(t)
		}
	}
	f, ok := readFloat(s)
	if !ok {
		return time.Time{}, false
	}
	if f >= 1e11 {
		f /= 1000 // no clock shows the year 5138
	}
	if f < 0 || f >= 1e11 {
		return time.Time{}, false
	}
	whole, rest := math.Modf(f)
	t := time.Unix(int64(whole), int64(math.Round(rest*1e6))*1000).UTC()
	return t, plausible(t)
}

// plausible reports whether an instant can be meant: after 1970 began, and before the
// far years that stand for "never".
func plausible(t time.Time) bool { return t.Unix() > 0 && t.UTC().Year() < 9000 }
