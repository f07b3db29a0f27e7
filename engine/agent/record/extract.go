package record

// Extractor takes the values that are wanted out of records. Agents print the same few
// forms of record again and again, with other strings and numbers: once it has gone over
// a record it knows that form, and only compares the text between the values. What has
// another form is gone over from value to value. Memory is bounded by maxForms. The zero
// value is not usable.
type Extractor struct {
	want   *Want
	last   Field // the highest that is wanted
	Values Values

	forms knownForms
	parts []part // of the record that is gone over
	plain bool   // its form can be known

	open []frame
	deep walk
}

const (
	// maxDepth is how deep values are gone into that hold nothing that is wanted.
	maxDepth = 32
	// maxWord is how long a word of a format is at most.
	maxWord = 24
	// maxParts bounds a form that is worth to be known.
	maxParts = 200
)

// NewExtractor takes what is wanted, which may be shared.
func NewExtractor(w *Want) Extractor {
	x := Extractor{want: w}
	for _, f := range w.below {
		x.last = max(x.last, f)
	}
	return x
}

// frame is a value that has been entered.
type frame struct {
	kind  byte
	want  *Want
	start int
	first bool
}

// Forget forgets the forms that are known.
func (x *Extractor) Forget() { x.forms = knownForms{} }

// Read takes the values of the record that starts at a place of a text, and returns
// where it ends; false if it is not whole. It allocates nothing for a form that it knows.
func (x *Extractor) Read(text []byte, at int) (int, bool) {
	v := &x.Values
	clear(v.Fields[:x.last+1])
	v.Act = Act{}
	end, ok := x.forms.match(text, at, v)
	if !ok {
		clear(v.Fields[:x.last+1])
		if end, ok = x.walk(text, at); !ok {
			return 0, false
		}
		if x.plain && len(x.parts) <= maxParts {
			x.forms.learn(x.parts)
		}
	}
	v.record = text[at:end]
	return end, true
}

// walk goes over a record from value to value.
func (x *Extractor) walk(text []byte, at int) (int, bool) {
	x.parts, x.plain, x.open = x.parts[:0], true, x.open[:0]
	last, w, i := at, x.want, at
	for {
		// Before a value.
		if i = SkipSpace(text, i); i >= len(text) {
			return 0, false
		}
		start, kind := i, text[i]
		ok := true
		switch {
		case (kind == '{' || kind == '[') && w == nil && len(x.open) > maxDepth:
			x.deep.start(text, i)
			if x.deep.skip(); x.deep.bad {
				return 0, false
			}
			i, x.plain = x.deep.at, false
		case kind == '{' || kind == '[':
			x.open = append(x.open, frame{kind, w, start, true})
			i++
		case kind == '"':
			if i, ok = StringEnd(text, i); !ok {
				return 0, false
			}
			if isWord(text[start+1 : i-1]) { // it stands for a kind of record, and is known with that
				if f := w.at(); f != 0 {
					x.parts = append(x.parts, part{text: text[last:i], kind: partWord, field: f, word: i - start})
					last = i
				}
			} else {
				x.parts = append(x.parts, part{text: text[last : start+1], kind: partString, field: w.at()})
				last = i - 1
			}
			x.take(w, text[start:i])
		default:
			if i, ok = literalEnd(text, i); !ok {
				return 0, false
			}
			if isNumber(kind) {
				x.parts = append(x.parts, part{text: text[last:start], kind: partNumber, field: w.at()})
				last = i
			} else if f := w.at(); f != 0 {
				x.parts = append(x.parts, part{text: text[last:i], kind: partWord, field: f, word: i - start})
				last = i
			}
			x.take(w, text[start:i])
		}
		// Behind a value, or in one that has just been entered.
		for {
			if len(x.open) == 0 {
				x.parts = append(x.parts, part{text: text[last:i], kind: partEnd})
				return i, true
			}
			f := &x.open[len(x.open)-1]
			if i = SkipSpace(text, i); i >= len(text) {
				return 0, false
			}
			if text[i] == f.kind+2 { // '}' and ']' stand two after their openers
				i++
				if f.want.at() != 0 {
					x.take(f.want, text[f.start:i])
					x.plain = false
				}
				x.open = x.open[:len(x.open)-1]
				continue
			}
			if !f.first {
				if text[i] != ',' {
					return 0, false
				}
				i++
			}
			if w, i, ok = x.next(f, text, i); !ok {
				return 0, false
			}
			f.first = false
			break
		}
	}
}

// next finds what is wanted of the next member or element of a value that is open, and
// where that starts.
func (x *Extractor) next(f *frame, text []byte, i int) (*Want, int, bool) {
	if f.kind == '[' {
		if f.want == nil || f.want.each == nil {
			return nil, i, true
		}
		if !f.first { // of several elements the last one counts
			x.plain = false
			for _, old := range f.want.each.below {
				x.Values.Fields[old] = nil
			}
		}
		return f.want.each, i, true
	}
	name, i, ok := key(text, i)
	if !ok || f.want == nil {
		return nil, i, ok
	}
	return f.want.members[string(name)], i, true
}

func (x *Extractor) take(w *Want, value []byte) {
	if f := w.at(); f != 0 {
		x.Values.Fields[f] = value
	}
}

// at is the field at a place; zero if nothing is wanted there.
func (w *Want) at() Field {
	if w == nil {
		return 0
	}
	return w.field
}

// isWord reports whether a string is a word as formats have them, such as a type or a
// role: a few letters.
func isWord(text []byte) bool {
	if len(text) == 0 || len(text) > maxWord {
		return false
	}
	for _, c := range text {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if c != '_' {
				return false
			}
		}
	}
	return true
}

func isNumber(c byte) bool { return c-'0' <= 9 || c == '-' }
