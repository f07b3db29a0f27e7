package words

import (
	"path"
	"strconv"
	"strings"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

// NameMax is how many cells a name takes at most, wherever it is shown.
const NameMax = 40

// Name makes a name from a program or a file fit to be shown.
func Name(s string) string { return text.Name(run.Untrusted(s), NameMax) }

// Lane names a lane.
func Lane(s *run.State, l *run.Lane) string { return Name(s.Label(l)) }

// LaneOf names the lane of an id, and a lane that is not there by its number.
func LaneOf(s *run.State, id run.LaneID) string {
	if l := s.Lane(id); l != nil {
		return Lane(s, l)
	}
	return "lane " + strconv.Itoa(int(id))
}

// Origin tells briefly who keeps a run.
func Origin(o run.Origin) string {
	switch o {
	case run.OriginHarness:
		return "harness"
	case run.OriginLoop:
		return "loop"
	}
	return o.String()
}

// Watched names a run that is watched: by its name, or by what its keeper calls it, or by
// the end of its path.
func Watched(w run.Watched) string {
	for _, name := range []string{string(w.Name), w.ID, path.Base(w.Key)} {
		if name != "" {
			return Name(name)
		}
	}
	return ""
}

// Job names a place of the queue as its lane will be named.
func Job(s *run.State, j run.Job) string {
	if j.Task < 0 || j.Task >= len(s.Program.Tasks) {
		return "task " + strconv.Itoa(j.Task)
	}
	return Lane(s, &run.Lane{Job: j})
}

// Target names a target; the zero target is empty.
func Target(t run.Target) string {
	if t.IsZero() {
		return ""
	}
	return Name(t.String())
}

// Window names what a window binds: a family, or one model of it.
func Window(k run.WindowKey) string {
	if k.Model == "" {
		return Name(k.Family)
	}
	return Name(k.Family + ":" + k.Model)
}

// How tells how an instant is known; empty if it is not.
func How(h run.How) string {
	switch h {
	case run.HowStated:
		return "stated"
	case run.HowText:
		return "read from text"
	case run.HowAssumed:
		return "assumed"
	}
	return ""
}

// Amiss tells in a word what an open window means to its family: how that stands.
func Amiss(w *run.Window, now time.Time) string {
	switch {
	case w.Kind == run.KindBilling:
		return "unpaid"
	case w.Sort == run.SortLogin:
		return "login"
	case w.Sort == run.SortHealth:
		return "resting"
	case w.Due(now):
		return "due"
	case w.Trip || w.Kind == run.KindUsage:
		return "tripped"
	}
	return "busy"
}

// Limit tells what a window is about.
func Limit(w *run.Window) string {
	switch w.Kind {
	case run.KindUsage:
		return "usage limit"
	case run.KindAuth:
		return "not logged in"
	case run.KindBilling:
		return "not paid"
	case run.KindHealth:
		return "failed too often"
	}
	if !w.Trip {
		return "no capacity"
	}
	return "too many requests"
}

// Class tells what an end means; empty for the zero class.
func Class(c run.Class) string {
	switch c {
	case run.ClassSuccess:
		return "done"
	case run.ClassTransport:
		return "connection failed"
	case run.ClassIncomplete:
		return "cut off"
	case run.ClassContextOverflow:
		return "conversation too long"
	case run.ClassAuth:
		return "not logged in"
	case run.ClassBilling:
		return "not paid"
	case run.ClassDeadline:
		return "out of time"
	case run.ClassCancelled:
		return "stopped"
	}
	return strings.ReplaceAll(c.String(), "_", " ")
}

// Ending tells why an agent was asked to end.
func Ending(e run.Ending) string {
	switch e {
	case run.EndingStop:
		return "stopped"
	case run.EndingDeadline:
		return "out of time"
	case run.EndingSwap:
		return "swap"
	case run.EndingStall:
		return "silent or running away"
	case run.EndingBudget:
		return "budget spent"
	case run.EndingSummary:
		return "a summary must not take longer"
	}
	return ""
}

// Retry is an agent's own notice that it tries again: "retry 3/10, next in 4.7 s, 429".
// Empty if there is none.
func Retry(r run.Retry) string {
	if r.Attempt == 0 {
		return ""
	}
	said := "retry " + strconv.Itoa(r.Attempt)
	if r.Max > 0 {
		said += "/" + strconv.Itoa(r.Max)
	}
	if r.Delay > 0 {
		said += ", next in " + text.Seconds(r.Delay)
	}
	if r.Status > 0 {
		said += ", " + strconv.Itoa(r.Status)
	}
	return said
}

// Cost words what was spent, with a "+" if agents used tokens without stating what
// they cost; empty if nothing is known of it.
func Cost(u run.Usage) string {
	switch {
	case u.CostUSD == 0:
		return ""
	case u.Unpriced > 0:
		return text.Cost(u.CostUSD) + "+"
	}
	return text.Cost(u.CostUSD)
}

// Many is a number with its noun: "1 lane", "2 lanes".
func Many(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
