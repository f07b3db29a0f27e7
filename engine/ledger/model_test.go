package ledger_test

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/ledger"
	"example.com/layover/engine/run"
)

// book is the naive model of a ledger: all in memory, one after the other.
type book struct {
	now     time.Time
	windows map[run.WindowKey]run.Window
	opened  map[run.WindowKey]time.Time // the latest opening
	cleared map[run.WindowKey]time.Time // when one was last
	permits map[run.WindowKey]int       // who holds one, from 1
}

func over(w run.Window, now time.Time) bool { return !w.Until.IsZero() && !w.Until.After(now) }

func outlasts(a, b run.Window) bool {
	switch {
	case b.Until.IsZero():
		return false
	case a.Until.IsZero():
		return true
	}
	return a.Until.After(b.Until)
}

func (b *book) merge(v run.Window) {
	if v.OpenedAt.Before(b.cleared[v.WindowKey]) {
		return // an old story
	}
	old, known := b.windows[v.WindowKey]
	if !known || v.OpenedAt.After(b.opened[v.WindowKey]) {
		b.opened[v.WindowKey] = v.OpenedAt
	}
	if !known {
		b.windows[v.WindowKey] = v
		return
	}
	keep := !outlasts(v, old) // evidence of equal strength
	if v.How > old.How {
		keep = over(v, b.now) && !over(old, b.now)
	} else if v.How < old.How {
		keep = keep || !over(old, b.now)
	}
	w := v
	if keep {
		w = old
	}
	w.OpenedAt = old.OpenedAt
	if v.OpenedAt.Before(old.OpenedAt) {
		w.OpenedAt = v.OpenedAt
	}
	w.Trip = v.Trip || old.Trip
	b.windows[v.WindowKey] = w
}

func (b *book) clear(k run.WindowKey, at time.Time) {
	if _, known := b.windows[k]; known && b.opened[k].Before(at) {
		delete(b.windows, k)
		if last := b.cleared[k]; !at.After(last) {
			at = last.Add(1)
		}
		b.cleared[k] = at
	}
}

func (b *book) ask(keys []run.WindowKey, who int) bool {
	for _, k := range keys {
		if h := b.permits[k]; h != 0 && h != who {
			return false
		}
	}
	for _, k := range keys {
		b.permits[k] = who
	}
	return true
}

// reader is one who follows a ledger by what is new in it.
type reader struct {
	ledger *ledger.Ledger
	stamp  ledger.Stamp
	view   map[run.WindowKey]run.Window
}

func TestLedgerIsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "ledger")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(root) }()
		b := &book{now: noon(), windows: map[run.WindowKey]run.Window{}, opened: map[run.WindowKey]time.Time{}, cleared: map[run.WindowKey]time.Time{}, permits: map[run.WindowKey]int{}}
		var all []*reader
		for range 3 {
			l, err := ledger.Open(root, account,
				ledger.WithClock(func() time.Time { return b.now }),
				ledger.WithReport(func(err error) { t.Errorf("reported: %v", err) }))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			all = append(all, &reader{ledger: l, view: map[run.WindowKey]run.Window{}})
		}
		who := rapid.IntRange(1, len(all))
		key := rapid.SampledFrom([]run.WindowKey{limit(""), limit("opus"), limit("OPUS"), {Family: "../claude", Sort: run.SortLogin}, {Family: "claude", Sort: run.SortHealth}})
		instant := func(name string) time.Time {
			return b.now.Add(-time.Duration(rapid.IntRange(0, 5).Draw(t, name)) * time.Minute)
		}
		t.Repeat(map[string]func(*rapid.T){
			"merge": func(t *rapid.T) {
				w := run.Window{
					WindowKey: key.Draw(t, "key"), Kind: run.KindUsage, OpenedAt: instant("opened"),
					How: run.How(rapid.IntRange(1, 3).Draw(t, "how")), Trip: rapid.Bool().Draw(t, "trip"),
				}
				if h := rapid.IntRange(-1, 9).Draw(t, "minutes"); h != 9 {
					w.Until = b.now.Add(time.Duration(h) * time.Minute)
				}
				w.NextTry = w.Until
				b.merge(w)
				if err := all[who.Draw(t, "who")-1].ledger.Merge(w, false); err != nil {
					t.Fatal(err)
				}
			},
			"clear": func(t *rapid.T) {
				k, at, r := key.Draw(t, "key"), instant("at"), all[who.Draw(t, "who")-1]
				r.poll(t)
				b.clear(k, at)
				if err := r.ledger.Merge(run.Window{WindowKey: k, OpenedAt: at}, true); err != nil {
					t.Fatal(err)
				}
				if _, still := b.windows[k]; !still {
					delete(r.view, k)
				}
			},
			"ask": func(t *rapid.T) {
				keys, n := rapid.SliceOfN(key, 0, 4).Draw(t, "keys"), who.Draw(t, "who")
				want := b.ask(keys, n)
				if got, holder := all[n-1].ledger.TryPermit(keys); got != want || got != (holder == "") {
					t.Fatalf("granted: %v, holder %q, want %v", got, holder, want)
				}
			},
			"release": func(t *rapid.T) {
				k, n := key.Draw(t, "key"), who.Draw(t, "who")
				if all[n-1].ledger.Release(k); b.permits[k] == n {
					delete(b.permits, k)
				}
			},
			"poll": func(t *rapid.T) {
				r := all[who.Draw(t, "who")-1]
				r.poll(t)
				if diff := cmp.Diff(b.windows, r.view); diff != "" {
					t.Fatal(diff)
				}
			},
			"wait": func(t *rapid.T) { b.now = b.now.Add(time.Duration(rapid.IntRange(1, 600).Draw(t, "s")) * time.Second) },
			"": func(t *rapid.T) {
				got, err := all[0].ledger.Read()
				if err != nil {
					t.Fatal(err)
				}
				have := map[run.WindowKey]run.Window{}
				for _, w := range got {
					have[w.WindowKey] = w
				}
				if diff := cmp.Diff(b.windows, have); diff != "" || len(got) != len(have) {
					t.Fatal(diff)
				}
			},
		})
	})
}

func (r *reader) poll(t *rapid.T) {
	seen, next, err := r.ledger.Since(r.stamp)
	if err != nil {
		t.Fatal(err)
	}
	r.stamp = next
	for _, s := range seen {
		if s.Cleared {
			delete(r.view, s.Window.WindowKey)
		} else {
			r.view[s.Window.WindowKey] = s.Window
		}
	}
}
