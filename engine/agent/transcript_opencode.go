package agent

import "strings"

// opencode takes the steps out of a record of opencode. A call is told with its result.
func (t *Transcript) opencode(rec raw) {
	var kind string
	var part raw
	members(rec, func(name string, v raw) {
		switch name {
		case "type":
			kind = v.text()
		case "part":
			part = v
		}
	})
	switch kind {
	case "text":
		t.say(ItemText, part.member("text").text())
	case "tool_use":
		t.opencodeCall(part)
	}
}

func (t *Transcript) opencodeCall(part raw) {
	var id, tool, status, output, fault string
	var input raw
	members(part, func(name string, v raw) {
		switch name {
		case "callID":
			id = v.text()
		case "tool":
			tool = v.text()
		case "state":
			members(v, func(name string, v raw) {
				switch name {
				case "status":
					status = v.text()
				case "input":
					input = v
				case "output":
					output = v.text()
				case "error":
					fault = v.text()
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
