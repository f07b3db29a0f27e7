package handoff

import "example.com/layover/engine/agent/record"

// gemini takes the steps out of a record of gemini. What the model says comes in parts.
// The message of the user is the prompt, which is known.
func (t *Transcript) gemini(rec record.Raw) {
	var kind string
	m := map[string]record.Raw{}
	record.Members(rec, func(name string, v record.Raw) {
		switch name {
		case "type":
			kind = v.Text()
		case "role", "content", "tool_name", "tool_id", "parameters", "status", "output", "error":
			m[name] = v
		}
	})
	if kind == "message" && m["role"].Text() == "assistant" {
		t.part(m["content"].Text())
		return
	}
	t.said()
	switch kind {
	case "tool_use":
		t.call(m["tool_id"].Text(), m["tool_name"].Text(), t.shown(m["parameters"]))
	case "tool_result":
		text := m["output"].Text()
		if text == "" {
			text = m["error"].Member("message").Text()
		}
		t.result(m["tool_id"].Text(), t.plain(text), m["status"].Text() == "error")
	}
}
