// Package tree keeps up with all files below any number of directories, and reads
// those that it is told to follow.
//
// It owns one notifier, which watches directories and never files, what is known of
// each directory and file, and a few goroutines that read. One goroutine, that of
// [Tree.Run], decides; nothing else changes what is known. Whoever runs it is told in
// batches: everything that has happened by then is looked at once, however many
// notices there were.
//
// What notices cost is bounded: when a thousand have come faster than one in 80 ms, the
// next are taken together every 80 ms, and a directory that is written to all the time is
// not watched by notices meanwhile, but looked at as often.
//
// Notices are hints: what counts is what a look shows. A directory is watched first
// and read then, so that nothing falls between. If notices are lost everything is
// looked at; so it is every few minutes. What cannot be watched is looked at every
// second, and so is what is on a file system that others write to, as on a network;
// [Tree.Status] says why.
//
// A file is known by device and inode. One that is followed is read to its end before
// what has taken its place, if it is among the last 128 that were read: those are held
// open. Of others that are written to and replaced at once, that last rest is not read
// under the old name. A file that appears under another name is told of with the place
// that was reached in it, so that nothing need be read twice.
//
// It never writes, never opens anything but regular files and directories, enters no
// link to a directory but a root, and no directory twice.
package tree
