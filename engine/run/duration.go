package run

import (
	"fmt"
	"time"
)

// Duration is a length of time as a program file writes it: "90s", "8h", or
// "off" for [Off]. The zero value means none.
type Duration time.Duration

// Off is the value of a duration that is switched off, where that is allowed.
const Off Duration = -1

// D gives the duration as the standard library knows it.
func (d Duration) D() time.Duration { return time.Duration(d) }

func (d Duration) String() string {
	if d == Off {
		return "off"
	}
	return time.Duration(d).String()
}

// MarshalText writes the form a program file uses.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads that form; a negative length is refused.
func (d *Duration) UnmarshalText(b []byte) error {
	if string(b) == "off" {
		*d = Off
		return nil
	}
	v, err := time.ParseDuration(string(b))
	if err != nil {
		return fmt.Errorf("%q is not a duration such as \"90s\" or \"8h\"", b)
	}
	if v < 0 {
		return fmt.Errorf("%q is negative", b)
	}
	*d = Duration(v)
	return nil
}

// Millis is a length of time in whole milliseconds, the unit of facts.
type Millis int64

// MillisOf rounds a duration up to whole milliseconds.
func MillisOf(d time.Duration) Millis {
	return Millis((d + time.Millisecond - 1) / time.Millisecond)
}

// D gives the duration as the standard library knows it.
func (m Millis) D() time.Duration { return time.Duration(m) * time.Millisecond }
