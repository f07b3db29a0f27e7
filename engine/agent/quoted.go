package agent

import (
	"strings"

	"example.com/layover/engine/agent/record"
)

// ownWords is what an error in lower case says in its own words: without the parts that it
// quotes, and without the files that it names. An error about a test, a hook or a file
// repeats the words of those, and they say nothing of a limit. What stands in braces stays:
// it is the answer of a provider. So does a text that is one quotation.
func ownWords(low string) string {
	var own strings.Builder
	depth, from := 0, 0
	single := map[byte]bool{} // marks that have no other in the rest of the line
	for i := 0; i < len(low); i++ {
		switch low[i] {
		case '{':
			if depth == 0 {
				own.WriteString(withoutFiles(low[from:i]))
				from = i
			}
			depth++
		case '}':
			if depth == 1 {
				own.WriteString(low[from : i+1])
				from = i + 1
			}
			depth = max(0, depth-1)
		case '\n':
			clear(single)
		case '"', '\'', '`':
			if depth > 0 || single[low[i]] || !opens(low, i) {
				continue
			}
			end := quotationEnd(low, i)
			if single[low[i]] = end < 0; end < 0 || i == 0 && end == len(strings.TrimRight(low, " \n\t.")) {
				continue
			}
			own.WriteString(withoutFiles(low[from:i]) + " … ")
			i, from = end-1, end
		}
	}
	if depth > 0 {
		return own.String() + low[from:]
	}
	return own.String() + withoutFiles(low[from:])
}

// opens reports that the mark at a place of a text begins a quotation, and is no apostrophe.
func opens(text string, at int) bool { return at == 0 || !wordByte(text[at-1]) }

// quotationEnd is where the quotation ends whose first mark is at a place of a text;
// negative if there is no other in its line.
func quotationEnd(text string, at int) int {
	mark := text[at]
	for i := at + 1; i < len(text) && text[i] != '\n'; i++ {
		if text[i] == mark && i > at+1 && (i+1 == len(text) || !wordByte(text[i+1])) {
			return i + 1
		}
	}
	return -1
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// fileName is a path, which may have spaces before its ending, or a name of several words.
var fileName = record.Lazy(`[\w.@~-]*/[\w./@~'-]*(?:(?: [\w'-]+){0,6}\.[a-z]{1,5}\b)?|\w+_\w+\.[a-z]{1,5}\b`)

func withoutFiles(text string) string {
	return fileName().ReplaceAllStringFunc(text, func(name string) string {
		if strings.HasPrefix(name, "http/") { // it stands before a status
			return name
		}
		return "…"
	})
}
