// Package watcher sees all runs below a number of directories: Layover's own, those of other
// tools, and the sessions and outputs of agents.
//
// It owns what is known of them, and tells what has changed, at most twelve times a second:
// package tree finds and follows the files, stream reads them, and foreign makes runs of
// what they say. Each message counts once, whatever files it stands in. What was read is
// kept for the next start. [Facts] and [Pace] follow one of Layover's own runs by its facts.
//
// It writes nothing but that, never decides anything, and never holds a file's lock.
package watcher
