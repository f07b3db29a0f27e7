package redact

import (
	"encoding/json"
	"strings"
)

// kindEnv is the kind of a value that was learned from the environment.
const kindEnv = "env"

// telling reports whether the name of a variable says that its value is secret.
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
