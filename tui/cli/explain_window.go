package cli

import (
	"strings"
	"time"

	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// opened is what a verdict opens: while it is open nothing of it is used.
type opened struct {
	Kind   string  `json:"kind"`
	Family string  `json:"family"`
	Model  *string `json:"model"`
	// Limit is the agent's own name for it.
	Limit *string `json:"limit"`
	// late is set if it opens only when retries have led to nothing.
	late bool
}

// window tells which window the verdict opens; nil if it opens none.
func (x explanation) window() *opened {
	v := x.Verdict
	w := &opened{Family: orUnknown(x.family), Limit: word(x.Limit)}
	switch v.Class {
	case run.ClassRateLimited:
		w.Kind = v.Kind.String()
		if v.Scope == run.ScopeModel {
			w.Model = word(v.Model)
		}
	case run.ClassOverloaded:
		w.Kind, w.late = run.KindThrottle.String(), true
	case run.ClassAuth:
		w.Kind = run.KindAuth.String()
	case run.ClassBilling:
		w.Kind = run.KindBilling.String()
	default:
		return nil
	}
	return w
}

// String words it.
func (w *opened) String() string {
	said := w.Family
	if said == orUnknown("") {
		said = "its family"
	}
	if w.Model != nil {
		said += ":" + *w.Model
	}
	if said = say1(said); w.Kind != "" {
		said += ", " + w.Kind
	}
	if w.Limit != nil {
		said += phrase(", the %s limit", strings.ReplaceAll(*w.Limit, "_", "-"))
	}
	switch {
	case w.late:
		said += ", once retries have led to nothing"
	case w.Kind == run.KindAuth.String(), w.Kind == run.KindBilling.String():
		said += ", until somebody mends it"
	}
	return said
}

// passed finds a reset in a message of a limit that none was found in: one that lies
// before now. It reads the message as of ever earlier times. What the events beside it
// state counts first: it has a date.
func (e *explainer) passed(v run.Verdict, message string, now time.Time) time.Time {
	if v.Class != run.ClassRateLimited || !v.Reset.IsZero() {
		return time.Time{}
	}
	for _, found := range v.Evidence[min(1, len(v.Evidence)):] {
		if t := e.before(string(found.Excerpt), now); !t.IsZero() {
			return t
		}
	}
	return e.before(message, now)
}

// before is the reset before now that a text tells; zero if it tells none.
func (e *explainer) before(text string, now time.Time) time.Time {
	for _, back := range earlier() {
		t, _ := reset.Text(text, reset.Clock{Now: now.Add(-back), Zone: e.zone})
		if !t.IsZero() {
			if t.After(now) { // it is known as of then only
				return time.Time{}
			}
			return t
		}
	}
	return time.Time{}
}

// earlier lists how far back messages are read: half a day, as a clock time is that of a
// day, then in steps within which a date is believed, for five years.
func earlier() []time.Duration {
	const day = 24 * time.Hour
	all := []time.Duration{day / 2, day - time.Hour}
	for back := 34 * day; back < 5*366*day; back += 34 * day {
		all = append(all, back)
	}
	return all
}
