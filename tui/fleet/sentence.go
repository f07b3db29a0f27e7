package fleet

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/tui/headline"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// familiesNamed is how many limited families the sentence names.
const familiesNamed = 2

// sentence is how everything stands, for a line of width cells.
func (m Model) sentence(width int) headline.Sentence {
	var say headline.Sentence
	live := m.count(run.StandingWorking, run.StandingLimited, run.StandingAsking, run.StandingIdle)
	switch {
	case m.runs.Len() == 0 && (!m.told || !m.reading.Over()):
		say.Add(headline.ToneCalm, "looking for agent runs", "looking")
	case m.runs.Len() == 0:
		say.Add(headline.ToneCalm, "no agent runs yet", "no runs yet")
	case live == 0:
		say.Add(headline.ToneCalm, "nothing at work", "none at work")
	}
	m.counted(&say, run.StandingWorking)
	if n := m.count(run.StandingLimited); n > 0 {
		full, brief := m.limited(n)
		say.Add(headline.ToneWarn, full, brief)
	}
	m.counted(&say, run.StandingAsking)
	m.limits(&say)
	// The rest is seen in the list as well, and is told where there is room for all.
	all := say
	for _, standing := range []run.Standing{run.StandingIdle, run.StandingOrphaned, run.StandingUnreadable} {
		m.counted(&all, standing)
	}
	if ansi.StringWidth(all.String()) > width {
		return say
	}
	return all
}

func (m Model) count(standings ...run.Standing) int {
	n := 0
	for _, standing := range standings {
		n += m.runs.Count(standing)
	}
	return n
}

// counted tells how many runs stand so, if any.
func (m Model) counted(say *headline.Sentence, standing run.Standing) {
	n := m.runs.Count(standing)
	if n == 0 {
		return
	}
	tone := headline.ToneCalm
	if standing == run.StandingOrphaned {
		tone = headline.ToneWarn
	}
	said := strconv.Itoa(n) + " " + standing.String()
	say.Add(tone, said, said)
}

// limited tells of the runs that wait for a limit, and when the first of them goes on.
func (m Model) limited(n int) (full, brief string) {
	full = strconv.Itoa(n) + " limited"
	next, known := m.runs.NextLimit()
	if !known || !next.Until.After(m.now) {
		return full, full
	}
	left := text.Clock(next.Until.Sub(m.now))
	brief = full + " " + left
	if n > 1 {
		full += ", the first"
	}
	return full + " until " + text.Until(next.Until, m.now, m.options.Zone) + " (" + left + ")", brief
}

// limits tells of the families that are limited or may be.
func (m Model) limits(say *headline.Sentence) {
	more := 0
	for i, r := range m.gravest() {
		if i >= familiesNamed {
			more++
			continue
		}
		name := rowName(r)
		until := func(state string) string {
			if at := r.until(); at.After(m.now) {
				return name + " " + state + " until " + text.Until(at, m.now, m.options.Zone)
			}
			return name + " " + state
		}
		switch w := r.window; {
		case w == nil:
			say.Add(headline.ToneWarn, until("suspected"), name+" suspected")
		case w.Kind == run.KindBilling:
			say.Add(headline.ToneBad, name+" must be paid for", name+" unpaid")
		case w.Sort == run.SortLogin:
			say.Add(headline.ToneBad, name+" needs a login", name+" login")
		case w.Sort == run.SortHealth:
			say.Add(headline.ToneWarn, until("resting"), name+" resting")
		case w.Due(m.now):
			say.Add(headline.ToneWarn, name+" due for a try", name+" due")
		default:
			say.Add(headline.ToneWarn, until("tripped"), name+" tripped")
		}
	}
	if more > 0 {
		full := "limits on " + words.Many(more, "more family")
		if more > 1 {
			full = "limits on " + strconv.Itoa(more) + " more families"
		}
		say.Add(headline.ToneWarn, full, strconv.Itoa(more)+" more")
	}
}

// gravest is the first row of each family with a window or a suspicion, those that need
// the operator first.
func (m Model) gravest() []familyRow {
	var rows []familyRow
	seen := map[string]bool{}
	for _, r := range m.familyRows() {
		if (r.window != nil || r.suspicion != nil) && !seen[r.family.Name] {
			seen[r.family.Name] = true
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b familyRow) int { return a.rank() - b.rank() })
	return rows
}
