package engine

import (
	"time"

	"example.com/layover/engine/run"
)

// login is what a family was logged in with when its login failed.
type login struct {
	mark string
	// quiet is until when no change counts: the last one has led to nothing.
	quiet time.Time
}

// oneLogin is how long a login that was mended, and failed again, is left alone. Agents
// that fail may write such a file themselves, and must not start each other for ever.
const oneLogin = time.Minute

// loggedOut notes what families are logged in with whose login has failed just now.
func (h *Host) loggedOut(facts []run.Fact) {
	if h.ports.Login == nil {
		return
	}
	for _, f := range facts {
		var w run.Window
		switch b := f.Body.(type) {
		case run.WindowOpened:
			w = b.Window
		case run.WindowExtended:
			w = b.Window
		}
		if w.Sort == run.SortLogin {
			h.logins[w.Family] = login{h.ports.Login(w.Family), h.logins[w.Family].quiet}
		}
	}
}

// mended looks whether somebody has logged in to a family whose login had failed, and
// tells the core. A login that is gone is none. While an agent of the family is still
// to be answered a change may be its own doing.
func (h *Host) mended(now time.Time) {
	if h.ports.Login == nil {
		return
	}
	for _, f := range h.state.Families {
		if h.state.Window(run.WindowKey{Family: f.Name, Sort: run.SortLogin}) == nil {
			continue
		}
		was, mark := h.logins[f.Name], h.ports.Login(f.Name)
		switch {
		case mark == was.mark, h.trying(f.Name), now.Before(was.quiet):
		case mark == "":
			h.logins[f.Name] = login{"", was.quiet}
		default:
			h.logins[f.Name] = login{mark, now.Add(oneLogin)}
			h.step(run.CredentialsChanged{Family: f.Name})
		}
	}
}

// trying reports whether an agent of a family runs that no model has answered.
func (h *Host) trying(family string) bool {
	for _, a := range h.agents {
		_, x := h.state.LaneOfAttempt(a.lane, a.id)
		if x != nil && x.ServedAt.IsZero() && h.state.Program.FamilyOf(x.Target) == family {
			return true
		}
	}
	return false
}
