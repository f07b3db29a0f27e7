package handoff

import "example.com/layover/engine/agent/record"

// copilot takes the steps out of a record of copilot. What the user said is left out: it
// is the prompt.
func (t *Transcript) copilot(rec record.Raw) {
	var kind string
	var data record.Raw
	record.Members(rec, func(name string, v record.Raw) {
		switch name {
		case "type":
			kind = v.Text()
		case "data":
			data = v
		}
	})
	switch kind {
	case "assistant.message":
		t.say(ItemText, data.Member("content").Text())
	case "tool.execution_start":
		t.call(data.Member("toolCallId").Text(), data.Member("toolName").Text(), t.shown(data.Member("arguments")))
	case "tool.execution_complete":
		t.copilotResult(data)
	}
}

func (t *Transcript) copilotResult(data record.Raw) {
	var id, text string
	failed := false
	record.Members(data, func(name string, v record.Raw) {
		switch name {
		case "toolCallId":
			id = v.Text()
		case "success":
			failed = !v.Flag()
		case "result":
			text = v.Member("content").Text()
		case "error":
			text = v.Member("message").Text()
		}
	})
	t.result(id, t.plain(text), failed)
}
