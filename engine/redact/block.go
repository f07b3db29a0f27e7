package redact

import "strings"

const (
	// maxLabel bounds what stands between the dashes of a key block's first line, and
	// maxBlock what stands between its first line and its last, in bytes.
	maxLabel = 40
	maxBlock = 64 << 10
	// maxEmpty bounds the lines at the beginning of a block that hold nothing of the key.
	maxEmpty = 8
	// minLine is how long a line of a key is at least that others follow.
	minLine = 32
)

func isLabel(c byte) bool { return isUpper(c) || c == ' ' }

// isBase64 is what a key is encoded in.
func isBase64(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' }

// isFrame is what may stand before a line of a key, or behind it, where it is quoted,
// is part of a difference or of a listing with numbers.
func isFrame(c byte) bool { return strings.IndexByte(" \t>|+-:;#*,'\"`()", c) >= 0 }

// block gives the length of a private key block (RFC 7468). One without an end, as in a
// text that was cut, is taken as far as it looks like a key.
func (s *scan) block(rest string) int {
	const begin, end, dashes, what = "-----BEGIN ", "-----END ", "-----", "PRIVATE KEY"
	if !strings.HasPrefix(rest, begin) {
		return 0
	}
	label := rest[len(begin):min(len(rest), len(begin)+maxLabel)]
	stop := run(label, isLabel)
	if !strings.Contains(label[:stop], what) || !strings.HasPrefix(rest[len(begin)+stop:], dashes) {
		return 0
	}
	head := len(begin) + stop + len(dashes)
	body := s.at + head
	if s.end >= 0 && s.end < body {
		s.end = strings.Index(s.text[body:], end)
		if s.end >= 0 {
			s.end += body
		}
	}
	if s.end < 0 || s.end > body+maxBlock {
		return head + encoded(rest[head:])
	}
	n := s.end - s.at + len(end)
	tail := rest[n:min(len(rest), n+maxLabel)]
	if i := strings.Index(tail, dashes); i >= 0 {
		n += i + len(dashes)
	}
	return n
}

// encoded gives how much of a text is the lines of a key, whatever frames them. The last
// line of a key is shorter than the others.
func encoded(text string) int {
	width, n := 0, 0
	for at, empty := 0, 0; at < len(text) && empty < maxEmpty; {
		from := at + frame(text[at:])
		if from < len(text) && isBase64(text[from]) {
			from -= lastRun(text[at:from], func(c byte) bool { return c == '+' }) // it may be of the key
		}
		end := from + run(text[from:], isBase64)
		next := end + lineEnd(text[end:])
		if next == end && end-from >= minLine {
			next += run(text[end:], isBlank) // the lines were put on one
		}
		switch k := end - from; {
		case width == 0 && strings.HasPrefix(text[from+run(text[from:], isKey):], ": "): // a header, as in RFC 1421
			end += run(text[end:], func(c byte) bool { return c != '\n' && c != '\\' })
			next = end + lineEnd(text[end:])
			empty++
		case k == 0:
			empty++
		case k < width || next == end:
			return end
		default:
			width, n, empty = k, end, 0
		}
		if next == at || next == end {
			break
		}
		at = next
	}
	return n
}

// frame gives how much of the beginning of a line is no part of a key.
func frame(line string) int {
	n := run(line, isFrame)
	digits := run(line[n:], isDigit)
	if behind := n + digits; digits > 0 && behind < len(line) && isFrame(line[behind]) && line[behind] != '+' ||
		strings.HasPrefix(line[n+digits:], "→") {
		n = behind + run(line[behind:], func(c byte) bool { return isFrame(c) || c >= 0x80 })
	}
	return n
}

// lineEnd gives how much of a text is the end of a line, as it is or escaped, with what
// frames it; zero if it does not end there.
func lineEnd(text string) int {
	for n := run(text, isFrame); n < len(text); {
		slashes := run(text[n:], func(c byte) bool { return c == '\\' })
		switch rest := text[n+slashes:]; {
		case strings.HasPrefix(rest, "\n"), slashes > 0 && strings.HasPrefix(rest, "n"):
			return n + slashes + 1
		case strings.HasPrefix(rest, "\r"), slashes > 0 && (strings.HasPrefix(rest, "r") || strings.HasPrefix(rest, `"`)):
			n += slashes + 1
			n += run(text[n:], isFrame)
		default:
			return 0
		}
	}
	return 0
}
