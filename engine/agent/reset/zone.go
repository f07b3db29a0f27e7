package reset

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones are named in messages, and not every machine has them
)

// offsetZone is a zone as an offset. Here the sign says what it seems to: UTC+2 is ahead
// of UTC. In the names of the zone database it is inverted: Etc/GMT+5 is behind.
var offsetZone = regexp.MustCompile(`^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$`)

// abbreviation is a zone's short name. CST is that of Chicago, Havana and Shanghai: no
// abbreviation is safe but the names of UTC and those of the machine's own zone.
var abbreviation = regexp.MustCompile(`^[A-Z]{1,5}$`)

// zoneNamed is the zone of a name in a message that was written at about now, on a
// machine in the zone own; false if it is unknown or could be several.
func zoneNamed(name string, own *time.Location, now time.Time) (*time.Location, bool) {
	upper := strings.ToUpper(name)
	switch upper {
	case "UTC", "GMT", "UT", "Z":
		return time.UTC, true
	case "LOCAL", "LOCALTIME":
		return nil, false
	}
	if f := offsetZone.FindStringSubmatch(upper); f != nil {
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
	if abbreviation.MatchString(name) {
		before, behind := now.In(own).ZoneBounds()
		for _, t := range []time.Time{now, behind, before.Add(-1)} {
			if short, offset := t.In(own).Zone(); short == name {
				return time.FixedZone(name, offset), true
			}
		}
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}
