package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

// examineClock looks whether the clock is set and its zone known: resets are told as
// clock times, often without a zone.
func examineClock(p Ports) []finding {
	const about = "clock"
	now := Words{Zone: p.Zone}.local(p.Now())
	said := now.Format("2 Jan 2006 15:04:05 -07:00 (MST)")
	if now.Year() < 2025 {
		return []finding{{gradeBad, about, said + ": it is not set", "set it; every wait is reckoned by it"}}
	}
	const lost = "clock times without a zone are taken for UTC"
	switch tz := strings.TrimPrefix(p.Getenv("TZ"), ":"); {
	case tz != "" && !zoneKnown(tz):
		return []finding{{gradeWarn, about, fmt.Sprintf("%s, but TZ is %q, which is not known here: %s", said, text.Line(run.Untrusted(tz), longestValue), lost), "set TZ to a name such as Europe/Berlin"}}
	case tz == "" && p.Getenv("TZ") == "" && !p.Machine.localtime():
		return []finding{{gradeWarn, about, said + ", and no time zone is set: " + lost, "set TZ to a name such as Europe/Berlin, or to UTC"}}
	}
	return []finding{{gradeOK, about, said, ""}}
}

func zoneKnown(name string) bool {
	if filepath.IsAbs(name) {
		_, err := os.Stat(name)
		return err == nil
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// localtime reports whether the machine has a time zone.
func (m Machine) localtime() bool {
	_, err := m.ReadFile("/etc/localtime")
	return err == nil
}
