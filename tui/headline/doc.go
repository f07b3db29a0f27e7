// Package headline says in one sentence where a run stands: "2 working · 1 parked
// until 14:32 (41:07) · claude tripped until 16:00".
//
// It owns the order in which things are told and the shorter words for less room, and
// those for a run that cannot be saved ([Trouble]).
//
// It never styles, never reads a clock, and never tells more than one sentence.
package headline
