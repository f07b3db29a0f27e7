package program

import (
	"strconv"
	"strings"
)

// maxDepth bounds how deep keys and values may be nested. Programs need four; the
// bound keeps a hostile file from costing more than its size.
const maxDepth = 64

// places maps the dotted path of every key, array element and table of a TOML
// text to the line it is written on.
type places map[string]int

// of gives the line of a path, or of the nearest part around it that has one.
func (p places) of(path string) int {
	for path != "" {
		if line, ok := p[path]; ok {
			return line
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return 0
}

// member is the path of a key within a table; the root has the empty path.
func member(path, key string) string {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || key == "" {
		key = strconv.Quote(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// element is the path of an element of a list.
func element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// scanner finds the places of a TOML text. On text that is not TOML it finds
// something or nothing, but it always ends.
type scanner struct {
	src  string
	pos  int
	line int
	at   places
	// tables counts the [[tables]] met so far, by path.
	tables map[string]int
	// deep is the line that is nested deeper than maxDepth; zero if none is.
	deep int
}

// scan finds the places of a TOML text, and the first line that is nested too
// deep to be read at all.
func scan(src string) (places, int) {
	s := &scanner{src: strings.TrimPrefix(src, "\ufeff"), line: 1, at: places{}, tables: map[string]int{}}
	table := ""
	for s.skip(" \t\r\n"); s.pos < len(s.src) && s.deep == 0; s.skip(" \t\r\n") {
		if s.peek() == '[' {
			table = s.header()
		} else {
			path := s.descend(table, s.key())
			s.skip(" \t")
			if s.peek() == '=' {
				s.pos++
				s.value(path, 0)
			}
		}
		s.toLineEnd()
	}
	return s.at, s.deep
}

func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

// skip passes over any of the given characters, and over comments.
func (s *scanner) skip(set string) {
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		switch {
		case c == '#':
			s.toLineEnd()
			if !strings.Contains(set, "\n") {
				return
			}
		case strings.IndexByte(set, c) < 0:
			return
		default:
			s.pass(1)
		}
	}
}

// pass moves on by n bytes and counts the lines among them.
func (s *scanner) pass(n int) {
	end := min(s.pos+n, len(s.src))
	s.line += strings.Count(s.src[s.pos:end], "\n")
	s.pos = end
}

func (s *scanner) toLineEnd() {
	if i := strings.IndexByte(s.src[s.pos:], '\n'); i >= 0 {
		s.pos += i
	} else {
		s.pos = len(s.src)
	}
}

// header reads [a.b] or [[a.b]] and gives the path of the table it opens.
func (s *scanner) header() string {
	s.pos++
	list := s.peek() == '['
	if list {
		s.pos++
	}
	path := s.descend("", s.key())
	if list {
		s.tables[path]++
		path = element(path, s.tables[path]-1)
		s.at[path] = s.line
	}
	return path
}

// descend walks down from a table, into the newest of each [[table]] on the way.
func (s *scanner) descend(path string, keys []string) string {
	for i, k := range keys {
		path = member(path, k)
		if _, ok := s.at[path]; !ok {
			s.at[path] = s.line
		}
		if n := s.tables[path]; n > 0 && i < len(keys)-1 {
			path = element(path, n-1)
		}
	}
	return path
}

// key reads a key, dotted or not.
func (s *scanner) key() []string {
	var keys []string
	for {
		s.skip(" \t")
		if c := s.peek(); c == '"' || c == '\'' {
			raw := s.text()
			k, err := strconv.Unquote(raw)
			if err != nil || c == '\'' {
				k = strings.Trim(raw, string(c))
			}
			keys = append(keys, k)
		} else {
			n := strings.IndexAny(s.src[s.pos:], ".=]{}[,#\"' \t\r\n")
			if n < 0 {
				n = len(s.src) - s.pos
			}
			keys = append(keys, s.src[s.pos:s.pos+n])
			s.pos += n
		}
		s.skip(" \t")
		if s.peek() != '.' {
			return keys
		}
		s.pos++
		if len(keys) > maxDepth {
			s.deep = s.line
			return keys
		}
	}
}

// text passes over a string of any of the four kinds and gives it as written.
func (s *scanner) text() string {
	from, quote := s.pos, s.src[s.pos:s.pos+1]
	if strings.HasPrefix(s.src[s.pos:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	s.pos += len(quote)
	for s.pos < len(s.src) {
		switch {
		case quote[0] == '"' && s.src[s.pos] == '\\':
			s.pass(2)
		case strings.HasPrefix(s.src[s.pos:], quote):
			s.pos += len(quote)
			for len(quote) == 3 && s.peek() == quote[0] { // up to two more belong to it
				s.pos++
			}
			return s.src[from:s.pos]
		case len(quote) == 1 && s.src[s.pos] == '\n':
			return s.src[from:s.pos] // not closed
		default:
			s.pass(1)
		}
	}
	return s.src[from:s.pos]
}

// value passes over a value and notes what is within.
func (s *scanner) value(path string, depth int) {
	if depth > maxDepth {
		s.deep = s.line
		return
	}
	s.skip(" \t")
	switch s.peek() {
	case '"', '\'':
		s.text()
	case '[':
		s.pos++
		for i := 0; s.within(']'); i++ {
			s.at[element(path, i)] = s.line
			s.value(element(path, i), depth+1)
			s.comma(']')
		}
	case '{':
		s.pos++
		for s.within('}') {
			p := s.descend(path, s.key())
			if s.skip(" \t"); s.peek() == '=' {
				s.pos++
			}
			s.value(p, depth+1)
			s.comma('}')
		}
	default:
		n := strings.IndexAny(s.src[s.pos:], ",]}#\r\n")
		if n < 0 {
			n = len(s.src) - s.pos
		}
		s.pos += n
	}
}

// within reports whether a list or an inline table has one more entry, and passes
// over its end if it has not.
func (s *scanner) within(end byte) bool {
	s.skip(" \t\r\n")
	if s.pos >= len(s.src) || s.deep > 0 {
		return false
	}
	if s.peek() == end {
		s.pos++
		return false
	}
	return true
}

// comma passes over what stands between two entries. Where nothing does, the text
// is not TOML and is given up.
func (s *scanner) comma(end byte) {
	s.skip(" \t\r\n")
	switch s.peek() {
	case ',':
		s.pos++
	case end:
	default:
		s.pos = len(s.src)
	}
}
