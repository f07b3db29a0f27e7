package watcher

import "slices"

// maxNotes bounds how many faults are told.
const maxNotes = 20

// say keeps in mind what is not as it should be.
func (w *owner) say(line string) {
	if !slices.Contains(w.notes, line) && len(w.notes) < maxNotes {
		w.notes, w.dirty = append(w.notes, line), true
	}
}

// allNotes says what is not watched as it should be.
func (w *owner) allNotes() []string {
	notes := slices.Clone(w.notes)
	if why := w.tree.Status().Reason; why != "" {
		notes = append(notes, why)
	}
	return notes
}
