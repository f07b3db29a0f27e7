package agent

import (
	"strings"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// googleFault is an error of a Google API, taken apart: a plain text, or one that holds
// the body of the answer as JSON (cloud.google.com/apis/design/errors). When it ends is
// read by [reset.Text].
type googleFault struct {
	text   string // the innermost message
	words  string // the words for the fault that are meant for programs
	status int
	model  string // the model whose quota is used up; empty if none is named
}

// maxNesting is how often a body may hold another one in its message.
const maxNesting = 3

func readGoogleFault(message string) googleFault {
	f := googleFault{text: message}
	for range maxNesting {
		at := strings.IndexByte(f.text, '{')
		if at < 0 {
			break
		}
		end, ok := record.Span([]byte(f.text), at)
		if !ok {
			break
		}
		outer := record.Raw(f.text[at:end])
		inner := outer.Member("error")
		if !inner.Set() {
			break
		}
		f.code(outer.Member("status"))
		f.body(inner)
		f.text = inner.Member("message").Text()
	}
	return f
}

// body reads the object that tells of the fault.
func (f *googleFault) body(body record.Raw) {
	f.code(body.Member("code"))
	f.say(body.Member("status"))
	record.Elements(body.Member("details"), func(d record.Raw) { f.detail(d) })
}

// detail reads one of the objects that tell more. They are told apart by what they hold:
// the names of their types are not always spelled alike.
func (f *googleFault) detail(d record.Raw) {
	f.say(d.Member("reason"))
	f.of(d.Member("metadata").Member("model"))
	record.Elements(d.Member("violations"), func(q record.Raw) {
		f.say(q.Member("quotaId"))
		f.of(q.Member("quotaDimensions").Member("model"))
	})
}

// code takes a status; other APIs call it otherwise.
func (f *googleFault) code(v record.Raw) {
	if n := v.Count(); n > 0 {
		f.status = int(min(n, 999))
	}
}

func (f *googleFault) say(v record.Raw) {
	if word := v.Text(); word != "" && len(f.words) < run.MaxMessage {
		f.words = strings.TrimSpace(f.words + " " + record.Cut(word, record.MaxName))
	}
}

func (f *googleFault) of(v record.Raw) {
	if name := record.ModelName(v.Text()); name != "" {
		f.model = name
	}
}
