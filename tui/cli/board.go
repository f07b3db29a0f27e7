package cli

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/tui/roster"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// Board prints what is watched of many runs. It is used by one goroutine. Once a write has
// failed it writes no more and gives the same error each time.
type Board struct {
	out   stream
	words Words
	now   func() time.Time
	json  bool
	// runs are all that were told of, families the latest.
	runs     map[string]run.Watched
	families []run.FamilySeen
	last     run.Changes
	follows
}

// NewBoard makes a printer, of JSON objects or of lines for people, with instants in zone;
// nil means UTC.
func NewBoard(w io.Writer, asJSON bool, zone *time.Location, now func() time.Time) *Board {
	return &Board{
		out: stream{w: w}, words: Words{Zone: zone}, now: now, json: asJSON,
		runs: map[string]run.Watched{}, follows: follows{began: now(), said: map[string]spoken{}, limits: map[string]string{}},
	}
}

// Take takes note of what has changed, and prints nothing. A run that is both gone and there
// is there.
func (b *Board) Take(c run.Changes) {
	for _, key := range c.Gone {
		delete(b.runs, key)
	}
	for _, w := range c.Runs {
		b.runs[w.Key] = w
	}
	if c.Families != nil {
		b.families = c.Families
	}
	b.last = c
}

// boardPicture is all that is known, as one object.
type boardPicture struct {
	At       time.Time        `json:"ts"`
	Complete bool             `json:"complete"`
	Usage    run.Usage        `json:"usage"`
	Families []run.FamilySeen `json:"families"`
	Runs     []run.Watched    `json:"runs"`
	Notes    []string         `json:"notes,omitempty"`
}

func (b *Board) object(v any) {
	line, err := json.Marshal(v)
	if err != nil {
		b.out.err = cmp.Or(b.out.err, err)
		return
	}
	_ = b.out.line(run.PlainJSON(line)) // out keeps its error
}

// Picture prints all that is known.
func (b *Board) Picture() error {
	now := b.now()
	all := b.sorted(now)
	if b.json {
		families := b.families
		if families == nil {
			families = []run.FamilySeen{}
		}
		b.object(boardPicture{now, b.last.Complete, b.last.Usage, families, all, b.last.Notes})
		return b.out.err
	}
	b.table(all, now)
	return b.out.err
}

// sorted gives the runs as they stand now, in the order of the screen.
func (b *Board) sorted(now time.Time) []run.Watched {
	list := roster.New()
	list.Now(now)
	list.Apply(slices.Collect(maps.Values(b.runs)), nil)
	all := make([]run.Watched, 0, list.Len())
	for i := range list.Len() {
		row, _ := list.At(i)
		all = append(all, row.AsOf(now))
	}
	return all
}

// table prints runs and families for people.
func (b *Board) table(all []run.Watched, now time.Time) {
	line := func(s string) { _ = b.out.line([]byte(s)) } // out keeps its error
	listed := 0
	for _, w := range all {
		if w.State == run.StandingListed {
			listed++
			continue
		}
		line(b.stands(w, now) + b.extra(w, now))
	}
	switch {
	case len(all) == 0:
		line("no agent runs yet")
	case listed > 0:
		line(phrase("and %s that were not written to lately; --since reads older ones", many(listed, "other")))
	}
	for _, f := range b.families {
		for _, said := range b.family(f, now) {
			line(said)
		}
	}
	if n := b.last.Usage.Tokens(); n > 0 {
		line(phrase("%s tokens in all, each message once", text.Count(n)))
	}
	for _, n := range b.last.Notes {
		line(phrase("note: %s", n))
	}
}

// columns sets a word in front of a line, as of all that the board tells.
func columns(word, said string) string { return text.Fit(word, len("unreadable")) + "  " + said }

// who tells whose agent works in a run, who keeps it, and what it is called.
func (b *Board) who(w run.Watched) string {
	agent := ansi.Truncate(text.Line(run.Untrusted(cmp.Or(w.Family, "-")), longestPart), whoWidth, "…")
	said := text.Fit(agent, whoWidth) + "  " + text.Fit(words.Origin(w.Origin), fromWidth) + "  " + phrase("%s", cmp.Or(w.Name, run.Untrusted(w.Key)))
	if w.Origin == run.OriginLayover && !strings.Contains(string(w.Why), w.ID) { // the other commands want it
		said += phrase(" (%s)", w.ID)
	}
	return said
}

const (
	// whoWidth is how wide the column is that tells whose something is, in cells.
	whoWidth = 10
	// fromWidth is that of the column that tells who keeps a run.
	fromWidth = len("layover")
)

// stands tells where a run stands: what changes when there is news of it.
func (b *Board) stands(w run.Watched, now time.Time) string {
	said := columns(w.State.String(), b.who(w))
	switch w.State {
	case run.StandingLimited:
		if w.Until.IsZero() {
			said += "  until when is not known"
		} else {
			said += phrase("  until %s%s", b.words.at(w.Until, now), how(w.How))
		}
		return with(said, ": ", w.Why) + stopping(w)
	case run.StandingFailed, run.StandingStopped, run.StandingSilent, run.StandingOrphaned, run.StandingUnreadable, run.StandingIdle:
		return with(said, ": ", w.Why) + stopping(w)
	}
	return said + stopping(w)
}

// stopping tells that a run is asked to end.
func stopping(w run.Watched) string {
	switch {
	case w.Stop == run.StopSoft && w.State.Live():
		return "  stopping softly"
	case w.Stop == run.StopHard && w.State.Live():
		return "  stopping now"
	}
	return ""
}

// extra tells what changes all the time.
func (b *Board) extra(w run.Watched, now time.Time) string {
	said := ""
	if n := w.Usage.Tokens(); n > 0 {
		said += phrase("  %s tokens", text.Count(n))
	}
	if cost := words.Cost(w.Usage); cost != "" {
		said += "  " + cost
	}
	if !w.At.IsZero() && now.After(w.At) {
		said += phrase("  %s ago", text.Age(now.Sub(w.At)))
	}
	switch {
	case w.State == run.StandingAsking && w.Why != "": // its turn has failed
		said = with(said, "  ", w.Why)
	case w.State == run.StandingWorking, w.State == run.StandingAsking, w.Why == "":
		said = with(said, "  ", run.Untrusted(ansi.Truncate(text.Line(w.Doing, longestPart), 60, "…")))
	}
	return said
}

// family tells what is known of a family, a line each.
func (b *Board) family(f run.FamilySeen, now time.Time) []string {
	var lines []string
	for _, w := range f.Windows {
		if w.Until.IsZero() || !w.Due(now) {
			lines = append(lines, b.words.closed(w, now))
		}
	}
	for _, s := range f.Suspicions {
		if now.Before(s.Until) {
			name := run.WindowKey{Family: s.Family, Model: s.Model, Sort: run.SortLimit}
			lines = append(lines, phrase("%s: suspected until %s: %s", name, b.words.at(s.Until, now), s.Why))
		}
	}
	var full []string
	for _, r := range f.Readings {
		if r.Current(now) {
			said := phrase("%s", text.Gauge(r.Gauge))
			if !r.Resets.IsZero() {
				said += phrase(" (resets %s)", b.words.at(r.Resets, now))
			}
			full = append(full, said)
		}
	}
	if len(full) > 0 {
		lines = append(lines, phrase("%s: ", f.Name)+strings.Join(full, " · "))
	}
	return lines
}
