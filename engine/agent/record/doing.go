package record

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/layover/engine/run"
)

// Act is what an agent works at, as it stands in a line: a verb and its object. The zero
// value is nothing.
type Act struct {
	Word   string // the verb, if it is ours
	Verb   Raw    // the verb, if it stands in the line
	Object Raw
	// Each and between are set if the object is a list: it is that member of all its
	// elements, with that between them.
	Each, Between string
	// Call is set if the object is what a tool is called with, of which that is shown which
	// tells most: a command as a list of words, or a string with a JSON object or a patch.
	Call bool
	// Said is set if the object is the inside of a string, a line that the agent says.
	Said bool
}

// Set reports whether it is more than nothing.
func (a Act) Set() bool { return a.Word != "" || a.Verb != nil || a.Object != nil }

// Text is the act on one line of at most MaxDoing bytes; a word that is cut is left out.
func (a Act) Text() run.Untrusted {
	if a.Said {
		return written("", a.Object)
	}
	verb := a.Word
	if verb == "" {
		verb = a.Verb.Text()
	}
	if a.Each != "" {
		return DoingText(verb, strings.Join(texts(a.Object, a.Each), a.Between))
	}
	if a.Call {
		return DoingText(verb, called(a.Object))
	}
	return doing(verb, a.Object)
}

// doing names what an agent works at: a verb and its object, a string of a record, on
// one line. It looks at the beginning of the string only.
func doing(verb string, object Raw) run.Untrusted {
	if len(object) < 2 || object[0] != '"' {
		return written(verb, nil)
	}
	return written(verb, object[1:len(object)-1])
}

// written is doing for the inside of a string of a record.
func written(verb string, text []byte) run.Untrusted {
	var room [MaxDoing + 2*utf8.UTFMax]byte
	l := sentence{line: room[:0]}
	l.add(verb)
	l.gap = true
	if len(text) >= maxSpeech {
		text, l.cut = text[:maxSpeech], true
	}
	for i := 0; i < len(text) && len(l.line) <= MaxDoing; {
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

// DoingText names what an agent works at: a verb and an object, on one line of at most
// MaxDoing bytes; a word that is cut is left out.
func DoingText(verb, object string) run.Untrusted {
	var l sentence
	l.add(verb)
	l.gap = true
	l.add(Whole(object, 2*MaxDoing))
	return l.text()
}

// sentence gathers words on one line, with one blank between them.
type sentence struct {
	line []byte
	gap  bool // a blank comes before the next word
	cut  bool // the last word may be a part of one
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
	case len(l.line) > MaxDoing:
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
	l.line = append(l.line, w[:min(len(w), MaxDoing+1-min(len(l.line), MaxDoing))]...)
}

func (l *sentence) text() run.Untrusted {
	if len(l.line) > MaxDoing {
		return run.Untrusted(whole(string(l.line[:MaxDoing])))
	}
	if l.cut {
		return run.Untrusted(whole(string(l.line)))
	}
	return run.Untrusted(l.line)
}
