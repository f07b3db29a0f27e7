package agent

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/layover/engine/run"
)

// maxSession is how far the clock time in a message about a five-hour window can be
// away: half a day, as one farther off has rather just passed. A time that no such window
// can have, but that has not passed, is believed as far as any text is.
const maxSession = 12 * time.Hour

var (
	pipedEpoch   = regexp.MustCompile(`\|\s*(\d{9,14}(?:\.\d{1,9})?)\b`)
	sessionLimit = regexp.MustCompile(`(?i)\b(?:session|5-hour|five-hour) limit\b`)
	anchor       = regexp.MustCompile(`(?i)\b(?:resets?|again|retry(?:delay|-after)?|retrying|refresh(?:es)?|renews?|available)\b["':]*\s*`)
	relative     = regexp.MustCompile(`(?i)^(?:(?:in|after)\s*:?\s*|["':=]\s*)?`)
)

// ResolveText finds in an error message when a limit ends, rounded up to a second.
// Relative times count from ref.Now; clock times are the next ones after it, in
// the zone that the message names or else in ref.Zone. Of a local time that occurs
// twice the later one is meant; one that is skipped is read with the offset before
// the change. The time is zero, and so is how, if the message tells none, or one
// that is past, more than 35 days away, or no time at all. How is stated for an
// epoch behind a pipe and text otherwise.
func ResolveText(msg string, ref Reference) (time.Time, run.How) {
	msg = blanks.Replace(cut(msg, maxErrorText))
	if found := pipedEpoch.FindStringSubmatch(msg); found != nil {
		if v, err := strconv.ParseFloat(found[1], 64); err == nil {
			if t := believable(epoch(v), ref.Now); !t.IsZero() {
				return t, run.HowStated
			}
		}
	}
	session := sessionLimit.MatchString(msg)
	for _, at := range anchor.FindAllStringIndex(msg, 32) {
		t := resolveAfter(msg[at[1]:], ref, session)
		if t = believable(t, ref.Now); !t.IsZero() {
			return t, run.HowText
		}
	}
	return time.Time{}, 0
}

var blanks = strings.NewReplacer("\u202f", " ", "\u00a0", " ")

// resolveAfter reads the time that follows an anchor word; zero if none does.
func resolveAfter(rest string, ref Reference, session bool) time.Time {
	word := relative.FindString(rest)
	if d, ok := leadingDuration(rest[len(word):]); ok {
		return roundUp(ref.Now.Add(d)).UTC()
	}
	if field := isoTime.FindStringSubmatch(rest); field != nil {
		t, err := time.Parse(time.RFC3339, strings.ToUpper(field[1]))
		if err != nil {
			return time.Time{}
		}
		return roundUp(t).UTC()
	}
	c, ok := readClock(rest)
	if !ok {
		return time.Time{}
	}
	t, ok := c.next(ref)
	if !ok || session && !c.dated() && t.Sub(ref.Now) > maxSession {
		return time.Time{}
	}
	return roundUp(t).UTC()
}
