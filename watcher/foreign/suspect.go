package foreign

import (
	"cmp"
	"slices"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/stream"
)

const (
	// suspectFor is how long a suspicion lasts of which nobody has said when it ends.
	suspectFor = 10 * time.Minute
	// believable is how far ahead a stated reset may lie; a month's allowance is the longest.
	believable = 35 * 24 * time.Hour
	// sameCall is how long after a refusal a model may still answer to a call that was let
	// in before it.
	sameCall = time.Minute
)

// Word is what one source says about a family's limits. The zero value says nothing.
type Word struct {
	// Suspicion is what it suspects; it has no Until if it suspects nothing.
	Suspicion run.Suspicion
	// Family and Model are those that answered last, at Served; zero if none has.
	Family, Model string
	Served        time.Time
}

// WordOf is what the stream of an agent says. Modified is when its file was last written:
// it stands in for an instant that no line states.
func WordOf(a stream.Account, modified time.Time) Word {
	return wordOf(familyOf(a.Family), a, modified)
}

func wordOf(family string, a stream.Account, fallback time.Time) Word {
	if family == "" {
		return Word{}
	}
	w := Word{Family: family, Model: modelOf(a), Served: a.ServedAt}
	s := run.Suspicion{Family: family}
	switch over := a.Turn == stream.TurnOver; {
	case over && limited(a.Verdict.Class):
		s.Since = first(a.At, a.SuspectedAt, fallback)
		s.Until = until(s.Since, a.Verdict.Reset)
		s.Why = said(a.Verdict)
		if a.Verdict.Scope == run.ScopeModel {
			s.Model = word(a.Verdict.Model)
		}
	case a.Limit.Class != 0: // another turn was begun since
		s.Since = first(a.SuspectedAt, a.At, fallback)
		s.Until = until(s.Since, a.Limit.Reset)
		s.Why = said(a.Limit)
		if a.Limit.Scope == run.ScopeModel {
			s.Model = word(a.Limit.Model)
		}
	case a.Suspect != "":
		s.Since = first(a.SuspectedAt, a.At, fallback)
		s.Until = until(s.Since, full(a.Readings))
		s.Why = cut(a.Suspect, longestText)
	}
	if !s.Until.IsZero() {
		w.Suspicion = s
	}
	return w
}

// full is when the last allowance that is spent is there again; zero if none is said to be.
func full(gauges []run.Reading) time.Time {
	var at time.Time
	for _, g := range gauges {
		if g.Full() {
			at = later(at, g.Resets)
		}
	}
	return at
}

// limited reports whether an end means that others will be refused, too.
func limited(c run.Class) bool { return c == run.ClassRateLimited || c == run.ClassOverloaded }

// said is what a verdict says, in a line's length.
func said(v run.Verdict) string {
	if v.Message == "" {
		return v.Class.String()
	}
	return cut(string(v.Message), longestText)
}

// until is when a suspicion is over that began at an instant: at the reset that was
// stated, if that can be believed. Zero if neither instant is known.
func until(since, reset time.Time) time.Time {
	switch {
	case since.IsZero():
		return time.Time{}
	case reset.After(since.Add(believable)):
		return since.Add(believable)
	case reset.After(since):
		return reset
	}
	return since.Add(suspectFor)
}

// WordsOf is what the history of limits in a run.json says, a word for each family and
// model: the limit that lasts longest.
func WordsOf(o run.Origin, f *runfile.File) []Word {
	last := map[[2]string]run.Suspicion{}
	for _, l := range f.Limited {
		key := [2]string{familyOf(l.Family), word(l.Model)}
		s := run.Suspicion{
			Family: key[0], Model: key[1], Since: first(l.TrippedAt, f.Start),
			Why: o.String() + " says it is limited",
		}
		if l.Reason != "" {
			s.Why = o.String() + ": " + cut(string(l.Reason), longestText)
		}
		s.Until = until(s.Since, l.ResetsAt)
		if key[0] != "" && !s.Until.IsZero() && s.Until.After(last[key].Until) {
			last[key] = s
		}
	}
	words := make([]Word, 0, len(last))
	for _, s := range last {
		words = append(words, Word{Suspicion: s})
	}
	slices.SortFunc(words, func(a, b Word) int { return compare(a.Suspicion, b.Suspicion) })
	return words[:min(len(words), mostWords)]
}

// mostWords bounds what one file may say; there are a handful of families.
const mostWords = 64

func compare(a, b run.Suspicion) int {
	return cmp.Or(cmp.Compare(a.Family, b.Family), cmp.Compare(a.Model, b.Model), b.Until.Compare(a.Until), a.Since.Compare(b.Since), cmp.Compare(a.Why, b.Why))
}

// Suspicions are the families and models that are suspected now on the word of files of
// others, one of each: that which lasts longest. A model that answers later takes it back.
func Suspicions(now time.Time, words []Word) []run.Suspicion {
	var all []run.Suspicion
	served := servedOf(words)
	for _, w := range words {
		if s := w.Suspicion; served.holds(s, now) {
			all = append(all, s)
		}
	}
	return longest(all)
}

// longest leaves one of each family and model, that which lasts longest.
func longest(all []run.Suspicion) []run.Suspicion {
	slices.SortFunc(all, compare)
	return slices.CompactFunc(all, func(a, b run.Suspicion) bool { return a.Family == b.Family && a.Model == b.Model })
}

// answers are the instants at which models were last seen to answer, by family and model;
// without a model, by any.
type answers map[[2]string]time.Time

func servedOf(words []Word) answers {
	all := answers{}
	for _, w := range words {
		for _, model := range []string{"", w.Model} {
			key := [2]string{w.Family, model}
			all[key] = later(all[key], w.Served)
		}
	}
	return all
}

// holds reports whether a suspicion is one, and holds now.
func (a answers) holds(s run.Suspicion, now time.Time) bool {
	return now.Before(s.Until) && !s.Since.After(now.Add(sameCall)) && !a[[2]string{s.Family, s.Model}].After(s.Since.Add(sameCall))
}

// spoken leaves out the words that say nothing.
func spoken(words []Word) []Word {
	return slices.DeleteFunc(words, func(w Word) bool { return w.Suspicion.Until.IsZero() && w.Served.IsZero() })
}

// modelOf is the model that a stream names.
func modelOf(a stream.Account) string {
	for _, m := range []string{a.Model, a.Activity.Model, a.Verdict.Model} {
		if m != "" {
			return word(m)
		}
	}
	return ""
}
