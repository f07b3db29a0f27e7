package redact

import "strings"

// shape is a key that is known by how it begins: a prefix, then at least min
// characters of a set, as many as follow.
type shape struct {
	kind, prefix string
	set          func(byte) bool
	min          int
	// word is set if the prefix is too common to be taken within a word.
	word bool
}

// shapes are tried in this order; a longer prefix comes before one it contains.
var shapes = [...]shape{
	{kind: "anthropic-key", prefix: "sk-ant-", set: isKey, min: 8},
	{kind: "api-key", prefix: "sk-", set: isKey, min: 20, word: true},
	{kind: "github-token", prefix: "ghp_", set: isAlnum, min: 20},
	{kind: "github-token", prefix: "gho_", set: isAlnum, min: 20},
	{kind: "github-token", prefix: "ghu_", set: isAlnum, min: 20},
	{kind: "github-token", prefix: "ghs_", set: isKey, min: 20},
	{kind: "github-token", prefix: "ghr_", set: isAlnum, min: 20},
	{kind: "github-token", prefix: "github_pat_", set: isKey, min: 20},
	{kind: "aws-key", prefix: "AKIA", set: isUpper, min: 16},
	{kind: "aws-key", prefix: "ASIA", set: isUpper, min: 16},
	{kind: "google-key", prefix: "AIza", set: isKey, min: 30},
	{kind: "slack-token", prefix: "xoxb-", set: isKey, min: 10},
	{kind: "slack-token", prefix: "xoxp-", set: isKey, min: 10},
	{kind: kindJWT},
	{kind: kindBearer},
	{kind: kindPEM},
}

const (
	kindJWT    = "jwt"
	kindBearer = "bearer"
	kindPEM    = "private-key"

	// minBearer spares prose such as "bearer of news".
	minBearer = 16
	// maxLabel bounds what stands between the dashes of a key block's first line.
	maxLabel = 40
)

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isUpper(c byte) bool  { return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' }
func isKey(c byte) bool    { return isAlnum(c) || c == '_' || c == '-' }
func isBearer(c byte) bool { return isKey(c) || strings.IndexByte("./+~=", c) >= 0 }

func isLabel(c byte) bool { return isUpper(c) || c == ' ' }

// isBody is what a block holds that has no end, escaped line ends included.
func isBody(c byte) bool { return isAlnum(c) || strings.IndexByte("+/=\\ \t\r\n", c) >= 0 }

// run gives how many bytes of a set the text begins with.
func run(text string, set func(byte) bool) int {
	n := 0
	for n < len(text) && set(text[n]) {
		n++
	}
	return n
}

// scan is a place in a text.
type scan struct {
	text  string
	at    int
	fresh int // where the last replaced span ended: a word may begin there
	end   int // the next end of a key block, if it is behind at; -1 if there is none
}

// wordBegins reports whether the place is not within a word. The letter of an escape
// sequence is no part of one: text may be JSON, in which a line ends with an escaped n.
func (s *scan) wordBegins() bool {
	return s.at == s.fresh || !isKey(s.text[s.at-1]) || escapeEnds(s.text[s.fresh:s.at])
}

// escapeEnds reports whether a text ends with an escape sequence, as JSON and most
// languages write control characters.
func escapeEnds(text string) bool {
	n := len(text)
	switch {
	case n >= 2 && text[n-2] == '\\':
		return strings.IndexByte("abefnrtv", text[n-1]) >= 0
	case n >= 6 && text[n-6:n-4] == "\\u":
		return strings.Trim(text[n-4:], "0123456789abcdefABCDEF") == ""
	}
	return false
}

// shape finds a key at the place and says which part of the text to replace; an
// empty part if there is none. It costs no more than what it reads over is long,
// and what it has read over in vain is read again a bounded number of times.
func (s *scan) shape() (kind string, from, to int) {
	rest := s.text[s.at:]
	switch rest[0] {
	case 's', 'g', 'A', 'x':
		for _, p := range shapes {
			if p.prefix == "" || !strings.HasPrefix(rest, p.prefix) || p.word && !s.wordBegins() {
				continue
			}
			if n := run(rest[len(p.prefix):], p.set); n >= p.min {
				return p.kind, s.at, s.at + len(p.prefix) + n
			}
		}
	case 'e':
		return kindJWT, s.at, s.at + s.jwt(rest)
	case 'b', 'B':
		return s.bearer(rest)
	case '-':
		return kindPEM, s.at, s.at + s.block(rest)
	}
	return "", s.at, s.at
}

// jwt gives the length of three encoded parts, the first of which is an object.
func (s *scan) jwt(rest string) int {
	if !strings.HasPrefix(rest, "eyJ") || !s.wordBegins() {
		return 0
	}
	head := run(rest, isKey)
	if head < 10 || !strings.HasPrefix(rest[head:], ".eyJ") {
		return 0
	}
	body := head + 1 + run(rest[head+1:], isKey)
	if body-head < 5 || !strings.HasPrefix(rest[body:], ".") {
		return 0
	}
	return body + 1 + run(rest[body+1:], isKey) // an unsigned one has no third part
}

// bearer leaves the word and takes what follows it.
func (s *scan) bearer(rest string) (kind string, from, to int) {
	const word = "bearer"
	none := func() (string, int, int) { return "", s.at, s.at }
	if len(rest) < len(word) || !strings.EqualFold(rest[:len(word)], word) || !s.wordBegins() {
		return none()
	}
	gap := run(rest[len(word):], func(c byte) bool { return c == ' ' || c == '\t' })
	if gap == 0 {
		return none()
	}
	from = len(word) + gap
	n := run(rest[from:], isBearer)
	if n < minBearer {
		return none()
	}
	return kindBearer, s.at + from, s.at + from + n
}

// block gives the length of a private key block. One without an end, as in a text
// that was cut, is taken as far as it looks like a key.
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
	if s.end < 0 {
		return head + run(rest[head:], isBody)
	}
	n := s.end - s.at + len(end)
	tail := rest[n:min(len(rest), n+maxLabel)]
	if i := strings.Index(tail, dashes); i >= 0 {
		n += i + len(dashes)
	}
	return n
}
