package runfile

import (
	"bytes"
	"encoding/json"
)

// A run.json is mostly prompts and messages, which are not read. So it is checked once,
// and what follows relies on that: the texts here are whole JSON values without space
// around them, and parts of the file, not copies.

// members splits an object; of two members of a name the last counts. False if the text
// is no object.
func members(text []byte) (map[string]json.RawMessage, bool) {
	if text[0] != '{' {
		return nil, false
	}
	all := map[string]json.RawMessage{}
	for at := space(text, 1); text[at] != '}'; at = next(text, at) {
		end := past(text, at)
		name := string(text[at+1 : end-1])
		if bytes.IndexByte(text[at:end], '\\') >= 0 {
			name, _ = readText(text[at:end])
		}
		at = space(text, space(text, end)+1) // past the colon
		end = past(text, at)
		all[name] = text[at:end:end]
		at = end
	}
	return all, true
}

// elements splits a list, and tells how many it left out before the last [MaxItems]. False
// if the text is none.
func elements(text []byte) (all []json.RawMessage, omitted int, ok bool) {
	if text[0] != '[' {
		return nil, 0, false
	}
	for at := space(text, 1); text[at] != ']'; at = next(text, at) {
		end := past(text, at)
		if len(all) == 2*MaxItems {
			all, omitted = all[:copy(all, all[MaxItems:])], omitted+MaxItems
		}
		all = append(all, text[at:end:end])
		at = end
	}
	more := max(0, len(all)-MaxItems)
	return all[more:], omitted + more, true
}

// space is the first place from at on that is no space.
func space(text []byte, at int) int {
	for text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r' {
		at++
	}
	return at
}

// next is where the next part begins, or the end bracket of the whole, after a part.
func next(text []byte, at int) int {
	if at = space(text, at); text[at] == ',' {
		return space(text, at+1)
	}
	return at
}

// past is the place after the value that begins at a place.
func past(text []byte, at int) int {
	depth := 0
	for {
		switch text[at] {
		case '"':
			at = quoted(text, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		case ' ', '\n', '\t', '\r', ',', ':':
			at++
		default:
			at = literal(text, at)
		}
		if depth == 0 {
			return at
		}
	}
}

// quoted is the place after a string.
func quoted(text []byte, at int) int {
	for at++; ; {
		at += bytes.IndexByte(text[at:], '"')
		slashes := 0
		for text[at-1-slashes] == '\\' {
			slashes++
		}
		if at++; slashes%2 == 0 {
			return at
		}
	}
}

// literal is the place after a number or a word.
func literal(text []byte, at int) int {
	for at < len(text) {
		switch text[at] {
		case ',', ':', '}', ']', ' ', '\n', '\t', '\r':
			return at
		}
		at++
	}
	return at
}
