package agent

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/layover/engine/run"
)

// act is what an agent works at, as it stands in a line: a verb and its object. The zero
// value is nothing.
type act struct {
	word   string // the verb, if it is ours
	verb   raw    // the verb, if it stands in the line
	object raw
	// each and between are set if the object is a list: it is that member of all its
	// elements, with that between them.
	each, between string
	// said is set if the object is the inside of a string, a line that the agent says.
	said bool
}

func (a act) set() bool { return a.word != "" || a.verb != nil || a.object != nil }

func (a act) text() run.Untrusted {
	if a.said {
		return written("", a.object)
	}
	verb := a.word
	if verb == "" {
		verb = a.verb.text()
	}
	if a.each != "" {
		return doingText(verb, strings.Join(texts(a.object, a.each), a.between))
	}
	return doing(verb, a.object)
}

// doing names what an agent works at: a verb and its object, a string of a record, on
// one line. It looks at the beginning of the string only.
func doing(verb string, object raw) run.Untrusted {
	if len(object) < 2 || object[0] != '"' {
		return written(verb, nil)
	}
	return written(verb, object[1:len(object)-1])
}

// written is doing for the inside of a string of a record.
func written(verb string, text []byte) run.Untrusted {
	var room [maxDoing + 2*utf8.UTFMax]byte
	l := sentence{line: room[:0]}
	l.add(verb)
	l.gap = true
	text = text[:min(len(text), 4*maxDoing)]
	for i := 0; i < len(text) && len(l.line) <= maxDoing; {
		if n := wordEnd(text[i:]); n > 0 {
			l.word(text[i : i+n])
			i += n
			continue
		}
		c, size := rune(text[i]), 1
		switch {
		case c == '\\':
			if r, n := escaped(string(text[i+1 : min(i+13, len(text))])); n > 0 {
				c, size = r, 1+n
			}
		case c >= utf8.RuneSelf:
			c, size = utf8.DecodeRune(text[i:])
		}
		l.rune(c)
		i += size
	}
	return l.text()
}

// doingText is doing for an object that is known as a text.
func doingText(verb, object string) run.Untrusted {
	var l sentence
	l.add(verb)
	l.gap = true
	l.add(cut(object, 2*maxDoing))
	return l.text()
}

// sentence gathers words on one line, with one blank between them.
type sentence struct {
	line []byte
	gap  bool // a blank comes before the next word
}

func (l *sentence) add(text string) {
	for _, c := range text {
		l.rune(c)
	}
}

func (l *sentence) rune(c rune) {
	switch {
	case c == ' ' || c >= utf8.RuneSelf && unicode.IsSpace(c) || c >= '\t' && c <= '\r':
		l.gap = true
		return
	case len(l.line) > maxDoing:
		return
	case l.gap && len(l.line) > 0:
		l.line = append(l.line, ' ')
	}
	l.gap = false
	l.line = utf8.AppendRune(l.line, c)
}

// wordEnd is how many bytes of a text stand for themselves in one word.
func wordEnd(text []byte) int {
	for i, c := range text {
		if c <= ' ' || c == '\\' || c >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// word adds a part of a word that is ASCII.
func (l *sentence) word(w []byte) {
	if l.gap && len(l.line) > 0 {
		l.line = append(l.line, ' ')
	}
	l.gap = false
	l.line = append(l.line, w[:min(len(w), maxDoing+1-min(len(l.line), maxDoing))]...)
}

func (l *sentence) text() run.Untrusted {
	n := len(l.line)
	if n > maxDoing {
		for n = maxDoing; n > 0 && !utf8.RuneStart(l.line[n]); {
			n--
		}
	}
	return run.Untrusted(l.line[:n])
}
