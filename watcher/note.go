package watcher

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"
)

// maxNotes bounds how many faults are told.
const maxNotes = 20

// absentEvery is how often it is looked whether what is absent has come.
const absentEvery = time.Second

// say keeps in mind what is not as it should be.
func (w *owner) say(line string) {
	if !slices.Contains(w.notes, line) && len(w.notes) < maxNotes {
		w.notes, w.dirty = append(w.notes, line), true
	}
}

// await looks whether what somebody has named is there by now.
func (w *owner) await() {
	if len(w.absent) == 0 {
		return
	}
	before := len(w.absent)
	w.absent = slices.DeleteFunc(w.absent, func(path string) bool {
		_, err := os.Stat(path)
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
	})
	w.dirty = w.dirty || len(w.absent) != before
	if len(w.absent) > 0 {
		w.turnAt(w.Now().Add(absentEvery))
	}
}

// allNotes says what is not watched as it should be.
func (w *owner) allNotes() []string {
	notes := slices.Clone(w.notes)
	if w.unkept != nil {
		notes = append(notes, w.unkept.Error())
	}
	for _, path := range w.absent {
		notes = append(notes, fmt.Sprintf("%s is not there yet", path))
	}
	if why := w.tree.Status().Reason; why != "" {
		notes = append(notes, why)
	}
	return notes
}
