// Package watcher follows what runs leave behind in files, for a second pair of
// eyes: the facts of Layover's own runs as they are written.
//
// It owns the reading of growing files, by package tail.
//
// It never writes, never decides anything, and never holds a file's lock.
package watcher
