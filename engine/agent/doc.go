// Package agent knows the command line programs that do the work: how each is
// started and resumed, how its stream is read while it runs, and what its end
// means.
//
// It owns the presets ([Preset]), the dialects of the streams behind [Reader], and the
// rules that turn a finished stream into a [run.Verdict] with its evidence ([Judge]). What
// lines and records are made of is read by package record, times of resets by package
// reset, and what is passed on to another agent is gathered by package handoff.
//
// It never starts a process, never reads a clock, and never decides from
// anything but a terminal record what an attempt's end means: what else a stream
// shows is a [run.Sight]. Text is matched in error-bearing fields only, and that of
// a command of which nothing is known by the operator's rules only. All input is
// hostile: memory is bounded whatever comes, and nothing here panics.
package agent
