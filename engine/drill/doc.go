// Package drill holds fire drills: tests that build Layover, run it as its users do,
// kill it, and look at what is left. What it exports is for tests alone.
package drill
