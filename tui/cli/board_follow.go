package cli

import (
	"hash/maphash"
	"maps"
	"slices"
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// follows is what was printed so far of what changes.
type follows struct {
	// began is when the board did: lines of other days name theirs.
	began time.Time
	// said is what was printed last of a run, by its key.
	said map[string]spoken
	// limits is what was printed last of a family, or of a model of it, by its name; only of
	// those with which something is amiss.
	limits map[string]string
	notes  []string
	// whole is set once all was read that there was at first. Before that, limits come and go.
	whole bool
}

// spoken is what was printed of a run: the sum of how it stands, and what it is called.
// There may be many thousands.
type spoken struct {
	said uint64
	who  string
}

var saidSeed = maphash.MakeSeed()

// boardChange is one line of JSON.
type boardChange struct {
	At       time.Time        `json:"ts"`
	Run      *run.Watched     `json:"run,omitempty"`
	Gone     string           `json:"gone,omitempty"`
	Families []run.FamilySeen `json:"families,omitzero"`
	Notes    []string         `json:"notes,omitzero"`
}

// Follow prints what has changed: all of it as JSON, one object a line; and for people where
// runs stand, which are gone, how families are limited, and notes.
func (b *Board) Follow(c run.Changes) error {
	if c.Families != nil {
		b.families = c.Families
	}
	now := b.now()
	noted := !slices.Equal(c.Notes, b.notes)
	switch {
	case b.json:
		b.objects(c, now, noted)
	default:
		b.lines(c, now)
	}
	b.notes = c.Notes
	return b.out.err
}

func (b *Board) objects(c run.Changes, now time.Time, noted bool) {
	for _, key := range c.Gone {
		b.object(boardChange{At: now, Gone: key})
	}
	for _, w := range c.Runs {
		w = w.AsOf(now)
		b.object(boardChange{At: now, Run: &w})
	}
	if c.Families != nil {
		b.object(boardChange{At: now, Families: c.Families})
	}
	if noted {
		b.object(boardChange{At: now, Notes: append([]string{}, c.Notes...)})
	}
}

func (b *Board) lines(c run.Changes, now time.Time) {
	back := map[string]bool{}
	if len(c.Gone) > 0 {
		for _, w := range c.Runs {
			back[w.Key] = true
		}
	}
	for _, key := range c.Gone {
		last, told := b.said[key]
		if delete(b.said, key); told && !back[key] {
			b.line(now, columns("gone", last.who))
		}
	}
	for _, w := range c.Runs {
		w = w.AsOf(now)
		said := b.stands(w, now)
		is := spoken{maphash.String(saidSeed, said), b.who(w)}
		if is != b.said[w.Key] && w.State != run.StandingListed {
			b.said[w.Key] = is
			b.line(now, said)
		}
	}
	if b.whole = b.whole || c.Complete; b.whole {
		b.limited(now)
	}
	for _, n := range c.Notes {
		if !slices.Contains(b.notes, n) {
			b.line(now, columns("note", phrase("%s", n)))
		}
	}
}

// line prints a line with its time in front.
func (b *Board) line(now time.Time, said string) {
	_ = b.out.line([]byte(text.Stamp(now, b.began, b.words.Zone) + "  " + said)) // out keeps its error
}

// limited prints what has changed of the limits of families.
func (b *Board) limited(now time.Time) {
	is := map[string]string{}
	for _, f := range b.families {
		b.amiss(f, now, is)
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if is[name] != b.limits[name] {
			b.line(now, is[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.limits)) {
		if is[name] == "" {
			b.line(now, columns("free", name))
		}
	}
	b.limits = is
}

// amiss tells what is amiss with a family and its models, by their names: of each what is
// gravest.
func (b *Board) amiss(f run.FamilySeen, now time.Time, all map[string]string) {
	windows := slices.Clone(f.Windows)
	slices.SortStableFunc(windows, func(x, y run.Window) int { return gravity(y) - gravity(x) })
	for _, w := range windows {
		name := words.Window(w.WindowKey)
		if all[name] != "" {
			continue
		}
		until := "until when is not known"
		switch {
		case w.Until.IsZero() && w.Sort == run.SortLogin:
			until = "until mended"
		case w.Due(now):
			until = "since " + text.Stamp(w.Until, now, b.words.Zone) // not rounded up: it has come
		case !w.Until.IsZero():
			until = "until " + b.words.at(w.Until, now) + how(w.How)
		}
		all[name] = with(columns(words.Amiss(&w, now), inColumn(name)+"  "+until), ": ", w.Reason)
	}
	for _, s := range f.Suspicions {
		name := words.Window(run.WindowKey{Family: s.Family, Model: s.Model})
		if now.Before(s.Until) && all[name] == "" {
			all[name] = with(columns("suspected", inColumn(name)+"  until "+b.words.at(s.Until, now)), ": ", s.Why)
		}
	}
}

// inColumn is a name in the column that tells whose something is; a longer one is not cut.
func inColumn(name string) string { return text.Fit(name, max(whoWidth, ansi.StringWidth(name))) }

// gravity orders windows of one name: a login waits for somebody.
func gravity(w run.Window) int {
	if w.Sort == run.SortLogin {
		return 1
	}
	return 0
}
