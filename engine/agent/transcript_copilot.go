package agent

// copilot takes the steps out of a record of copilot. What the user said is left out: it
// is the prompt.
func (t *Transcript) copilot(rec raw) {
	var kind string
	var data raw
	members(rec, func(name string, v raw) {
		switch name {
		case "type":
			kind = v.text()
		case "data":
			data = v
		}
	})
	switch kind {
	case "assistant.message":
		t.say(ItemText, data.member("content").text())
	case "tool.execution_start":
		t.call(data.member("toolCallId").text(), data.member("toolName").text(), t.shown(data.member("arguments")))
	case "tool.execution_complete":
		t.copilotResult(data)
	}
}

func (t *Transcript) copilotResult(data raw) {
	var id, text string
	failed := false
	members(data, func(name string, v raw) {
		switch name {
		case "toolCallId":
			id = v.text()
		case "success":
			failed = !v.flag()
		case "result":
			text = v.member("content").text()
		case "error":
			text = v.member("message").text()
		}
	})
	t.result(id, t.plain(text), failed)
}
