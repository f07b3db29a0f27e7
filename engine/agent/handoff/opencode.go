package handoff

import (
	"strings"

	"example.com/layover/engine/agent/record"
)

// opencode takes the steps out of a record of opencode. A call is told with its result.
func (t *Transcript) opencode(rec record.Raw) {
	var kind string
	var part record.Raw
	record.Members(rec, func(name string, v record.Raw) {
		switch name {
		case "type":
			kind = v.Text()
		case "part":
			part = v
		}
	})
	switch kind {
	case "text":
		t.say(ItemText, part.Member("text").Text())
	case "tool_use":
		t.opencodeCall(part)
	}
}

func (t *Transcript) opencodeCall(part record.Raw) {
	var id, tool, status, output, fault string
	var input record.Raw
	record.Members(part, func(name string, v record.Raw) {
		switch name {
		case "callID":
			id = v.Text()
		case "tool":
			tool = v.Text()
		case "state":
			record.Members(v, func(name string, v record.Raw) {
				switch name {
				case "status":
					status = v.Text()
				case "input":
					input = v
				case "output":
					output = v.Text()
				case "error":
					fault = v.Text()
				}
			})
		}
	})
	if tool == "" {
		return
	}
	t.call(id, tool, t.shown(input))
	t.result(id, t.plain(strings.Trim(strings.TrimSuffix(output, "\n")+"\n"+fault, "\n")), status == "error")
}
