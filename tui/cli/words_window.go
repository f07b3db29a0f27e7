package cli

import (
	"time"

	"example.com/layover/engine/run"
)

// windowFact tells the facts about families, their windows and their health.
func (w Words) windowFact(_ *run.State, f run.Fact) (string, bool) {
	switch b := f.Body.(type) {
	case run.FamilySuspected:
		return phrase("%s is suspected until %s: %s", familyModel(b.Family, b.Model), w.at(b.Until, f.At), b.Why), true
	case run.SuspicionEnded:
		return phrase("%s is suspected no more: %s", b.Family, b.Why), true
	case run.FamilyTripped:
		said := phrase("%s tripped", b.Family)
		if !b.ResetsAt.IsZero() {
			said += " until " + w.at(b.ResetsAt, f.At) + how(b.How)
		}
		return with(said, ": ", b.Reason), true
	case run.WindowOpened:
		return w.window("opened", b.Window, f.At), true
	case run.WindowExtended:
		return w.window("changed", b.Window, f.At), true
	case run.WindowSeen:
		return w.window("of another run seen", b.Window, f.At), true
	case run.WindowCleared:
		return phrase("window on %s cleared (%s)", b.Key, b.Why), true
	case run.PermitGranted:
		return phrase("attempt %d may probe %s until %s", b.Attempt, b.Key, w.at(b.Lapses, f.At)), true
	case run.PermitReleased:
		return phrase("attempt %d gave the permit of %s back (%s)", b.Attempt, b.Key, b.Why), true
	case run.ProbeSettled:
		found := "bad"
		if b.Good {
			found = "good"
		}
		return phrase("attempt %d found %s %s (%s)", b.Attempt, b.Key, found, b.Why), true
	case run.SpawnRefused:
		return w.refused(f, b), true
	case run.HealthFailed:
		return phrase("%s failed %s in a row: %s", b.Family, many(b.InARow, "turn"), b.Class), true
	case run.HealthOpened:
		return w.window("opened for its health", b.Window, f.At), true
	case run.HealthClosed:
		return phrase("%s is healthy again", b.Family), true
	}
	return "", false
}

func familyModel(family, model string) string {
	return with(say1(family), ":", model)
}

// window tells what became of a window.
func (w Words) window(what string, v run.Window, now time.Time) string {
	said := phrase("window on %s %s: %s", v.WindowKey, what, v.Kind)
	if v.Until.IsZero() {
		said += ", until somebody clears it"
	} else {
		said += ", until " + w.at(v.Until, now) + how(v.How)
	}
	if !v.NextTry.IsZero() && !v.NextTry.Equal(v.Until) {
		said += ", next try at " + w.at(v.NextTry, now)
	}
	return with(said, ": ", v.Reason)
}

func (w Words) refused(f run.Fact, b run.SpawnRefused) string {
	said := phrase("not started: %s is not to be used", familyModel(b.Family, b.Model))
	if b.Until.IsZero() {
		said += " until somebody clears it"
	} else {
		said += " until " + w.at(b.Until, f.At)
	}
	said = with(said, ": ", b.Reason)
	if len(b.Free) > 0 {
		said += "; free: " + list(b.Free)
	}
	return said
}
