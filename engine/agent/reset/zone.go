package reset

import (
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones are named in messages, and not every machine has them

	"example.com/layover/engine/agent/record"
)

// offsetZone is a zone as an offset. Here the sign says what it seems to: UTC+2 is ahead
// of UTC. In the names of the zone database it is inverted: Etc/GMT+5 is behind.
var offsetZone = record.Lazy(`^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$`)

// abbreviation is a zone's short name. CST is that of Chicago, Havana and Shanghai: no
// abbreviation is safe but the names of UTC and those of the machine's own zone.
var abbreviation = record.Lazy(`^[A-Z]{1,5}$`)

// areaName is a name of the zone database that begins with one of its areas.
const areaName = `(?i:africa|america|antarctica|arctic|asia|atlantic|australia|brazil|canada|chile|europe|etc|indian|mexico|pacific|us)/[A-Za-z0-9_+\-/]*[A-Za-z0-9]`

// zoneForms are the ways to name a zone behind a clock time: in brackets, or behind a space
// or a comma. Names that could be several zones' are taken too, so that none other is read.
var zoneForms = []record.Pattern{
	record.Lazy(`^[ \t]*[(\[][ \t]*(?i:in[ \t]+)?(` + areaName + `)\b[^()\[\]\n]{0,40}[)\]]`),
	record.Lazy(`^[ \t]*[(\[]([A-Za-z][A-Za-z0-9_+\-]*(?:[/:][A-Za-z0-9_+\-]+)*)(?i: time)?[)\]]`),
	record.Lazy(`(?i)^[ \t]*[(\[]((?:utc|gmt)?[ \t]?[+-]\d{1,2}(?::?\d{2})?)[)\]]`),
	record.Lazy(`(?i)^[ \t]*[(\[]([a-z]+(?: [a-z]+){1,3}) time[)\]]`),
	record.Lazy(`^(?:[ \t]*,[ \t]*|[ \t]+)(?i:in[ \t]+)?(` + areaName + `)(?i:[ \t]+time\b)?`),
	record.Lazy(`(?i)^[ \t]+((?:utc|gmt)(?:[ \t]?[+-]\d[\d:]*)?|z|[+-]\d{1,2}(?::?\d{2})?)\b`),
	record.Lazy(`^[ \t]+([A-Z]{2,5})\b`),
	record.Lazy(`^[ \t]+([A-Z][A-Za-z_]+/[A-Za-z0-9_+\-/]+)`),
	record.Lazy(`(?i)^[ \t,]+(?:in[ \t]+)?([a-z]+(?:[ \t]+[a-z]+){0,2})[ \t]+time\b`),
	record.Lazy(`(?i)^[ \t,]+([pecma][sd]t|ak[sd]t|hst|ce?s?t|cest|eest|eet|bst|ist|jst|kst|msk|sgt|hkt|aest|aedt|nzst|nzdt|utc|gmt|pacific|eastern|central|mountain)\b`),
}

// leadingZone is the name of a zone at the start of s, and how long it is with what stands
// around it; zero if none is there.
func leadingZone(s string) (string, int) {
	for _, form := range zoneForms {
		if f := form().FindStringSubmatch(s); f != nil {
			return f[1], len(f[0])
		}
	}
	return "", 0
}

// zoneNamed is the zone of a name in a message that was written at about now, on a
// machine in the zone own; false if it is unknown or could be several.
func zoneNamed(name string, own *time.Location, now time.Time) (*time.Location, bool) {
	upper := strings.NewReplacer(" ", "", "\t", "").Replace(strings.ToUpper(name))
	switch upper {
	case "UTC", "GMT", "UT", "Z":
		return time.UTC, true
	case "LOCAL", "LOCALTIME":
		return nil, false
	}
	if f := offsetZone().FindStringSubmatch(upper); f != nil {
		h, _ := strconv.Atoi(f[2])
		m, _ := strconv.Atoi(f[3])
		if h > 14 || m > 59 {
			return nil, false
		}
		seconds := h*3600 + m*60
		if f[1] == "-" {
			seconds = -seconds
		}
		return time.FixedZone(name, seconds), true
	}
	if abbreviation().MatchString(name) {
		before, behind := now.In(own).ZoneBounds()
		for _, t := range []time.Time{now, behind, before.Add(-1)} {
			if short, offset := t.In(own).Zone(); short == name {
				return time.FixedZone(name, offset), true
			}
		}
		return nil, false
	}
	for _, name := range []string{name, databaseName(name)} {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone, true
		}
	}
	return nil, false
}

// databaseName spells a name like those of the zone database, most of which have capitals
// at the beginnings of words.
func databaseName(name string) string {
	return wordOfName().ReplaceAllStringFunc(strings.ToLower(name), func(word string) string {
		switch word {
		case "of", "es", "au":
			return word
		case "gmt", "utc", "us":
			return strings.ToUpper(word)
		}
		return strings.ToUpper(word[:1]) + word[1:]
	})
}

var wordOfName = record.Lazy(`[a-z]+`)
