package redact

import "strings"

// shape is a key that is known by how it begins: a prefix, then at least min
// characters of a set, as many as follow.
type shape struct {
	kind, prefix string
	set          func(byte) bool
	min          int
	// word is set if the prefix is too common to be taken within a word, and mixed if
	// it begins names too: then large and small letters and a digit must follow.
	word, mixed bool
}

const (
	kindAnthropic = "anthropic-key"
	kindAPI       = "api-key"
	kindGitHub    = "github-token"
	kindGitLab    = "gitlab-token"
	kindAWS       = "aws-key"
	kindGoogle    = "google-key"
	kindSlack     = "slack-token"
	kindStripe    = "stripe-key"
	kindNPM       = "npm-token"
	kindPyPI      = "pypi-token"
	kindHF        = "hf-token"
	kindRefresh   = "refresh-token"
	kindJWT       = "jwt"
	kindBearer    = "bearer"
	kindPEM       = "private-key"
	kindPassword  = "password"
	kindSecret    = "secret"
)

// kinds are all the kinds of what is replaced.
var kinds = [...]string{
	kindEnv, kindAnthropic, kindAPI, kindGitHub, kindGitLab, kindAWS, kindGoogle, kindSlack, kindStripe, kindNPM, kindPyPI,
	kindHF, kindRefresh, kindJWT, kindBearer, kindPEM, kindPassword, kindSecret,
}

// shapes are tried in this order; a longer prefix comes before one it contains.
var shapes = [...]shape{
	// Anthropic: sk-ant-api03-…, sk-ant-oat01-…, as in the commands' own documentation.
	{kind: kindAnthropic, prefix: "sk-ant-", set: isKey, min: 8},
	// OpenAI: sk-…, sk-proj-…, sk-svcacct-… (platform.openai.com/docs/api-reference/authentication).
	{kind: kindAPI, prefix: "sk-", set: isKey, min: 20, word: true},
	// The refresh tokens that codex keeps in its auth.json.
	{kind: kindRefresh, prefix: "rt_", set: isDotted, min: 32, word: true, mixed: true},
	// Stripe: docs.stripe.com/keys.
	{kind: kindStripe, prefix: "sk_live_", set: isAlnum, min: 10},
	{kind: kindStripe, prefix: "sk_test_", set: isAlnum, min: 10},
	{kind: kindStripe, prefix: "rk_live_", set: isAlnum, min: 10},
	{kind: kindStripe, prefix: "rk_test_", set: isAlnum, min: 10},
	// GitHub: github.blog/2021-04-05-behind-githubs-new-authentication-token-formats.
	{kind: kindGitHub, prefix: "ghp_", set: isAlnum, min: 20},
	{kind: kindGitHub, prefix: "gho_", set: isAlnum, min: 20},
	{kind: kindGitHub, prefix: "ghu_", set: isAlnum, min: 20},
	{kind: kindGitHub, prefix: "ghs_", set: isKey, min: 20},
	{kind: kindGitHub, prefix: "ghr_", set: isAlnum, min: 20},
	{kind: kindGitHub, prefix: "github_pat_", set: isKey, min: 20},
	// GitLab: docs.gitlab.com/security/tokens, "token prefixes".
	{kind: kindGitLab, prefix: "glpat-", set: isDotted, min: 16},
	{kind: kindGitLab, prefix: "gldt-", set: isKey, min: 16, word: true},
	{kind: kindGitLab, prefix: "glrt-", set: isDotted, min: 16, word: true},
	// npm, as its documentation of access tokens has it; 36 characters follow.
	{kind: kindNPM, prefix: "npm_", set: isAlnum, min: 30},
	// PyPI: pypi.org/help/#apitoken; a macaroon for pypi.org.
	{kind: kindPyPI, prefix: "pypi-AgE", set: isKey, min: 30},
	// Hugging Face: huggingface.co/docs/hub/security-tokens; 34 characters follow.
	{kind: kindHF, prefix: "hf_", set: isAlnum, min: 30, word: true},
	// AWS: docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html.
	{kind: kindAWS, prefix: "AKIA", set: isUpper, min: 16},
	{kind: kindAWS, prefix: "ASIA", set: isUpper, min: 16},
	// Google: cloud.google.com/docs/authentication/api-keys, and OAuth access tokens.
	{kind: kindGoogle, prefix: "AIza", set: isKey, min: 30},
	{kind: kindGoogle, prefix: "ya29.", set: isDotted, min: 20},
	// Slack: docs.slack.dev/authentication/tokens.
	{kind: kindSlack, prefix: "xoxa-", set: isKey, min: 10},
	{kind: kindSlack, prefix: "xoxb-", set: isKey, min: 10},
	{kind: kindSlack, prefix: "xoxc-", set: isKey, min: 10},
	{kind: kindSlack, prefix: "xoxe-", set: isKey, min: 10},
	{kind: kindSlack, prefix: "xoxe.xox", set: isKey, min: 10},
	{kind: kindSlack, prefix: "xoxp-", set: isKey, min: 10},
	{kind: kindSlack, prefix: "xoxr-", set: isKey, min: 10},
	{kind: kindSlack, prefix: "xoxs-", set: isKey, min: 10},
	{kind: kindSlack, prefix: "xapp-", set: isKey, min: 10},
}

// byFirst holds the shapes by the first byte of their prefixes.
var byFirst = func() (all [256][]shape) {
	for _, p := range shapes {
		all[p.prefix[0]] = append(all[p.prefix[0]], p)
	}
	return all
}()

// starts tells with which bytes something may begin that has a shape.
var starts = func() (all [256]bool) {
	for _, p := range shapes {
		all[p.prefix[0]] = true
	}
	for _, c := range []byte("ebB-:=") { // see scan.shape
		all[c] = true
	}
	return all
}()

// minBearer spares prose such as "bearer of news".
const minBearer = 16

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLarge(c byte) bool { return 'A' <= c && c <= 'Z' }
func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }

func isAlnum(c byte) bool   { return isDigit(c) || isSmall(c) || isLarge(c) }
func isUpper(c byte) bool   { return isDigit(c) || isLarge(c) }
func isKey(c byte) bool     { return isAlnum(c) || c == '_' || c == '-' }
func isDotted(c byte) bool  { return isKey(c) || c == '.' }
func isBearer(c byte) bool  { return isKey(c) || strings.IndexByte("./+~=", c) >= 0 }
func isLineEnd(c byte) bool { return c == '\n' }
func isBlank(c byte) bool   { return c == ' ' || c == '\t' }

// run gives how many bytes of a set the text begins with.
func run(text string, set func(byte) bool) int {
	n := 0
	for n < len(text) && set(text[n]) {
		n++
	}
	return n
}

// broken is run over line ends, until there are at least so many bytes of the set. It
// gives how much of the text that is, and how many bytes of the set.
func broken(text string, set func(byte) bool, least int) (n, got int) {
	for {
		k := run(text[n:], set)
		n, got = n+k, got+k
		next := n + run(text[n:], isLineEnd)
		if got >= least || next == n || next == len(text) || !set(text[next]) {
			return n, got
		}
		n = next
	}
}

// maxBreaks bounds the line ends that a learned value may be broken by.
const maxBreaks = 64

// spell gives how much of a text spells a word of two letters or more, with line ends
// between them or without; zero if the text does not begin with it.
func spell(text, word string) int {
	if len(text) < 2 || text[0] != word[0] || text[1] != word[1] && text[1] != '\n' {
		return 0 // the usual case
	}
	if strings.HasPrefix(text, word) {
		return len(word)
	}
	n := 0
	for breaks := 0; breaks <= maxBreaks; breaks++ {
		end := strings.IndexByte(text[n:min(len(text), n+len(word))], '\n')
		if end < 0 {
			if n == 0 || !strings.HasPrefix(text[n:], word) {
				return 0
			}
			return n + len(word)
		}
		if n+end == 0 || text[n:n+end] != word[:end] {
			return 0
		}
		n, word = n+end, word[end:]
		n += run(text[n:], isLineEnd)
	}
	return 0
}

// at gives how much of the text is a key of this shape; zero if it begins with none. A
// line end within it is passed over for as long as the key is too short.
func (p shape) at(text string) int {
	head := spell(text, p.prefix)
	if head == 0 {
		return 0
	}
	head += run(text[head:], isLineEnd)
	n, got := broken(text[head:], p.set, p.min)
	if got < p.min || p.mixed && !mixed(text[head:head+n]) {
		return 0
	}
	return head + n
}

// mixed reports whether there are large and small letters and a digit in a text.
func mixed(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < 0x80 && isDigit(byte(r)) }) >= 0 &&
		strings.IndexFunc(text, func(r rune) bool { return r < 0x80 && isLarge(byte(r)) }) >= 0 &&
		strings.IndexFunc(text, func(r rune) bool { return r < 0x80 && isSmall(byte(r)) }) >= 0
}

// scan is a place in a text.
type scan struct {
	text  string
	at    int
	fresh int // where the last replaced span ended: a word may begin there
	end   int // the next end of a key block, if it is behind at; -1 if there is none
	vain  int // where a part ended that no other part of a token follows
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
	return n >= 2 && text[n-2] == '\\' && isAlnum(text[n-1]) ||
		n >= 6 && text[n-6:n-4] == "\\u" && strings.Trim(text[n-4:], "0123456789abcdefABCDEF") == ""
}

// shape finds a key at the place and says which part of the text to replace; an
// empty part if there is none. It costs no more than what it reads over is long,
// and what it has read over in vain is read again a bounded number of times.
func (s *scan) shape() (kind string, from, to int) {
	rest := s.text[s.at:]
	switch rest[0] {
	case 'e':
		return kindJWT, s.at, s.at + s.jwt(rest)
	case 'b', 'B':
		return s.bearer(rest)
	case '-':
		if n := s.block(rest); n > 0 {
			return kindPEM, s.at, s.at + n
		}
		return s.option(rest)
	case ':', '=':
		if strings.HasPrefix(rest, "://") {
			return s.userinfo(rest)
		}
		return s.assigned()
	}
	kind, n := s.known(rest)
	return kind, s.at, s.at + n
}

// known finds a key with a known prefix.
func (s *scan) known(rest string) (kind string, n int) {
	for _, p := range byFirst[rest[0]] {
		if n := p.at(rest); n > 0 && (!p.word || s.wordBegins()) {
			return p.kind, n
		}
	}
	return "", 0
}

// jwt gives the length of three encoded parts, the first two of which are objects
// (RFC 7519).
func (s *scan) jwt(rest string) int {
	const object, minHead, minBody = "eyJ", 10, 4
	if s.at < s.vain || spell(rest, object) == 0 || !s.wordBegins() {
		return 0
	}
	n := 0
	for _, least := range []int{minHead, minBody} {
		if spell(rest[n:], object) == 0 {
			return 0
		}
		k, got := broken(rest[n:], isKey, len(rest))
		n += k
		n += run(rest[n:], isLineEnd)
		if !strings.HasPrefix(rest[n:], ".") {
			s.vain = s.at + n
			return 0
		}
		if got < least {
			return 0
		}
		n++
		n += run(rest[n:], isLineEnd)
	}
	return n + run(rest[n:], isKey) // an unsigned one has no third part
}

// bearer leaves the word and takes what follows it.
func (s *scan) bearer(rest string) (kind string, from, to int) {
	const word = "bearer"
	none := func() (string, int, int) { return "", s.at, s.at }
	if len(rest) < len(word) || !strings.EqualFold(rest[:len(word)], word) || !s.wordBegins() {
		return none()
	}
	gap := run(rest[len(word):], isBlank)
	if gap == 0 {
		return none()
	}
	from = len(word) + gap
	n, got := broken(rest[from:], isBearer, minBearer)
	if got < minBearer {
		return none()
	}
	return kindBearer, s.at + from, s.at + from + n
}
