package redact

import (
	"strings"
	"unicode/utf8"
)

const (
	// maxAssigned bounds the name of a secret, and maxQuoted its value between
	// quotation marks, in bytes.
	maxAssigned = 64
	maxQuoted   = 8 << 10
	// maxSlashes bounds how often a quotation mark is escaped.
	maxSlashes = 16
	// maxSaid bounds a value of several words: what is longer is prose.
	maxSaid = 200
	// minQuoted, minPlain and minRandom are how long a value is at least: one between
	// quotation marks, one without, and one whose name does not say much.
	minQuoted = 4
	minPlain  = 6
	minRandom = 16
	// maxUserinfo bounds what stands before the host of an address, in bytes.
	maxUserinfo = 1 << 10
)

// userinfo takes the password out of an address and leaves the user (RFC 3986, 3.2.1).
func (s *scan) userinfo(rest string) (kind string, from, to int) {
	if s.at == s.fresh || !isAlnum(s.text[s.at-1]) {
		return "", s.at, s.at
	}
	part := rest[len("://"):min(len(rest), len("://")+maxUserinfo)]
	if i := strings.IndexAny(part, "/?#\"'`<>\\ \t\n"); i >= 0 {
		part = part[:i]
	}
	at, colon := strings.LastIndexByte(part, '@'), strings.IndexByte(part, ':')
	if colon < 0 || at < colon || standsFor(part[colon+1:at]) || strings.Contains(part[:at], "[redacted:") {
		return "", s.at, s.at
	}
	from = s.at + len("://") + colon + 1
	return s.kindAt(from, kindPassword), from, s.at + len("://") + at
}

// kindAt is the kind of the key with a known prefix that begins at a place; other if
// there is none.
func (s *scan) kindAt(at int, other string) string {
	if kind, n := (&scan{text: s.text, at: at, fresh: at}).known(s.text[at:]); n > 0 {
		return kind
	}
	return other
}

// assigned finds what is assigned to a name that says it is secret: in JSON, TOML, YAML,
// in the headers of a request, in an environment or in code. The place is the sign
// between the two.
func (s *scan) assigned() (kind string, from, to int) {
	none := func() (string, int, int) { return "", s.at, s.at }
	name := s.text[max(s.fresh, s.at-maxAssigned):s.at]
	blanks := lastRun(name, isBlank)
	name = name[:len(name)-blanks]
	name = name[:len(name)-lastRun(name, isMark)]
	name = name[len(name)-lastRun(name, isDotted):]
	said := nameSays(name)
	if said == saysNothing {
		return none()
	}
	rest := s.text[s.at:]
	gap := 1
	if strings.HasPrefix(rest, ":=") || strings.HasPrefix(rest, "=>") {
		gap = 2
	} else if len(rest) > 1 && (rest[1] == '=' || rest[1] == ':' || rest[1] == '~') {
		return none() // a comparison, or a part of a path
	}
	blank := run(rest[gap:], isBlank)
	shell := rest[0] == '=' && blanks+blank == 0 && strings.ToUpper(name) == name
	return s.value(said, s.at+gap+blank, shell)
}

// lastRun gives how many bytes of a set a text ends with.
func lastRun(text string, set func(byte) bool) int {
	n := 0
	for n < len(text) && set(text[len(text)-1-n]) {
		n++
	}
	return n
}

// isMark is what may stand around a name.
func isMark(c byte) bool { return strings.IndexByte("\"'`\\]", c) >= 0 }

// option finds what follows an option of a command, such as --password.
func (s *scan) option(rest string) (kind string, from, to int) {
	none := func() (string, int, int) { return "", s.at, s.at }
	if !strings.HasPrefix(rest, "--") || !s.wordBegins() {
		return none()
	}
	n := 2 + run(rest[2:min(len(rest), maxAssigned)], isKey)
	blank := run(rest[n:], isBlank)
	if blank == 0 {
		return none()
	}
	said := nameSays(rest[2:n])
	if said == saysNothing {
		return none()
	}
	return s.value(said, s.at+n+blank, false)
}

// value finds the end of a value, and says whether it is a secret.
func (s *scan) value(said saying, from int, shell bool) (kind string, start, to int) {
	none := func() (string, int, int) { return "", s.at, s.at }
	rest := s.text[from:]
	mark := run(rest[:min(len(rest), maxSlashes)], func(c byte) bool { return c == '\\' })
	quoted := mark < len(rest) && strings.IndexByte("\"'`", rest[mark]) >= 0
	if !quoted && mark > 0 {
		return none()
	}
	start = from
	value := rest[:run(rest[:min(len(rest), maxQuoted)], isPlainValue)]
	if quoted {
		start += mark + 1
		value = untilMark(rest[mark+1:min(len(rest), mark+1+maxQuoted)], rest[:mark+1])
	}
	if said == saysHeader {
		return s.credentials(start)
	}
	if quoted && !quotedSecret(said, value) || !quoted && !plainSecret(said, value, rest[len(value):], shell) {
		return none()
	}
	if !quoted {
		value = strings.TrimRight(value, ".:")
	}
	return s.kindAt(start, kindSecret), start, start + len(value)
}

// credentials leaves the scheme of a header and takes what follows it (RFC 9110, 11.4).
func (s *scan) credentials(start int) (kind string, from, to int) {
	rest := s.text[start:]
	scheme := run(rest, isAlnum)
	blank := run(rest[scheme:], isBlank)
	kind = kindSecret
	if scheme > 0 && blank > 0 {
		start += scheme + blank
		if strings.EqualFold(rest[:scheme], "bearer") {
			kind = kindBearer
		}
	}
	value := s.text[start:]
	value = value[:run(value, isBearer)]
	turns := strings.ContainsFunc(value, func(r rune) bool { return isDigit(byte(r)) || r == '=' })
	for i := 1; i < len(value) && !turns; i++ {
		turns = isLarge(value[i]) && isSmall(value[i-1])
	}
	if len(value) < minPlain || !turns || standsFor(value) {
		return "", s.at, s.at
	}
	return s.kindAt(start, kind), start, start + len(value)
}

// untilMark gives what stands before a quotation mark, or before the end of the line.
func untilMark(text, mark string) string {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n', strings.HasPrefix(text[i:], mark):
			return text[:i]
		case len(mark) == 1 && text[i] == '\\':
			i++
		}
	}
	return text
}

// isPlainValue is what a value without quotation marks holds.
func isPlainValue(c byte) bool {
	return c > ' ' && c != 0x7f && strings.IndexByte("\"'`,;()[]{}<>|&\\", c) < 0
}

// quotedSecret reports whether a value between quotation marks is a secret.
func quotedSecret(said saying, value string) bool {
	switch {
	case len(value) < minQuoted || standsFor(value):
		return false
	case said == saysMaybe:
		return random(value)
	case strings.ContainsAny(value, " \t"): // a passphrase, or what is said about one
		lower := strings.ToLower(value)
		for _, word := range []string{"passw", "passp", "secret", "token", "key", "credential"} {
			if strings.Contains(lower, word) {
				return false
			}
		}
		return len(value) <= maxSaid
	}
	return true
}

// plainSecret reports whether a value without quotation marks is a secret, and not code
// or prose.
func plainSecret(said saying, value, rest string, shell bool) bool {
	value = strings.TrimRight(value, ".:")
	switch {
	case standsFor(value), rest != "" && strings.IndexByte("([{", rest[0]) >= 0, strings.IndexAny(value+"x", "/.~-") == 0:
		return false
	case said == saysMaybe:
		return random(value)
	case shell:
		return len(value) >= minQuoted
	case len(value) < minPlain || len(value) < minRandom && strings.IndexByte(value, '.') > 0 && isName(value):
		return false // the field of something
	}
	digits := strings.ContainsAny(value, "0123456789")
	signs := strings.ContainsAny(value, "!@#$%^&*+=?~/")
	number := run(value, func(c byte) bool { return isDigit(c) || c == '_' || c == '.' }) == len(value)
	return (digits || signs) && (!number || len(value) >= 8)
}

// isName reports whether a text could be a name in code.
func isName(text string) bool {
	return run(text, isDotted) == len(text) && !isDigit(text[0])
}

// random reports whether a value looks as if it was drawn.
func random(value string) bool {
	digits, letters := 0, 0
	for _, c := range []byte(value) {
		switch {
		case isDigit(c):
			digits++
		case isAlnum(c):
			letters++
		case isBlank(c):
			return false
		}
	}
	return len(value) >= minRandom && digits > 1 && letters > 1
}

// plainWords are values that name a type, a state or a choice.
var plainWords = map[string]bool{
	"string": true, "none": true, "null": true, "true": true, "false": true, "undefined": true, "required": true,
	"optional": true, "include": true, "omit": true, "same-origin": true, "text": true, "number": true, "boolean": true,
	"bytes": true, "object": true, "empty": true, "hidden": true, "basic": true, "bearer": true, "changeme": true,
}

// standsFor reports whether a value is no secret but stands for one: a variable, a field
// to fill in, a type, a name that says so itself, or what was redacted before.
func standsFor(value string) bool {
	if value == "" || strings.Contains(value, "[redacted:") {
		return true
	}
	first, size := utf8.DecodeRuneInString(value)
	if strings.Trim(value, value[:size]) == "" {
		return true // asterisks, or such
	}
	inner := value[size:]
	switch {
	case first == '$' && (strings.ContainsRune("{(", rune((inner + "x")[0])) || run(inner, isKey) == len(inner)),
		first == '<' && strings.HasSuffix(value, ">"),
		first == '{' && strings.HasSuffix(value, "}"),
		first == '%' && (len(inner) < 3 || strings.HasSuffix(inner, "%")):
		return true
	}
	return plainWords[strings.ToLower(value)] || nameSays(value) != saysNothing && run(value, isDotted) == len(value) && !random(value)
}
