// Package scripted plays a small world of providers and the agents that work with
// them, so that a run can be shown and tried with real processes that write real
// files, without any account, network or waiting in real time.
//
// It owns the world file ([Read]), the deciding of what a provider answers
// ([Provider.Answer]), the agents that behave like `claude -p` and `codex exec`
// ([Main], [Play]), the directory in which the processes of one world meet
// ([Create]), and the clock of that world ([Clock]).
//
// It never knows or influences the order in which Layover starts agents, never
// runs a command that an agent claims to have run, never touches a file outside
// its directory, and never draws anything that depends on another lane.
//
// A world is deterministic: everything random is a hash of the seed, the family,
// the task or session, and the step. With a clock of speed 0 and one agent at a
// time, two runs of one seed write the same bytes.
package scripted
