package ledger

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"example.com/layover/engine/run"
)

const (
	// version is that of the files this package writes.
	version = 1
	// maxFile bounds a file that is read or written, in bytes.
	maxFile = 64 << 10
	// maxKey bounds the whole name of a window, in bytes; with it, no file that was
	// read can be too large to be written again.
	maxKey = 8 << 10
	// maxReason bounds what is kept of a provider's words, in bytes.
	maxReason = 1 << 10
)

// record is the content of a window's file.
type record struct {
	Version int `json:"version"`
	// Key is the whole name, which says what no other field can: each byte of it.
	Key string `json:"key"`
	// Generation is when the window was opened last, by anyone: a clear must be of
	// a later instant.
	Generation time.Time `json:"generation,omitzero"`
	// ClearedAt is the instant of the last clear, and ClearedBy who cleared.
	ClearedAt time.Time `json:"cleared_at,omitzero"`
	ClearedBy string    `json:"cleared_by,omitempty"`
	// Window is nil after a clear.
	Window *run.Window `json:"window,omitempty"`

	account string
	key     run.WindowKey
}

// encode gives the bytes of a record. It refuses what it could not read back.
func (r *record) encode() ([]byte, error) {
	r.Version = version
	data, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		data = append(run.PlainJSON(data), '\n')
		_, err = decode(stemOf(r.Key), data)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return data, nil
}

// decode reads the file of a window by its stem.
func decode(stem string, data []byte) (*record, error) {
	if len(data) > maxFile {
		return nil, errTooLarge
	}
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	switch {
	case head.Version > version:
		return nil, fmt.Errorf("%w: %d", errNewer, head.Version)
	case head.Version != version:
		return nil, errForeign
	}
	r := &record{}
	err := json.Unmarshal(data, r)
	if err == nil {
		r.key, r.account, err = keyOf(r.Key)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	if stemOf(r.Key) != stem {
		return nil, fmt.Errorf("%w: %s", errForeign, r.Key)
	}
	if len(r.Key) > maxKey || (r.ClearedBy != "" && !plain(r.ClearedBy)) {
		return nil, fmt.Errorf("%w: %d bytes of name", errForeign, len(r.Key))
	}
	if w := r.Window; w != nil {
		w.WindowKey, w.Attempt, w.Reason = r.key, 0, cut(w.Reason)
	}
	return r, nil
}

// merge takes a window over.
func (r *record) merge(v run.Window, now time.Time) {
	v.OpenedAt, v.Until, v.NextTry = v.OpenedAt.UTC(), v.Until.UTC(), v.NextTry.UTC()
	v.Reason = cut(v.Reason)
	v.Permit, v.Waiters, v.Attempt = nil, nil, 0 // of one run
	if r.Window == nil || v.OpenedAt.After(r.Generation) {
		r.Generation = v.OpenedAt
	}
	if r.Window != nil {
		v = join(*r.Window, v, now)
	}
	r.Window = &v
}

// clear removes the window if it was opened before an instant; one that says it
// was opened after now comes from a clock that was wrong and does not last either.
// It reports whether there was anything to remove.
func (r *record) clear(at, now time.Time, by string) bool {
	if r.Window == nil || (!r.Generation.Before(at) && !r.Generation.After(now)) {
		return false
	}
	if !at.After(r.ClearedAt) {
		at = r.ClearedAt.Add(1)
	}
	r.Window, r.Generation = nil, time.Time{}
	r.ClearedAt, r.ClearedBy = at.UTC(), by
	return true
}

// join gives what two windows of one key say together. Evidence of equal strength
// extends, stronger that is not over replaces, weaker changes nothing while the
// window lasts.
func join(old, v run.Window, now time.Time) run.Window {
	w, takes := old, false
	switch {
	case v.How > old.How:
		takes = !v.Due(now) || old.Due(now)
	case v.How == old.How || old.Due(now):
		takes = later(v.Until, old.Until)
	}
	if takes {
		w = v
	} else if v.How == old.How && v.Until.Equal(old.Until) {
		if later(v.NextTry, w.NextTry) {
			w.NextTry = v.NextTry
		}
		if v.Kind == run.KindUsage {
			w.Kind = v.Kind
		}
		w.Tries = max(w.Tries, v.Tries)
	}
	if w.OpenedAt = old.OpenedAt; v.OpenedAt.Before(w.OpenedAt) {
		w.OpenedAt = v.OpenedAt
	}
	w.Trip = old.Trip || v.Trip
	return w
}

// later compares two instants of which zero is never.
func later(a, b time.Time) bool { return !b.IsZero() && (a.IsZero() || a.After(b)) }

// cut bounds a reason; what is cut within a letter is dropped whole.
func cut(s run.Untrusted) run.Untrusted {
	if len(s) <= maxReason {
		return s
	}
	return run.Untrusted(strings.ToValidUTF8(string(s[:maxReason]), ""))
}
