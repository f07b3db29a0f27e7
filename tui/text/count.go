package text

import (
	"math"
	"strconv"
)

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

// Cost words an amount of US dollars: "$0.00", "$1.23", "$1234". What is more than
// nothing but less than a cent is "<$0.01"; what is no amount is "$?".
func Cost(usd float64) string {
	switch {
	case math.IsNaN(usd), math.IsInf(usd, 0), usd < 0, usd >= 1e12:
		return "$?"
	case usd > 0 && usd < 0.01:
		return "<$0.01"
	case usd >= 1000:
		return "$" + strconv.FormatFloat(usd, 'f', 0, 64)
	}
	return "$" + strconv.FormatFloat(usd, 'f', 2, 64)
}
