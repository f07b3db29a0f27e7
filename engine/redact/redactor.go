package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// minValue is the length, in bytes, from which a variable's value is a secret.
const minValue = 8

// minBegin is the length, in bytes, from which the first words of a value are not left at
// the end of a text.
const minBegin = 5

// withheld stands for a whole text that could not be cleaned.
const withheld = "[redacted:text]"

// Redactor replaces secrets. The zero value knows no values, only shapes. It does
// not change after New, so any number of goroutines may use it.
type Redactor struct {
	values [256][]string // by first byte, longest first
	// begins are the first words of values that have several, longest first.
	begins []string
}

// New learns the secret values of an environment in the form of [os.Environ]: those
// of at least eight bytes whose variable is named as a key, token, secret, password,
// passphrase or credential. Values that are part of a replacement, such as
// "redacted", are not learned, since they could not be hidden.
func New(environ []string) *Redactor {
	r := &Redactor{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if !telling(name) {
			continue
		}
		r.learn(value)
		r.learn(strings.TrimSpace(value))
		r.learn(inJSON(value))
	}
	for i := range r.values {
		slices.SortFunc(r.values[i], func(a, b string) int {
			return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
		})
		r.values[i] = slices.Compact(r.values[i])
	}
	slices.SortFunc(r.begins, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return r
}

// learn takes a value. The ends of its lines do not matter.
func (r *Redactor) learn(value string) {
	value = strings.ReplaceAll(value, "\n", "")
	if len(value) < minValue || ofReplacement(value) {
		return
	}
	r.values[value[0]] = append(r.values[value[0]], value)
	for i := minBegin; i < len(value); i++ {
		if isBlank(value[i]) && !isBlank(value[i-1]) && !ofReplacement(value[:i]) {
			r.begins = append(r.begins, value[:i])
		}
	}
}

// ofReplacement reports whether a value is a part of what stands for secrets.
func ofReplacement(value string) bool {
	return strings.Contains(withheld, value) ||
		slices.ContainsFunc(kinds[:], func(kind string) bool { return strings.Contains(replacement(kind), value) })
}

// String gives the text with every secret replaced by "[redacted:" and its kind.
// What it gives holds no learned value; where that cannot be had by replacing
// alone, because a value and a replacement overlap, all of the text is withheld.
// Text that was redacted before is left as it is.
//
// A text may have been cut between two words: the first words of a value that it ends with
// are replaced as well.
func (r *Redactor) String(text string) string {
	clean := r.cut(r.replace(text))
	if clean != text && r.leaks(clean) {
		return withheld
	}
	return clean
}

// cut replaces the first words of a value at the end of a text.
func (r *Redactor) cut(text string) string {
	if len(r.begins) == 0 {
		return text
	}
	end := strings.TrimRight(text, " \t\n")
	for _, words := range r.begins {
		if strings.HasSuffix(end, words) {
			return end[:len(end)-len(words)] + replacement(kindEnv) + text[len(end):]
		}
	}
	return text
}

// Format keeps the values out of anything that prints the redactor.
func (r *Redactor) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("redactor")) }

func replacement(kind string) string { return "[redacted:" + kind + "]" }

// leaks reports whether a learned value is in the text.
func (r *Redactor) leaks(text string) bool {
	for i := range len(text) {
		if r.valueAt(text[i:]) > 0 {
			return true
		}
	}
	return false
}

// valueAt gives how much of the text is the longest learned value that it begins with.
func (r *Redactor) valueAt(text string) int {
	for _, v := range r.values[text[0]] {
		if n := spell(text, v); n > 0 {
			return n
		}
	}
	return 0
}

// span is a part of a text that is to be replaced.
type span struct {
	kind     string
	from, to int
}

// replace goes through the text once. Where something was replaced a word may
// begin, so that a second pass finds nothing that the first did not. What is to be
// replaced may lie ahead: what stands before it is looked through first.
func (r *Redactor) replace(text string) string {
	var out strings.Builder
	var ahead span
	s := scan{text: text}
	kept := 0 // where the text that is neither copied nor replaced begins
	for s.at < len(text) {
		if ahead.to > 0 && s.at >= ahead.from {
			if ahead.from == s.at {
				out.WriteString(text[kept:s.at])
				out.WriteString(replacement(ahead.kind))
			}
			s.at = max(s.at, ahead.to)
			kept, s.fresh, ahead = s.at, s.at, span{}
			continue
		}
		if c := text[s.at]; !starts[c] && len(r.values[c]) == 0 {
			s.at++
			continue
		}
		found := span{kindEnv, s.at, s.at + r.valueAt(text[s.at:])}
		if found.to == found.from {
			found.kind, found.from, found.to = s.shape()
		}
		switch {
		case found.to == found.from:
			s.at++
		case found.from > s.at:
			if ahead.to == 0 {
				ahead = found
			}
			s.at++
		default:
			out.WriteString(text[kept:found.from])
			out.WriteString(replacement(found.kind))
			kept, s.at, s.fresh = found.to, found.to, found.to
		}
	}
	if kept == 0 {
		return text
	}
	out.WriteString(text[kept:])
	return out.String()
}
