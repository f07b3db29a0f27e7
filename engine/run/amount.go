package run

import (
	"math"
	"strconv"
)

// Dollars words an amount of US dollars, in at most seven cells: "$0.00", "$0.004",
// "$1.23", "$1234", "$1.2M". Less than a cent is told to a tenth of a cent, and what is
// more than nothing but less than that is "<$0.001"; what is no amount, or more than
// anybody has, is "$?".
func Dollars(usd float64) string {
	decimals := 2
	switch {
	case math.IsNaN(usd), usd < 0, usd >= 1e15:
		return "$?"
	case usd >= 999_999.5:
		return "$" + Count(int64(usd))
	case usd >= 999.995:
		decimals = 0
	case usd > 0 && usd < 0.0005:
		return "<$0.001"
	case usd > 0 && usd < 0.0095:
		decimals = 3
	}
	return "$" + strconv.FormatFloat(usd, 'f', decimals, 64)
}

// Count words a number of tokens or bytes in at most five cells, six with a sign:
// "999", "1.2k", "12.3k", "123k", "3.4M". It rounds towards zero, so a budget never
// looks spent before it is.
func Count(n int64) string {
	sign, size := "", uint64(n)
	if n < 0 {
		sign, size = "-", -uint64(n)
	}
	if size < 1000 {
		return sign + strconv.FormatUint(size, 10)
	}
	units := "kMGTPE"
	unit, div := 0, uint64(1000)
	for size/div >= 1000 && unit < len(units)-1 {
		unit, div = unit+1, div*1000
	}
	text := strconv.FormatUint(size/div, 10)
	if size/div < 100 {
		text += "." + strconv.FormatUint(size%div/(div/10), 10)
	}
	return sign + text + units[unit:unit+1]
}
