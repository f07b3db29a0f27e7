package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"example.com/layover/engine/run"
)

// Hint is what a refusal says about its end.
type Hint int

// The hints of a refusal. The zero value says nothing.
const (
	HintNone Hint = iota
	// HintExact states the end, rounded up to a second.
	HintExact
	// HintShort states a wait that is too short.
	HintShort
	// HintLong states twice the wait.
	HintLong
)

// Spell is an interval in which a provider answers otherwise than usual.
type Spell struct {
	From, To time.Duration
	Hint     Hint
	// Chance is the share of the calls that it meets; zero means all.
	Chance float64
}

// Quota is an allowance of calls that is renewed.
type Quota struct {
	// Model is bound by it; empty binds the whole account.
	Model string
	Calls int
	// Every is how long it lasts. From its first call if Rolling, else from the
	// start of the world.
	Every   time.Duration
	Rolling bool
	// States is set if a refusal states when it is renewed, Text if it does so in
	// words, which name a minute; if both are, then now this and now that. Wrong is how
	// wrong that is, Moves how much later it is renewed once it has refused somebody.
	States, Text bool
	Wrong, Moves time.Duration

	used        int
	since, ends time.Duration
	moved       bool
}

// Provider is one account at a provider. Times count from the start of the world.
type Provider struct {
	Quotas []Quota
	// Brownouts refuse with 429, Overloads with 529, Cuts break the connection;
	// Logouts refuse the login, Unpaid the account.
	Brownouts, Overloads, Cuts, Logouts, Unpaid []Spell
	// Transient is the share of the calls that fail for no reason.
	Transient float64
	// Early lists when every quota is renewed before its time, in order.
	Early []time.Duration
}

// Refusal is a call that was not answered.
type Refusal struct {
	Class run.Class
	Kind  run.Kind
	Scope run.Scope
	// In is the wait that it states; negative for none.
	In  time.Duration
	How run.How
}

// renew starts the period of a quota that a call at an instant falls in.
func (q *Quota) renew(at time.Duration) {
	if at < q.ends {
		return
	}
	q.used, q.moved, q.since = 0, false, at
	if !q.Rolling {
		q.since = at / q.Every * q.Every
	}
	q.ends = q.since + q.Every
}

// Ask makes one call for a model; nil if a model answers it.
func (p *Provider) Ask(model string, at time.Duration, r *rand.Rand) *Refusal {
	for len(p.Early) > 0 && p.Early[0] <= at {
		for i := range p.Quotas {
			p.Quotas[i].ends = 0
		}
		p.Early = p.Early[1:]
	}
	for i := range p.Quotas {
		p.Quotas[i].renew(at)
	}
	switch {
	case in(p.Cuts, at) != nil:
		return &Refusal{Class: run.ClassTransport, In: -1}
	case in(p.Logouts, at) != nil:
		return &Refusal{Class: run.ClassAuth, In: -1}
	case in(p.Unpaid, at) != nil:
		return &Refusal{Class: run.ClassBilling, In: -1}
	}
	for i := range p.Quotas {
		if q := &p.Quotas[i]; q.binds(model) && q.used >= q.Calls {
			return q.refusal(at, r)
		}
	}
	if s := in(p.Brownouts, at); s != nil {
		return s.brownout(at, r)
	}
	if s := in(p.Overloads, at); s != nil && (s.Chance == 0 || r.Float64() < s.Chance) {
		return &Refusal{Class: run.ClassOverloaded, In: -1}
	}
	if p.Transient > 0 && r.Float64() < p.Transient {
		return &Refusal{Class: run.ClassTransport, In: -1}
	}
	for i := range p.Quotas {
		if q := &p.Quotas[i]; q.binds(model) {
			q.used++
		}
	}
	return nil
}

func (q *Quota) binds(model string) bool { return q.Model == "" || q.Model == model }

func (q *Quota) refusal(at time.Duration, r *rand.Rand) *Refusal {
	if q.Moves > 0 && !q.moved {
		q.ends, q.moved = q.ends+q.Moves, true
	}
	f := &Refusal{Class: run.ClassRateLimited, Kind: run.KindUsage, Scope: run.ScopeFamily, In: -1}
	if q.Model != "" {
		f.Scope = run.ScopeModel
	}
	if q.States || q.Text {
		f.In, f.How = max(q.ends-at+q.Wrong, 0), run.HowStated
		if q.Text && (!q.States || r.IntN(2) == 0) {
			f.How = run.HowText
		}
	}
	return f
}

func (s *Spell) brownout(at time.Duration, r *rand.Rand) *Refusal {
	f := &Refusal{Class: run.ClassRateLimited, Kind: run.KindThrottle, Scope: run.ScopeFamily, In: -1}
	left := s.To - at
	switch s.Hint {
	case HintExact:
		f.In = upToSecond(left)
	case HintShort:
		f.In = min(left, time.Duration((5+25*r.Float64())*float64(time.Second)))
	case HintLong:
		f.In = 2 * left
	}
	if f.In >= 0 {
		f.How = run.HowStated
	}
	return f
}

func upToSecond(d time.Duration) time.Duration {
	return (d + time.Second - 1) / time.Second * time.Second
}

// OpenAt is the earliest instant, from one on, at which the provider would answer a
// model, as only an oracle can know. Spells that meet some calls count as meeting all.
func (p *Provider) OpenAt(model string, at time.Duration) time.Duration {
	for range 100 {
		next := at
		for i := range p.Quotas {
			if q := &p.Quotas[i]; q.binds(model) && q.used >= q.Calls && next < q.ends {
				next = q.ends
			}
		}
		for _, spells := range [][]Spell{p.Brownouts, p.Overloads, p.Cuts, p.Logouts, p.Unpaid} {
			if s := in(spells, next); s != nil {
				next = s.To
			}
		}
		if next == at {
			break
		}
		at = next
	}
	return at
}

// Take counts a call of the oracle, which is never refused.
func (p *Provider) Take(model string, at time.Duration) {
	for i := range p.Quotas {
		if q := &p.Quotas[i]; q.binds(model) {
			q.renew(at)
			q.used++
		}
	}
}

// in finds the spell that holds an instant; nil if none does.
func in(spells []Spell, at time.Duration) *Spell {
	i := sort.Search(len(spells), func(i int) bool { return spells[i].To > at })
	if i < len(spells) && spells[i].From <= at {
		return &spells[i]
	}
	return nil
}

// Clone gives a provider of which nothing has been asked.
func (p *Provider) Clone() *Provider {
	c := *p
	c.Quotas = slices.Clone(p.Quotas)
	return &c
}

// Spells draws spells that begin so often a day, one after the other, within a span.
func Spells(r *rand.Rand, span time.Duration, perDay float64, length func() time.Duration, hint func() Hint) []Spell {
	var all []Spell
	if perDay <= 0 {
		return nil
	}
	for at := time.Duration(0); ; {
		at += time.Duration(r.ExpFloat64() / perDay * float64(24*time.Hour))
		if at > span {
			return all
		}
		to := at + length()
		all = append(all, Spell{From: at, To: to, Hint: hint()})
		at = to
	}
}

// Between draws a length whose logarithm is uniform between those of two others.
func Between(r *rand.Rand, low, high time.Duration) time.Duration {
	return time.Duration(float64(low) * math.Exp(r.Float64()*math.Log(float64(high)/float64(low))))
}
