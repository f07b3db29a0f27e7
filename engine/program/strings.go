package program

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text reads a string of any content but NUL, which no system call takes.
func (t table) text(key string) (string, bool) {
	v, ok := t.raw(key)
	if !ok {
		return "", false
	}
	s, ok := v.(string)
	switch {
	case !ok:
		t.wrongType(key, "a string", v, "")
	case strings.Contains(s, "\x00"):
		t.fault(key, key+" contains a NUL character", "")
		ok = false
	}
	return s, ok
}

// word reads a string that is shown and becomes part of file names.
func (t table) word(key string) (string, bool) {
	s, ok := t.text(key)
	if !ok {
		return "", false
	}
	if why := notAWord(s); why != "" {
		t.fault(key, fmt.Sprintf("%s %q %s", key, s, why), "")
		return "", false
	}
	return s, true
}

// longestWord bounds names, in bytes: they become part of file names.
const longestWord = 64

// notAWord tells why a text cannot be a name; empty if it can.
func notAWord(s string) string {
	bad := func(c rune) bool { return c == '/' || c == '\\' || c == utf8.RuneError || !unicode.IsPrint(c) }
	switch {
	case strings.TrimSpace(s) == "":
		return "is empty"
	case len(s) > longestWord:
		return fmt.Sprintf("is longer than %d bytes", longestWord)
	case strings.HasPrefix(s, ".") || strings.TrimSpace(s) != s:
		return "begins with a dot, or begins or ends with a space"
	case strings.ContainsFunc(s, bad):
		return "contains a slash or a character that cannot be shown"
	}
	return ""
}

// choice reads one of a few words.
func (t table) choice(key string, words ...string) (string, bool) {
	s, ok := t.text(key)
	if ok && !slices.Contains(words, s) {
		t.fault(key, fmt.Sprintf("%s is %q, but must be %s", key, s, either(words)), meant(s, words))
		return "", false
	}
	return s, ok
}

// argv reads a list of arguments; the first names a program if there must be one.
func (t table) argv(key string, program bool) []string {
	such := `["--flag", "value"]`
	if program {
		such = `["program", "argument"]`
	}
	v, ok := t.raw(key)
	if !ok {
		return nil
	}
	args, ok := t.r.strings(member(t.path, key), key, v, "write it as a list, such as "+such)
	if ok && program && (len(args) == 0 || args[0] == "") {
		t.fault(key, key+" names no program", "")
		return nil
	}
	return args
}

// strings reads a list of strings.
func (r *reader) strings(path, key string, v any, hint string) ([]string, bool) {
	list, ok := v.([]any)
	if !ok {
		r.fault(path, fmt.Sprintf("%s must be a list of strings, not %s", key, typeName(v)), hint)
		return nil, false
	}
	all, ok := make([]string, len(list)), true
	for i, x := range list {
		s, isText := x.(string)
		switch {
		case !isText:
			r.fault(element(path, i), fmt.Sprintf("%s must be a list of strings, but holds %s", key, typeName(x)), hint)
			ok = false
		case strings.Contains(s, "\x00"):
			r.fault(element(path, i), key+" contains a NUL character", "")
			ok = false
		}
		all[i] = s
	}
	return all, ok
}
