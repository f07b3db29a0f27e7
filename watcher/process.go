package watcher

import (
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
)

// alive tells whether the process that keeps a run of another tool is there.
func (w *owner) alive(f *runfile.File) foreign.Alive {
	if f == nil || w.Alive == nil || f.ParentPID < 1 || !f.End.IsZero() {
		return 0
	}
	return w.Alive(f.ParentPID, f.ParentStart)
}

// kept reports whether a run has not ended that a process must keep: no file tells when
// that dies.
func (e *entry) kept() bool {
	if e.file == nil || e.err != nil {
		return false
	}
	if l := e.file.Layover; l != nil {
		return l.Exit == nil
	}
	return e.file.End.IsZero() && e.file.ParentPID > 0
}

// watchProcess has it looked from time to time whether the process of a run lives, while
// there is one that seems to.
func (w *owner) watchProcess(e *entry) {
	if !w.looking && e.kept() && e.told.state.Live() {
		w.looking = true
		w.look.Reset(processEvery)
	}
}

// lookAtProcesses looks whether the processes of all runs that seem to live do.
func (w *owner) lookAtProcesses() {
	w.looking = false
	for _, e := range w.entries {
		if e.kept() && e.told.state.Live() {
			w.touch(e)
		}
	}
	w.touchOpened()
}
