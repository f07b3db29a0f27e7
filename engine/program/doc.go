// Package program turns what the operator wrote, a program file or flags, into a
// [run.Program] that the engine can take as it is.
//
// It owns the keys of the program file, their checks, and [Faults]: everything
// that is wrong is listed together, each with its line and what to do about it.
//
// It never starts a process, never decides where a task runs, and writes nothing.
// It reads the program file, the prompt files it names, and asks whether
// directories and commands are there.
package program
