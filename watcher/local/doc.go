// Package local watches the runs of this machine: it tells a watcher where they are, and
// opens single ones.
//
// It owns what a watcher needs of the rest: the shared windows, whose process lives, where
// the checkpoint is, and which way the facts of an open run come.
//
// It never shows anything, and writes nothing but the checkpoint and what the operator
// asks of a run of Layover's.
package local
