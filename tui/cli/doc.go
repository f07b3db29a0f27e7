// Package cli is Layover's other face: commands and flags going in, plain lines
// and JSON coming out.
//
// It owns the commands with their help, the exit codes, the wording of every fact
// and observation ([Words]), the printers ([Plain], [JSON]), and how errors are
// shown: one line that says what failed and one that says what to do.
//
// It never runs anything itself: a command checks its flags and hands a [Request]
// to the port that does. It never reads a clock or the terminal but through
// [Ports], and never ends the process.
package cli
