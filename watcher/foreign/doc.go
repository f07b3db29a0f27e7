// Package foreign makes of the runs of other tools, and of the sessions of agents, what
// Layover shows of its own: a [run.Watched] in a list, and facts from which a [run.State]
// is built, so that the same screen shows them.
//
// It owns how a run.json of another tool and the accounts of its logs are put together,
// and what is suspected of a family on the word of files of others.
//
// It never opens a file, reads a clock or looks at a process, never makes a window of
// what such files say, and takes no text in them for true or harmless.
package foreign
