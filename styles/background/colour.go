package background

import (
	"math"
	"strconv"
	"strings"
)

// colour is red, green and blue, each from 0 to 1.
type colour [3]float64

// parse reads the body of an answer: "rgb:" or "rgba:" and one to four hexadecimal
// digits for each part, or "#" and two digits for each.
func parse(body []byte) (colour, bool) {
	s := string(body)
	var parts []string
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		if len(hex) != 6 {
			return colour{}, false
		}
		parts = []string{hex[:2], hex[2:4], hex[4:]}
	} else if _, rest, ok := strings.Cut(s, ":"); ok && strings.HasPrefix(s, "rgb") {
		parts = strings.Split(rest, "/")
	}
	if len(parts) != 3 && len(parts) != 4 {
		return colour{}, false
	}
	var c colour
	for i := range c {
		digits := parts[i]
		if digits == "" || len(digits) > 4 {
			return colour{}, false
		}
		v, err := strconv.ParseUint(digits, 16, 16)
		if err != nil {
			return colour{}, false
		}
		c[i] = float64(v) / (math.Pow(16, float64(len(digits))) - 1)
	}
	return c, true
}

// dark reports whether white stands out from the colour more than black does.
func (c colour) dark() bool {
	l := c.luminance()
	return 1.05/(l+0.05) > (l+0.05)/0.05
}

// luminance is the relative luminance of the colour, as WCAG defines it.
func (c colour) luminance() float64 {
	var linear colour
	for i, v := range c {
		if v <= 0.04045 {
			linear[i] = v / 12.92
		} else {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*linear[0] + 0.7152*linear[1] + 0.0722*linear[2]
}
