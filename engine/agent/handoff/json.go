package handoff

import (
	"bytes"
	"encoding/json"
	"strings"

	"example.com/layover/engine/agent/record"
)

// data is JSON as a transcript holds it: its strings are made plain one by one, so that
// no escape sequence can hide what is in them, and the whole once more, as the name of a
// member may tell of a secret. Its order stays. It never recurses.
func (t *Transcript) data(r record.Raw) string {
	if bytes.IndexByte(r, '\\') < 0 && bytes.IndexByte(r, 0x1b) < 0 && len(r) < minBlob {
		return t.plain(string(r))
	}
	var b strings.Builder
	for i := 0; i < len(r); {
		quote := bytes.IndexByte(r[i:], '"')
		if quote < 0 {
			quote = len(r) - i
		}
		b.WriteString(record.Printable(string(r[i : i+quote])))
		i += quote
		if i == len(r) {
			break
		}
		end, ok := record.StringEnd(r, i)
		if !ok {
			return t.plain(string(r)) // it is no JSON
		}
		b.WriteString(quoted(t.plain(saidText(r[i:end]))))
		i = end
	}
	return bare(t.redact(b.String()), unjoined, t.redact)
}

// shown is a value as a transcript holds it: a text, which may hold JSON, or JSON.
func (t *Transcript) shown(v record.Raw) string {
	if len(v) == 0 || v[0] != '"' {
		return t.data(v)
	}
	text := saidText(v)
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return t.data(record.Raw(text))
	}
	return t.plain(text)
}

// quoted gives a text as a string of JSON, escaped no more than it must be.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
