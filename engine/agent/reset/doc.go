// Package reset finds out when a limit ends.
//
// It owns every form in which that is told: the texts of messages ([Text]), the headers and
// bodies of refused calls ([Headers], [Body]), and single fields ([Instant]).
//
// A time that is past, more than 35 days away or no time at all is unknown, never
// invented. It reads no clock: times count from an instant that it is given. All input is
// hostile.
package reset
