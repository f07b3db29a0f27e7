package scripted

import (
	"fmt"
	"slices"
	"time"
)

// AnswerKind tells what became of a call. The zero value is no answer.
type AnswerKind int

const (
	// Served is a call that a model answered.
	Served AnswerKind = iota + 1
	// Spent is a call refused because an allowance is used up.
	Spent
	// Throttled is a 429 that is not about an allowance.
	Throttled
	// Overloaded is a server without capacity.
	Overloaded
	// Cut is a call that was taken and whose stream broke off.
	Cut
)

var answerNames = []string{"served", "spent", "429", "529", "cut"}

func (k AnswerKind) String() string {
	if k < Served || k > Cut {
		return ""
	}
	return answerNames[k-1]
}

// MarshalText writes the word of the kind.
func (k AnswerKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the word and refuses any other.
func (k *AnswerKind) UnmarshalText(b []byte) error {
	i := slices.Index(answerNames, string(b))
	if i < 0 {
		return fmt.Errorf("%q is not one of %q", b, answerNames)
	}
	*k = AnswerKind(i + 1)
	return nil
}

// Answer is what a provider makes of one call.
type Answer struct {
	Kind AnswerKind
	// Call is the number of the call in its family, counted from one.
	Call int
	// Until is when the refusal ends as the provider states it; zero if it does
	// not say.
	Until time.Time
	// Gauges tells how full each usage window is, in the order of the world. For
	// a [Spent] call the windows at 1 are the ones that refused it.
	Gauges []Gauge
}

// Gauge is the state of one usage window.
type Gauge struct {
	Name string
	// Used is the share of the allowance that is used, from 0 to 1.
	Used     float64
	ResetsAt time.Time
}

// Account is what a provider remembers of one family. The zero value is an
// account that was never used.
type Account struct {
	// Calls counts every call, the refused ones included.
	Calls  int     `json:"calls"`
	Meters []Meter `json:"meters,omitempty"`
}

// Meter counts the calls of one usage window.
type Meter struct {
	// OpenedAt is when the window began; zero if none is running.
	OpenedAt time.Time `json:"opened_at,omitzero"`
	Used     int       `json:"used"`
	// Turn counts the windows that have ended.
	Turn int `json:"turn"`
}

// Answer decides one call at an instant, for a world whose clock began at epoch.
// It returns the answer and the account after it, and changes nothing. A spent
// allowance goes before a brownout, which goes before a cut call.
func (p Provider) Answer(a Account, at, epoch time.Time) (Answer, Account) {
	a = p.settled(a, at)
	a.Calls++
	ans := Answer{Kind: Served, Call: a.Calls}
	for i, w := range p.Windows {
		m := a.Meters[i]
		if m.OpenedAt.IsZero() || m.Used < w.allows(m.Turn) {
			continue
		}
		ans.Kind = Spent
		if end := m.OpenedAt.Add(w.Length.D()); end.After(ans.Until) {
			ans.Until = end
		}
	}
	if b := p.brownout(at.Sub(epoch)); ans.Kind == Served && b != nil {
		ans.Kind = b.Kind
		if b.Wait > 0 {
			ans.Until = at.Add(b.Wait.D())
		}
	} else if ans.Kind == Served && slices.Contains(p.CutCalls, a.Calls) {
		ans.Kind = Cut
	}
	if ans.Kind == Served || ans.Kind == Cut {
		for i := range p.Windows {
			if a.Meters[i].OpenedAt.IsZero() {
				a.Meters[i].OpenedAt = at
			}
			a.Meters[i].Used++
		}
	}
	ans.Gauges = p.gauges(a)
	return ans, a
}

// settled is the account with one meter per window and ended windows closed. An
// instant before the start of a window, which agents that keep their own time can
// bring, belongs to that window.
func (p Provider) settled(a Account, at time.Time) Account {
	meters := make([]Meter, len(p.Windows))
	copy(meters, a.Meters)
	for i, w := range p.Windows {
		if m := meters[i]; !m.OpenedAt.IsZero() && !at.Before(m.OpenedAt.Add(w.Length.D())) {
			meters[i] = Meter{Turn: m.Turn + 1}
		}
	}
	a.Meters = meters
	return a
}

func (p Provider) brownout(since time.Duration) *Brownout {
	for i, b := range p.Brownouts {
		if since >= b.From.D() && since < b.To.D() {
			return &p.Brownouts[i]
		}
	}
	return nil
}

func (p Provider) gauges(a Account) []Gauge {
	var all []Gauge
	for i, w := range p.Windows {
		m := a.Meters[i]
		if m.OpenedAt.IsZero() {
			continue
		}
		all = append(all, Gauge{
			Name:     w.Name,
			Used:     min(1, float64(m.Used)/float64(w.allows(m.Turn))),
			ResetsAt: m.OpenedAt.Add(w.Length.D()),
		})
	}
	return all
}
