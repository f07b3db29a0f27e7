package tui

import (
	"fmt"
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/layover/engine/run"
	"example.com/layover/styles"
	"example.com/layover/tui/bar"
	"example.com/layover/tui/headline"
	"example.com/layover/tui/pane"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// headerRows is what the header would like: name and budget, and the sentence.
const headerRows = 2

// header draws exactly h lines of w cells, the most important ones last. With one
// line it is the sentence alone, or the trouble that a run under way is in.
func (m Model) header(w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	s := m.options.Styles
	said := m.sentence()
	look, glyph := pane.Tone(m.options.Styles, said.Tone)
	switch {
	case m.layout.Lanes.Empty() && m.layout.Footer.Empty():
		lines := m.bannerLines(w, h)
		for _, line := range said.Lines(w, h-len(lines), s.Glyph.Dot) {
			lines = append(lines, look.Render(line))
		}
		return pane.Block(lines, w, h)
	case h == 1 && m.trouble != "" && !m.over():
		return pane.Block([]string{m.banner(w)}, w, h)
	case h == 1:
		return pane.Block([]string{look.Render(said.Fit(w, s.Glyph.Dot))}, w, h)
	}
	lines := []string{m.budget(w), " " + look.Render(glyph+" "+said.Fit(w-4, s.Glyph.Dot))}
	if m.trouble != "" {
		lines = append(lines, " "+m.banner(w-2))
	}
	return pane.Block(lines[max(0, len(lines)-h):], w, h)
}

// sentence is where the run stands, or why that is not known.
func (m Model) sentence() headline.Sentence {
	switch {
	case m.lost != nil:
		return headline.Lost(m.lost)
	case m.host != nil && m.state.Phase != run.PhaseEnded:
		return headline.Host(m.host.Exit, m.host.Err)
	case m.options.Listed && m.state.Phase == 0:
		var say headline.Sentence
		say.Add(headline.ToneCalm, "reading what it has done", "reading")
		return say
	}
	return headline.Of(m.state, m.now, m.options.Zone)
}

// budget is the first line: whose run it is, and what is spent and left.
func (m Model) budget(w int) string {
	s := m.options.Styles
	name := "layover"
	for _, n := range []string{string(m.options.Name), m.state.Program.Name} {
		if n != "" {
			name = words.Name(n)
		}
	}
	left := " " + s.Header.Title.Render(name)
	if n := m.state.Program.Iterations; n > 1 {
		left += s.Header.Title.Render(fmt.Sprintf(" %s iteration %d of %d", s.Glyph.Dot, m.state.Iteration, n))
	}
	right, used := "", 0
	for _, p := range m.spending() {
		part := p
		if used > 0 {
			part = "   " + p
		}
		if ansi.StringWidth(left)+used+ansi.StringWidth(part)+3 > w {
			break
		}
		right, used = right+part, used+ansi.StringWidth(part)
	}
	return text.Fit(left, w-used-1) + right + " "
}

// spending lists time, money and tokens, the most telling first.
func (m Model) spending() []string {
	if m.state.Phase == 0 {
		return nil
	}
	s := m.options.Styles
	end := m.now
	if m.state.Phase == run.PhaseEnded {
		end = m.state.EndedAt
	}
	clock := func(d time.Duration, what string) string {
		return s.Header.Clock.Render(text.Clock(d)) + s.Header.Detail.Render(" "+what)
	}
	parts := []string{clock(end.Sub(m.state.StartedAt), "elapsed")}
	if due := m.state.Deadline(); !due.IsZero() {
		parts = append(parts, clock(due.Sub(end), "left")+" "+m.budgetBar(end, due))
	}
	limits := m.state.Program.Limits
	cost := words.Cost(m.state.Usage)
	if cost == "" && limits.MaxCostUSD > 0 {
		cost = text.Cost(0)
	}
	if cost != "" {
		of := ""
		if limits.MaxCostUSD > 0 {
			of = " of " + text.Cost(limits.MaxCostUSD)
		}
		parts = append(parts, s.Header.Clock.Render(cost)+s.Header.Detail.Render(of))
	}
	if n := m.state.Usage.Tokens(); n > 0 || limits.MaxTokens > 0 {
		of := " tokens"
		if limits.MaxTokens > 0 {
			of = " of " + text.Count(limits.MaxTokens) + " tokens"
		}
		parts = append(parts, s.Header.Clock.Render(text.Count(n))+s.Header.Detail.Render(of))
	}
	return parts
}

// budgetBar shows how much of the time is gone, warmer when little is left.
func (m Model) budgetBar(now, due time.Time) string {
	s := m.options.Styles
	gone := float64(now.Sub(m.state.StartedAt)) / float64(due.Sub(m.state.StartedAt))
	var look styles.Bar
	switch {
	case gone >= 0.95:
		look = s.BarBad
	case gone >= 0.8:
		look = s.BarWarn
	default:
		look = s.Bar
	}
	return bar.Render(8, gone, look, s.Glyph.Bar)
}
