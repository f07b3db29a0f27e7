package handoff

import (
	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/record"
)

// cursor takes the steps out of a record of cursor. Its thoughts are left out, and so
// are parts of a message, which follows as a whole: parts have a time, but no call of a
// model that they belong to (cursor.com/docs/cli/reference/output-format).
func (t *Transcript) cursor(rec record.Raw) {
	var kind, subtype, id string
	var message, call, stamp, of record.Raw
	record.Members(rec, func(name string, v record.Raw) {
		switch name {
		case "type":
			kind = v.Text()
		case "subtype":
			subtype = v.Text()
		case "call_id":
			id = v.Text()
		case "message":
			message = v
		case "tool_call":
			call = v
		case "timestamp_ms":
			stamp = v
		case "model_call_id":
			of = v
		}
	})
	switch {
	case kind == "assistant" && (!stamp.Set() || of.Set()):
		record.Elements(message.Member("content"), func(block record.Raw) { t.say(ItemText, block.Member("text").Text()) })
	case kind == "tool_call":
		name, args := agent.CursorTool(call)
		if subtype == "started" || !t.isOpen(id) {
			t.call(id, name, t.shown(args))
		}
		if subtype == "completed" {
			text, failed := cursorOutcome(call)
			t.result(id, t.shown(text), failed)
		}
	}
}

// cursorOutcome is what the result of a call holds: an object in a member that says
// whether it is a success.
func cursorOutcome(call record.Raw) (text record.Raw, failed bool) {
	failed = true
	record.Members(call, func(_ string, tool record.Raw) {
		record.Members(tool.Member("result"), func(name string, v record.Raw) {
			text, failed = v, name != "success"
			for _, n := range []string{"content", "stdout", "output"} {
				if said := v.Member(n); said.Text() != "" && !failed {
					text = said
				}
			}
		})
	})
	return text, failed
}
