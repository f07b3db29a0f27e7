package redact

import (
	"encoding/json"
	"slices"
	"strings"
)

// kindEnv is the kind of a value that was learned from the environment.
const kindEnv = "env"

// telling reports whether the name of a variable says that its value is secret. It is
// meant for an environment, all of which is known, and lenient.
func telling(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "APIKEY"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for _, end := range []string{"_KEY", "_PASS", "_PAT", "_AUTH"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return strings.Contains(name, "_KEY_")
}

// saying is how surely a name within a text says that a secret stands behind it.
type saying int

const (
	saysNothing saying = iota
	// saysMaybe is said of what is as often a part of a language: a token, a key.
	saysMaybe
	saysSecret
	// saysHeader is said of what a scheme stands before, as in RFC 9110.
	saysHeader
)

// says is what the last word of a name says.
var says = map[string]saying{
	"password": saysSecret, "passwd": saysSecret, "passphrase": saysSecret, "passcode": saysSecret, "secret": saysSecret,
	"apikey": saysSecret, "secretkey": saysSecret, "accesskey": saysSecret, "privatekey": saysSecret,
	"authtoken": saysSecret, "accesstoken": saysSecret, "refreshtoken": saysSecret,
	"token": saysMaybe, "credential": saysMaybe, "credentials": saysMaybe, "auth": saysMaybe, "pat": saysMaybe, "secrets": saysMaybe,
	"authorization": saysHeader,
}

// ofSecrets are the words before the last one that make it the name of a secret.
var ofSecrets = map[string][]string{
	"key":   {"api", "secret", "access", "private", "signing", "encryption", "account", "master"},
	"token": {"auth", "access", "refresh", "session", "bearer", "api", "id", "oauth", "deploy", "bot", "personal", "security"},
}

// nameSays is what a name says, however it puts its words together.
func nameSays(name string) saying {
	for name != "" && !isSmall(name[len(name)-1]|0x20) {
		name = name[:len(name)-1] // a number, or a sign
	}
	if name == "" || strings.IndexByte("dehlnsty", name[len(name)-1]|0x20) < 0 {
		return saysNothing // the usual case
	}
	last := wordStart(name)
	word := strings.ToLower(name[last:])
	before := strings.TrimRight(name[:last], "_-.")
	before = strings.ToLower(before[wordStart(before):])
	if slices.Contains(ofSecrets[word], before) || word == "pwd" && before != "" && before != "old" {
		return saysSecret
	}
	if strings.ContainsFunc(name, func(r rune) bool { return 'a' <= r && r <= 'z' }) {
		return says[word]
	}
	for _, end := range []string{"password", "passwd", "token", "secret", "apikey"} { // as in PGPASSWORD
		if strings.HasSuffix(word, end) && len(end) < len(name) {
			return saysSecret
		}
	}
	if word == "key" && before != "" {
		return saysMaybe
	}
	return says[word]
}

// wordStart gives where the last word of a name begins.
func wordStart(name string) int {
	i := len(name)
	for i > 0 && isAlnum(name[i-1]) {
		i--
		if i > 0 && i < len(name) && isLarge(name[i]) && isSmall(name[i-1]) {
			break
		}
	}
	return i
}

// inJSON gives the value as it stands in JSON that escapes no more than it must.
func inJSON(value string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(b.String(), "\n"), `"`), `"`)
}
