// Package tail follows growing files and hands on their bytes as they come.
//
// It owns one notifier for any number of files, which watches the directories
// they are in, never the files, and a goroutine that tells each follow when to
// look at its file again. Reading is done by the goroutine that follows; each
// follow holds one open file, and a buffer only while it reads.
//
// Notices are hints: what counts is what a look at the file shows. A file is known
// by device and inode, and by the sum of the bytes just before the place reached, which
// are read again together with the next ones; so truncation, truncation with regrowth
// and replacement are found, and each byte is delivered once. Lost notices are
// made up for by a look every few seconds. Where a directory cannot be watched
// (it is missing, or the system allows no more watches) its files are looked at
// every 250 ms, at the cost of one stat and one read each, a few microseconds, and
// [Follower.Status] says so.
//
// A [File] is one such reader without a goroutine, for those who know themselves when to
// look, as package tree does; its [Place] can be kept for a later process.
//
// It never parses what it reads, never writes, never opens anything but regular
// files, and never holds more of a file than one buffer.
package tail
