package ledger

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/run"
)

const stem = "claude++limit+a1"

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// at is a window of an evidence that lasts so many hours from noon.
func at(how run.How, hours int) run.Window {
	end := noon().Add(time.Duration(hours) * time.Hour)
	return run.Window{
		WindowKey: run.WindowKey{Family: "claude", Sort: run.SortLimit}, Kind: run.KindThrottle,
		OpenedAt: noon(), Until: end, NextTry: end, How: how,
	}
}

func TestJoinIsByEvidence(t *testing.T) {
	const assumed, text, stated = run.HowAssumed, run.HowText, run.HowStated
	never := at(stated, 0)
	never.Until, never.NextTry = time.Time{}, time.Time{}
	for name, tt := range map[string]struct {
		old, v, want run.Window
		now          int
	}{
		"equal and later extends":                {at(text, 2), at(text, 3), at(text, 3), 0},
		"equal and earlier does not":             {at(text, 3), at(text, 2), at(text, 3), 0},
		"stronger replaces by a later end":       {at(text, 2), at(stated, 3), at(stated, 3), 0},
		"stronger replaces by an earlier end":    {at(text, 3), at(stated, 2), at(stated, 2), 0},
		"stronger that is over does not":         {at(text, 3), at(stated, 1), at(text, 3), 1},
		"stronger replaces where both are over":  {at(text, 2), at(stated, 1), at(stated, 1), 4},
		"weaker and later does not":              {at(text, 2), at(assumed, 3), at(text, 2), 0},
		"weaker and later does once that is due": {at(text, 2), at(assumed, 3), at(assumed, 3), 2},
		"weaker and earlier does not even then":  {at(text, 2), at(assumed, 1), at(text, 2), 2},
		"never is latest":                        {at(stated, 2), never, never, 0},
		"nothing is later than never":            {never, at(stated, 2), never, 9},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, join(tt.old, tt.v, noon().Add(time.Duration(tt.now)*time.Hour))); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

func TestJoinKeepsWhatIsMore(t *testing.T) {
	a, b := at(run.HowStated, 3), at(run.HowStated, 3)
	a.OpenedAt, b.OpenedAt = noon().Add(time.Minute), noon()
	a.Trip, b.Kind, b.Tries, b.NextTry = true, run.KindUsage, 2, b.NextTry.Add(time.Hour)
	want := b
	want.Trip = true
	for name, got := range map[string]run.Window{"one way": join(a, b, noon()), "the other": join(b, a, noon())} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestClearNeedsALaterGeneration(t *testing.T) {
	for name, tt := range map[string]struct {
		opened  []time.Duration
		at, now time.Duration
		want    bool
	}{
		"opened before":            {[]time.Duration{1}, 2, 3, true},
		"opened at that instant":   {[]time.Duration{2}, 2, 3, false},
		"opened after":             {[]time.Duration{3}, 2, 4, false},
		"opened before and after":  {[]time.Duration{1, 3}, 2, 4, false},
		"opened after and before":  {[]time.Duration{3, 1}, 2, 4, false},
		"opened by a wrong clock":  {[]time.Duration{9}, 2, 3, true},
		"there is nothing to do":   {nil, 2, 3, false},
		"opened before everything": {[]time.Duration{0, 1}, 2, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := &record{}
			for _, d := range tt.opened {
				w := at(run.HowStated, 5)
				w.OpenedAt = noon().Add(d)
				r.merge(w, noon())
			}
			if got := r.clear(noon().Add(tt.at), noon().Add(tt.now), "me"); got != tt.want || (r.Window == nil) != (got || tt.opened == nil) {
				t.Fatalf("cleared: %v, %+v", got, r.Window)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	const good = `{"version":1,"key":"claude++limit+a1"}`
	for name, tt := range map[string]struct {
		data string
		want error
	}{
		"nothing":             {"", errCorrupt},
		"torn":                {good[:20], errCorrupt},
		"zeros":               {strings.Repeat("\x00", 40), errCorrupt},
		"two":                 {good + good, errCorrupt},
		"no version":          {`{"key":"claude++limit+a1"}`, errForeign},
		"another's":           {`{"name":"x","version":-3}`, errForeign},
		"the next version":    {`{"version":2,"key":7}`, errNewer},
		"another key":         {`{"version":1,"key":"claude++login+a1"}`, errForeign},
		"no key":              {`{"version":1,"key":"claude"}`, errCorrupt},
		"an unknown evidence": {`{"version":1,"key":"claude++limit+a1","window":{"how":"heard"}}`, errCorrupt},
		"an odd clearer":      {`{"version":1,"key":"claude++limit+a1","cleared_by":"\u001b[2J"}`, errForeign},
		"too large":           {good + strings.Repeat(" ", maxFile), errTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := decode(stem, []byte(tt.data)); !errors.Is(err, tt.want) || !damage(err) {
				t.Fatalf("%v, want %v", err, tt.want)
			}
		})
	}
	if _, err := decode(stem, []byte(good)); err != nil {
		t.Fatal(err)
	}
}

// Whatever lies in the file, it is refused as damaged, or it is a window of that
// name that can be written and read again.
func FuzzDecode(f *testing.F) {
	r := &record{Key: stem}
	w := at(run.HowStated, 2)
	w.Reason = "limit \x1b[2J reached\xff"
	r.merge(w, noon())
	data, err := r.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(stem, data)
	f.Add(stem, data[:len(data)/2])
	f.Add(stem, []byte(`{"version":2}`))
	f.Add("%43laude++limit+", []byte(`{"version":1,"key":"%43laude++limit+","window":{"family":"claude","until":"9999-12-31T23:59:59-01:00"}}`))
	f.Fuzz(func(t *testing.T, stem string, data []byte) {
		r, err := decode(stem, data)
		if err != nil {
			if !damage(err) {
				t.Fatalf("not damaged: %v", err)
			}
			return
		}
		again, err := r.encode()
		if err != nil {
			t.Fatal(err)
		}
		same, err := decode(stem, again)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, same, cmp.AllowUnexported(record{})); diff != "" {
			t.Fatal(diff)
		}
		if r.merge(w, noon()); r.Window.Family != r.key.Family && r.Window.Family != "claude" {
			t.Fatalf("%+v", r.Window)
		}
	})
}
