package agent

// cursor takes the steps out of a record of cursor. Its thoughts are left out, and so
// are parts of a message, which follows as a whole: parts have a time, but no call of a
// model that they belong to (cursor.com/docs/cli/reference/output-format).
func (t *Transcript) cursor(rec raw) {
	var kind, subtype, id string
	var message, call, stamp, of raw
	members(rec, func(name string, v raw) {
		switch name {
		case "type":
			kind = v.text()
		case "subtype":
			subtype = v.text()
		case "call_id":
			id = v.text()
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
	case kind == "assistant" && (!stamp.set() || of.set()):
		elements(message.member("content"), func(block raw) { t.say(ItemText, block.member("text").text()) })
	case kind == "tool_call":
		name, args := cursorTool(call)
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
func cursorOutcome(call raw) (text raw, failed bool) {
	failed = true
	members(call, func(_ string, tool raw) {
		members(tool.member("result"), func(name string, v raw) {
			text, failed = v, name != "success"
			for _, n := range []string{"content", "stdout", "output"} {
				if said := v.member(n); said.text() != "" && !failed {
					text = said
				}
			}
		})
	})
	return text, failed
}
