package agent

import (
	"strings"

	"example.com/layover/engine/run"
)

// googleFault is an error of a Google API, taken apart: a plain text, or one that holds
// the body of the answer as JSON (cloud.google.com/apis/design/errors). When it ends is
// read by [ResolveText].
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
		end, ok := span([]byte(f.text), at)
		if !ok {
			break
		}
		inner := raw(f.text[at:end]).member("error")
		if !inner.set() {
			break
		}
		f.body(inner)
		f.text = inner.member("message").text()
	}
	return f
}

// body reads the object that tells of the fault.
func (f *googleFault) body(body raw) {
	members(body, func(name string, v raw) {
		switch name {
		case "code":
			f.status = int(v.count())
		case "status":
			f.say(v)
		case "details":
			elements(v, func(d raw) { f.detail(d) })
		}
	})
}

// detail reads one of the objects that tell more. They are told apart by what they hold:
// the names of their types are not always spelled alike.
func (f *googleFault) detail(d raw) {
	members(d, func(name string, v raw) {
		switch name {
		case "reason":
			f.say(v)
		case "metadata":
			f.of(v.member("model"))
		case "violations":
			elements(v, func(q raw) {
				f.say(q.member("quotaId"))
				f.of(q.member("quotaDimensions").member("model"))
			})
		}
	})
}

func (f *googleFault) say(v raw) {
	if word := v.text(); word != "" && len(f.words) < run.MaxMessage {
		f.words = strings.TrimSpace(f.words + " " + cut(word, maxName))
	}
}

func (f *googleFault) of(v raw) {
	if name := modelName(v.text()); name != "" {
		f.model = name
	}
}
