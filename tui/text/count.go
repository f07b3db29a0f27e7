package text

import (
	"strconv"

	"example.com/layover/engine/run"
)

// Count words a number of tokens or bytes as [run.Count] does.
func Count(n int64) string { return run.Count(n) }

// Cost words an amount of US dollars as [run.Dollars] does.
func Cost(usd float64) string { return run.Dollars(usd) }

// Share words a part of a whole in quarters, "3/4", "1/2" or "1/4", and any other in
// percent.
func Share(part float64) string {
	switch part {
	case 0.25:
		return "1/4"
	case 0.5:
		return "1/2"
	case 0.75:
		return "3/4"
	}
	return strconv.FormatFloat(part*100, 'f', 0, 64) + "%"
}
