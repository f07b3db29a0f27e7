// Package drill holds fire drills: tests that build Layover, run it as its users do,
// kill it, and look at what is left. It has no code of its own.
package drill
