package headline

import (
	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
	"example.com/layover/tui/words"
)

// windowsMax is how many limited families are named.
const windowsMax = 2

// logins tells of the families that only the operator can mend.
func (t *teller) logins() {
	for _, w := range t.s.Windows {
		if w.Sort != run.SortLogin {
			continue
		}
		name := words.Window(w.WindowKey)
		if w.Kind == run.KindBilling {
			t.say.Add(ToneBad, name+" must be paid for", name+" unpaid")
		} else {
			t.say.Add(ToneBad, name+" needs a login", name+" login")
		}
	}
}

// windows tells of the families that are limited now, or may be soon.
func (t *teller) windows() {
	named, more := 0, 0
	for _, w := range t.s.Windows {
		if w.Sort == run.SortLogin {
			continue
		}
		if named == windowsMax {
			more++
			continue
		}
		named++
		t.window(w)
	}
	if more > 0 {
		full := words.Many(more, "more window")
		t.say.Add(ToneWarn, full, full)
		return
	}
	for _, x := range t.s.Suspicions {
		if named == 0 && t.now.Before(x.Until) {
			full := words.Window(run.WindowKey{Family: x.Family, Model: x.Model}) + " suspected"
			t.say.Add(ToneWarn, full, full)
			named++
		}
	}
}

func (t *teller) window(w *run.Window) {
	brief := words.Window(w.WindowKey)
	switch {
	case w.Permit != nil:
		brief += " probed"
	case w.Due(t.now):
		brief += " due for a try"
	case w.Sort == run.SortHealth:
		brief += " resting"
	case w.Trip || w.Kind == run.KindUsage:
		brief += " tripped"
	default:
		brief += " busy"
	}
	full := brief
	if w.Until.After(t.now) && w.Permit == nil {
		full += " until " + text.Until(w.Until, t.now, t.zone)
	}
	t.say.Add(ToneWarn, full, brief)
}
