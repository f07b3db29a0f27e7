package record

// A form is known as the parts of a record: what stands before each of its values, and
// of which kind that is. The words of a format are parts of the text.
type part struct {
	text  []byte
	kind  partKind
	field Field
	word  int // how long a value is that stands in the text, at its end
}

type partKind uint8

const (
	partString partKind = iota + 1
	partNumber
	partWord
	partEnd
)

// maxForms and maxFormText bound what is known: the parts, and their text in bytes.
const (
	maxForms    = 2000
	maxFormText = 256 << 10
)

// knownForms are the forms of record that are known, as a tree of their parts. The zero value
// holds none.
type knownForms struct {
	first []*formPart
	count int
	size  int
}

type formPart struct {
	part
	next []*formPart
}

// match takes the values of a record of a known form and returns where it ends.
func (s *knownForms) match(text []byte, at int, v *Values) (int, bool) {
	for next := s.first; len(next) > 0; {
		p := next[0]
		if !p.begins(text[at:]) {
			if p = choose(next, text[at:]); p == nil {
				break
			}
		}
		start := at + len(p.text)
		switch p.kind {
		case partEnd:
			return start, true
		case partWord:
			at = start
			v.Fields[p.field] = text[at-p.word : at]
		case partNumber:
			at = start + 1
			for at < len(text) && (isNumber(text[at]) || text[at] == '.' || text[at]|0x20 == 'e' || text[at] == '+') {
				at++
			}
			if p.field != 0 {
				v.Fields[p.field] = text[start:at]
			}
		case partString:
			end, ok := StringEnd(text, start-1)
			if !ok {
				return 0, false
			}
			if p.field != 0 {
				v.Fields[p.field] = text[start-1 : end]
			}
			at = end - 1
		}
		next = p.next
	}
	return 0, false
}

// begins reports whether a text begins with a part, as far as that is text, and then has
// such a value.
func (p *formPart) begins(text []byte) bool {
	n := len(p.text)
	return len(text) >= n && string(text[:n]) == string(p.text) &&
		(p.kind != partNumber || len(text) > n && isNumber(text[n]))
}

// choose finds the part, other than the first, with which a text goes on, and moves it
// forward: what comes often is found soon.
func choose(all []*formPart, text []byte) *formPart {
	for i := 1; i < len(all); i++ {
		if p := all[i]; p.begins(text) {
			all[i], all[i-1] = all[i-1], p
			return p
		}
	}
	return nil
}

// learn takes up a form. If there are too many, all are forgotten: agents print a few.
func (s *knownForms) learn(parts []part) {
	size := 0
	for _, p := range parts {
		size += len(p.text)
	}
	if s.count+len(parts) > maxForms || s.size+size > maxFormText {
		*s = knownForms{}
	}
	if len(parts) > maxForms || size > maxFormText {
		return
	}
	next := &s.first
	for len(parts) > 0 {
		known := find(*next, parts[0])
		if known == nil {
			break
		}
		next, parts = &known.next, parts[1:]
	}
	s.add(next, parts)
}

func find(all []*formPart, p part) *formPart {
	for _, old := range all {
		if old.kind == p.kind && old.field == p.field && string(old.text) == string(p.text) {
			return old
		}
	}
	return nil
}

// add puts parts behind one another, in one piece of memory: they are compared in turn.
func (s *knownForms) add(next *[]*formPart, parts []part) {
	size := 0
	for _, p := range parts {
		size += len(p.text)
	}
	all, texts := make([]formPart, len(parts)), make([]byte, 0, size)
	for i, p := range parts {
		texts = append(texts, p.text...)
		p.text = texts[len(texts)-len(p.text):]
		all[i].part = p
		*next = append(*next, &all[i])
		next = &all[i].next
	}
	s.count += len(parts)
	s.size += size
}
