// Package ledger shares the windows of all Layover processes of a user, and the
// permits to probe them (design.md §6, §10): a file for each window, merged by
// evidence under a lock and replaced as a whole, and beside it a file whose lock
// is the permit.
//
// It owns the directory windows below the state directory: the names in it, the
// form of its files, and that a reader finds the old file or the new one, never a
// part. A process that dies gives its permits back by dying.
//
// It never decides what a window means for a run, never trusts a file that it
// cannot read whole and never throws one away unseen, never follows a symbolic
// link, and writes no secret: an account is known by a fingerprint only.
package ledger
