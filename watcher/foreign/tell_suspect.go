package foreign

import (
	"slices"
	"time"

	"example.com/layover/engine/run"
)

// suspect tells which families are suspected on the word of the run's files, and which no
// more.
func (d *draft) suspect(p *picture) {
	own := p.said()
	served := servedOf(slices.Concat(own, p.others))
	var of []run.Suspicion
	for _, w := range p.words {
		if served.holds(w.Suspicion, d.now) {
			of = append(of, w.Suspicion)
		}
	}
	of = append(of, d.elsewhere(own, p, served)...)
	if was := d.t.doubts; !slices.EqualFunc(of, was, sameDoubt) {
		d.t.doubts = of
		i := slices.IndexFunc(was, func(s run.Suspicion) bool { return !slices.ContainsFunc(of, alike(s)) })
		if i >= 0 { // all of the run end with one
			d.aside(d.late, run.SuspicionEnded{Family: was[i].Family, Why: over(was[i], d.now)})
		}
		for _, s := range of {
			switch {
			case i >= 0:
				d.aside(d.late, run.FamilySuspected{Suspicion: s})
			case !slices.ContainsFunc(was, alike(s)):
				d.aside(s.Since, run.FamilySuspected{Suspicion: s})
			}
		}
	}
	for i := range p.lanes {
		d.doubt(&p.lanes[i], served)
	}
}

// elsewhere are the suspicions of others about families of the run that no word of its own
// suspects: one of each family and model, that which lasts longest. A run that is over they
// do not concern.
func (d *draft) elsewhere(own []Word, p *picture, served answers) []run.Suspicion {
	if p.over {
		return nil
	}
	mine := map[string]bool{}
	for _, a := range d.t.agents {
		mine[a.Family] = true
	}
	suspects := func(s run.Suspicion) bool {
		return slices.ContainsFunc(own, func(w Word) bool {
			return w.Suspicion.Family == s.Family && w.Suspicion.Model == s.Model && served.holds(w.Suspicion, d.now)
		})
	}
	var all []run.Suspicion
	for _, s := range p.bound { // no answer takes it back
		if mine[s.Family] && d.now.Before(s.Until) && !suspects(s) {
			all = append(all, s)
		}
	}
	for _, w := range p.others {
		if s := w.Suspicion; mine[s.Family] && served.holds(s, d.now) && !suspects(s) {
			all = append(all, s)
		}
	}
	return longest(all)
}

// boundBy are the suspicions of windows that bind runs of Layover's.
func boundBy(windows []run.Window) []run.Suspicion {
	var all []run.Suspicion
	for _, w := range windows {
		if w.Sort == run.SortLimit && !w.Until.IsZero() {
			all = append(all, run.Suspicion{Family: w.Family, Model: w.Model, Since: w.OpenedAt, Until: w.Until, Why: "it is limited for the runs of Layover"})
		}
	}
	return all
}

// said are the words of the run and of its lanes.
func (p *picture) said() []Word {
	words := slices.Clone(p.words)
	for i := range p.lanes {
		words = append(words, p.lanes[i].words)
	}
	return words
}

// aside adds a note about the run.
func (d *draft) aside(at time.Time, b run.Body) {
	d.notes = append(d.notes, note{at: past(at, d.late), body: func() run.Body { return b }})
}

func (d *draft) doubt(l *lane, served answers) {
	x := d.t.lanes[l.key]
	s := l.words.Suspicion
	if !x.spawned || !served.holds(s, d.now) {
		s = run.Suspicion{}
	}
	if sameDoubt(s, x.doubt) {
		return
	}
	if was := x.doubt; was != (run.Suspicion{}) {
		d.add(x, d.late, func() run.Body {
			return run.SuspicionEnded{Family: was.Family, Attempt: x.doubtOf, Why: over(was, d.now)}
		})
	}
	if x.doubt = s; s != (run.Suspicion{}) {
		d.add(x, s.Since, func() run.Body {
			s := s
			x.doubtOf = x.attempt
			s.Attempt, s.Lane = x.attempt, x.id
			return run.FamilySuspected{Suspicion: s}
		})
	}
}

// over says why a suspicion ends.
func over(s run.Suspicion, now time.Time) string {
	if now.Before(s.Until) {
		return "its files say so no more"
	}
	return "old"
}

func alike(a run.Suspicion) func(run.Suspicion) bool {
	return func(b run.Suspicion) bool { return sameDoubt(a, b) }
}

func sameDoubt(a, b run.Suspicion) bool {
	return a.Family == b.Family && a.Model == b.Model && a.Why == b.Why && a.Since.Equal(b.Since) && a.Until.Equal(b.Until)
}
