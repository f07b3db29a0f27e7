package reset

import (
	"strconv"
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

const (
	// MaxSession is how far the end of a five-hour window can be away, if a message tells
	// it by the clock: half a day, as one farther off has rather passed. A time that no such window
	// can have, but that has not passed, is believed as far as any text is.
	MaxSession = 12 * time.Hour
	// justPassed is for how long a clock time without a date counts as past: it is not that of
	// the next day, or week. Commands round down to the minute, and clocks differ.
	justPassed = 10 * time.Minute
	// maxCandidates is how many places of a text are looked at in each way.
	maxCandidates = 32
	// maxLead is how far before a word that one is looked for which makes it one of the past.
	maxLead = 16
)

var (
	pipedEpoch = record.Lazy(`(?i)\blimit reached\s*\|\s*(\d{9,14}(?:\.\d{1,9})?)\b`)
	limitNamed = record.Lazy(`(?i)\b(?:(session|5-hour|five-hour)|[\w-]+)(?: usage)? limit\b`)
	namedField = record.Lazy(`(?i)\b(retry[_-]after(?:[_-](?:ms|seconds))?|retryDelay|quotaReset(?:Delay|TimeStamp))\\?["']?\s*[:=]\s*\\?["']?([a-z]{3,9},? [\w :-]{10,28}?(?: GMT|:\d\d \d{4})\b|[^\s,;"'\\{}()\[\]]+)`)
	anchor     = record.Lazy(`(?i)\b(?:((?:reset|refreshe|renew)(s)?)|refresh|again|retry|available)\b:?\s*`)
	waitLead   = record.Lazy(`(?i)^(?:in|after)\b\s*:?\s*`)
	pastLead   = record.Lazy(`(?i)\b(?:last|previous(?:ly)?|was|were|been|had|just|already|connection|stream|branch|database|password|server)[ \t]+$`)
	clockLead  = record.Lazy(`(?i)^(?:at|on|after)\s+`)
)

// Clock is what relative and incomplete times are read by.
type Clock struct {
	// Now is the instant from which relative times count; clock times are the next ones
	// after it.
	Now time.Time
	// Zone is that of clock times which name none; nil means UTC.
	Zone *time.Location
}

func (c Clock) zone() *time.Location {
	if c.Zone == nil {
		return time.UTC
	}
	return c.Zone
}

// Text finds in an error message when a limit ends, rounded up to a second.
// Relative times count from ref.Now; clock times are the next ones after it, in
// the zone that the message names or else in ref.Zone. Of a local time that occurs
// twice the later one is meant; one that is skipped is read with the offset before
// the change. The time is zero, and so is how, if the message tells none, or one
// that is past, more than 35 days away, or no time at all. How is stated for an
// epoch behind a pipe, a JSON body and a named field, which count before all else;
// it is text for words, of which the first that tell a time count.
func Text(msg string, ref Clock) (time.Time, run.How) {
	whole := len(msg) <= record.MaxErrorText
	msg = blanks.Replace(record.Cut(msg, record.MaxErrorText))
	end := len(msg)
	if !whole { // what stands there goes on
		end -= record.MaxName
	}
	for _, read := range []func(string, time.Time) (time.Time, int){pipedReset, embeddedReset, namedReset} {
		if t, at := read(msg, ref.Now); !t.IsZero() && at < end {
			return t, run.HowStated
		}
	}
	from, session := 0, false
	for _, at := range anchor().FindAllStringSubmatchIndex(msg, maxCandidates) {
		if at[0] >= end {
			break
		}
		for _, f := range limitNamed().FindAllStringSubmatch(msg[from:at[0]], -1) {
			session = f[1] != ""
		}
		if pastLead().MatchString(msg[max(from, at[0]-maxLead):at[0]]) {
			from = at[1]
			continue
		}
		t := resolveAfter(msg[at[1]:], ref, words{session: session, bare: at[2] >= 0, loose: at[4] < 0})
		if t = Believable(t, ref.Now); !t.IsZero() {
			return t, run.HowText
		}
		from = at[1]
	}
	return time.Time{}, 0
}

var blanks = strings.NewReplacer("\u202f", " ", "\u00a0", " ", "\u2009", " ", "\u2212", "-", "\u2011", "-")

// pipedReset reads the oldest form, "limit reached|1790866800", and tells where it is.
func pipedReset(msg string, now time.Time) (time.Time, int) {
	for _, at := range pipedEpoch().FindAllStringSubmatchIndex(msg, maxCandidates) {
		if v, err := strconv.ParseFloat(msg[at[2]:at[3]], 64); err == nil {
			if t := Believable(epoch(v), now); !t.IsZero() {
				return t, at[0]
			}
		}
	}
	return time.Time{}, 0
}

// embeddedReset reads the first JSON objects in a message as bodies of errors. They are
// whole, so it does not matter where they are.
func embeddedReset(msg string, now time.Time) (time.Time, int) {
	for tries := 0; tries < 4; tries++ {
		i := strings.IndexByte(msg, '{')
		if i < 0 {
			break
		}
		msg = msg[i:]
		end, ok := record.Span([]byte(msg), 0)
		if !ok {
			end = 1
		} else if t := Body(record.Raw(msg[:end]), now); !t.IsZero() {
			return t, 0
		}
		msg = msg[end:]
	}
	return time.Time{}, 0
}

// namedReset reads a field that stands in a message by its name, such as a header, and
// tells where it is.
func namedReset(msg string, now time.Time) (time.Time, int) {
	for _, at := range namedField().FindAllStringSubmatchIndex(msg, maxCandidates) {
		if t := fieldReset(msg[at[2]:at[3]], record.Raw(strconv.Quote(msg[at[4]:at[5]])), now); !t.IsZero() {
			return t, at[0]
		}
	}
	return time.Time{}, 0
}

// words is what the words before a time say of it.
type words struct {
	session bool // it is that of the five-hour window
	bare    bool // it may come without "at"
	loose   bool // but then only with am or pm: connections and branches are reset too
}

// resolveAfter reads the time that follows an anchor word; zero if none does.
func resolveAfter(rest string, ref Clock, before words) time.Time {
	if lead := waitLead().FindString(rest); lead != "" {
		if d, _, ok := LeadingDuration(rest[len(lead):]); ok {
			return waited(d, ref.Now)
		}
	}
	lead := clockLead().FindString(rest)
	c, ok := readClock(rest[len(lead):])
	if !ok || lead == "" && !c.dated() && (!before.bare || before.loose && !c.halved) {
		return time.Time{}
	}
	t, ok := c.next(ref)
	if before.session && !c.dated() && t.Sub(ref.Now) > MaxSession {
		return time.Time{}
	}
	ago := Clock{Now: ref.Now.Add(-justPassed), Zone: ref.Zone}
	if last, _ := c.next(ago); !ok || c.recurs() && !last.After(ref.Now) {
		return time.Time{}
	}
	return RoundUp(t).UTC()
}
