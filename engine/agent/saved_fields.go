package agent

import (
	"math"
	"strings"

	"example.com/layover/engine/agent/pack"
	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// Each visit lists what is saved of one dialect once, for writing and for reading.

// maxSavedCount bounds counts of lines and the like, so that they can be counted on.
const maxSavedCount = math.MaxInt32

func (c *claude) visit(p *pack.Codec) {
	pack.Text(p, &c.session)
	pack.Text(p, &c.init)
	pack.Text(p, &c.model)
	visitUsage(p, &c.usage)
	p.Float(&c.cost)
	p.Flag(&c.priced)
	c.cycle.visit(p)
	pack.Text(p, &c.streams)
	c.dir.visit(p)
	c.limits.visit(p)
	p.Count(&c.retries, maxSavedCount)
	pack.Text(p, &c.text)
	pack.Text(p, &c.tag)
	visitRaw(p, &c.prose)
	p.Flag(&c.active)
	c.result.visit(p)
}

func (l *claudeLimits) visit(p *pack.Codec) {
	p.Flag(&l.any)
	l.latest.visit(p)
	l.family.visit(p)
	p.Time(&l.passed)
}

func (w *claudeWindow) visit(p *pack.Codec) {
	p.Count(&w.line, maxSavedCount)
	p.Time(&w.reset)
	pack.Text(p, &w.name)
	pack.Text(p, &w.text)
}

func (r *claudeResult) visit(p *pack.Codec) {
	p.Count(&r.line, maxSavedCount)
	p.Time(&r.now)
	visitEnum(p, &r.class, run.ClassCancelled)
	pack.Word(p, &r.found.rule)
	visitEnum(p, &r.found.class, run.ClassCancelled)
	visitEnum(p, &r.found.kind, run.KindHealth)
	visitEnum(p, &r.found.scope, run.ScopeModel)
	pack.Text(p, &r.found.model)
	pack.Text(p, &r.text)
}

func (c *claudeTranscript) visit(p *pack.Codec) {
	pack.Text(p, &c.session)
	pack.Text(p, &c.model)
	c.dir.visit(p)
	p.Flag(&c.main)
	p.Flag(&c.asked)
	c.usage.visit(p)
	p.Count(&c.retries, maxSavedCount)
	p.Count(&c.end.line, maxSavedCount)
	p.Time(&c.end.now)
	pack.Text(p, &c.end.reason)
	pack.Text(p, &c.end.text)
	pack.Text(p, &c.end.tag)
	p.Count(&c.end.status, maxSavedCount)
}

func (c *codex) visit(p *pack.Codec) {
	pack.Text(p, &c.session)
	visitUsage(p, &c.usage)
	p.Count(&c.retries, maxSavedCount)
	p.Count(&c.end.line, maxSavedCount)
	p.Time(&c.end.now)
	p.Flag(&c.end.failed)
	pack.Text(p, &c.end.message)
	p.Flag(&c.end.cut)
}

func (c *codexRollout) visit(p *pack.Codec) {
	pack.Text(p, &c.session)
	pack.Text(p, &c.model)
	c.dir.visit(p)
	visitUsage(p, &c.usage)
	p.Flag(&c.asked)
	p.Count(&c.retries, maxSavedCount)
	for i := range c.gauges {
		visitGauge(p, &c.gauges[i])
	}
	p.Count(&c.end.line, maxSavedCount)
	p.Time(&c.end.now)
	visitEnum(p, &c.end.class, run.ClassCancelled)
	pack.Text(p, &c.end.text)
	pack.Text(p, &c.end.tag)
}

func (g *gemini) visit(p *pack.Codec) {
	pack.Text(p, &g.session)
	pack.Text(p, &g.model)
	p.Flag(&g.kept)
	visitUsage(p, &g.usage)
	visitSpeech(p, &g.message)
	pack.Text(p, &g.fault)
	visitRaw(p, &g.last)
	p.Count(&g.end.line, maxSavedCount)
	p.Time(&g.end.now)
	p.Flag(&g.end.failed)
	pack.Text(p, &g.end.kind)
	pack.Text(p, &g.end.message)
}

func (c *cursor) visit(p *pack.Codec) {
	pack.Text(p, &c.session)
	pack.Text(p, &c.model)
	visitUsage(p, &c.usage)
	p.Count(&c.end.line, maxSavedCount)
	p.Time(&c.end.now)
	p.Flag(&c.end.failed)
	pack.Text(p, &c.end.text)
}

func (o *opencode) visit(p *pack.Codec) {
	pack.Text(p, &o.session)
	visitUsage(p, &o.usage)
	p.Flag(&o.erred)
	e := &o.end
	p.Count(&e.line, maxSavedCount)
	pack.Text(p, &e.reason)
	pack.Text(p, &e.name)
	p.Time(&e.now)
	p.Count(&e.done, maxSavedCount)
	pack.Text(p, &e.answer.text)
	pack.Text(p, &e.answer.tag)
	p.Count(&e.answer.status, maxSavedCount)
	headers := string(e.answer.headers)
	if pack.Text(p, &headers); p.Reading() && headers != "" {
		e.answer.headers = record.Raw(headers)
	}
	pack.Text(p, &e.answer.body)
}

func (c *copilot) visit(p *pack.Codec) {
	pack.Text(p, &c.session)
	pack.Text(p, &c.model)
	visitUsage(p, &c.spoken)
	visitUsage(p, &c.counted)
	p.Count(&c.refused, maxSavedCount)
	p.Count(&c.tries, maxSavedCount)
	p.Count(&c.limited, maxSavedCount)
	f := &c.fault
	p.Count(&f.line, maxSavedCount)
	p.Time(&f.now)
	pack.Text(p, &f.kind)
	pack.Text(p, &f.code)
	pack.Text(p, &f.text)
	p.Count(&f.status, maxSavedCount)
	p.Count(&c.end.line, maxSavedCount)
	pack.Number(p, &c.end.code)
	p.Flag(&c.end.aborted)
}

func (g *grok) visit(p *pack.Codec) {
	pack.Text(p, &g.session)
	pack.Text(p, &g.model)
	visitUsage(p, &g.usage)
	visitSpeech(p, &g.message)
	p.Count(&g.end.line, maxSavedCount)
	pack.Text(p, &g.end.reason)
	p.Flag(&g.end.failed)
	p.Time(&g.end.now)
	pack.Text(p, &g.end.text)
	p.Flag(&g.end.step)
}

func (a *aider) visit(p *pack.Codec) {
	pack.Text(p, &a.model)
	p.Count(&a.lines, maxSavedCount)
	p.Count(&a.tries, maxSavedCount)
	p.Count(&a.limited, maxSavedCount)
	a.fault.visit(p)
	p.Count(&a.ended, maxSavedCount)
}

func (g *generic) visit(p *pack.Codec) {
	pack.List(p, &g.tail, record.MaxErrorText, func(p *pack.Codec, s *spoken) { s.visit(p) })
	if p.Reading() {
		g.size = 0
		for _, s := range g.tail {
			g.size += len(s.text)
		}
	}
}

func (s *spoken) visit(p *pack.Codec) {
	p.Count(&s.line, maxSavedCount)
	pack.Text(p, &s.text)
}

func visitUsage(p *pack.Codec, u *run.Usage) {
	for _, n := range []*int64{&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.Unpriced} {
		if pack.Number(p, n); p.Reading() && *n < 0 {
			*n = 0
			p.Fail()
		}
	}
	p.Float(&u.CostUSD)
}

func visitGauge(p *pack.Codec, g *run.Gauge) {
	pack.Text(p, &g.Limit)
	p.Float(&g.Used)
	pack.Number(p, &g.Window)
	p.Time(&g.Resets)
}

func visitEnum[T ~int](p *pack.Codec, v *T, last T) {
	n := int(*v)
	p.Count(&n, int(last))
	*v = T(n)
}

// visitRaw goes through a string as it stands in a record. It is left out if it may not be
// written as it is; of one that was cut, the last word is.
func visitRaw(p *pack.Codec, raw *[]byte) {
	text := string(*raw)
	if !strings.HasSuffix(text, `"`) {
		text = text[:strings.LastIndexAny(text, " \t")+1]
	}
	if !p.Reading() && !p.Kept(record.Raw(closed(text)).Text()) {
		text = ""
	}
	if pack.Word(p, &text); p.Reading() && text != "" {
		*raw = []byte(text)
	}
}

// closed is a string of a record that was cut, with its end.
func closed(raw string) string {
	if len(raw) > 1 && raw[len(raw)-1] == '"' {
		return raw
	}
	return raw + `"`
}

func visitSpeech(p *pack.Codec, s *record.Speech) {
	line, next := s.Saved()
	visitInside(p, &line)
	visitInside(p, &next)
	if p.Reading() {
		*s = record.ResumeSpeech(line, next)
	}
}

// visitInside is visitRaw for the inside of a string.
func visitInside(p *pack.Codec, text *[]byte) {
	raw := []byte(`"` + string(*text) + `"`)
	if visitRaw(p, &raw); p.Reading() && len(raw) > 1 {
		*text = raw[1 : len(raw)-1]
	}
}
