// Package journal is the directory of a run: the file of its facts, the lock of
// its owner, the export for other tools and the directories of its workers
// (design.md §10).
//
// It owns what lies where below the state directory and with which permissions,
// and that a fact handed over is on the disk, whole and once, or still in memory
// with an error that says so.
//
// It never decides anything, never changes a file by reading it, never reads
// run.json back, and never follows a symbolic link inside the state directory.
package journal
