package agent

// gemini takes the steps out of a record of gemini. What the model says comes in parts.
// The message of the user is the prompt, which is known.
func (t *Transcript) gemini(rec raw) {
	var kind string
	m := map[string]raw{}
	members(rec, func(name string, v raw) {
		switch name {
		case "type":
			kind = v.text()
		case "role", "content", "tool_name", "tool_id", "parameters", "status", "output", "error":
			m[name] = v
		}
	})
	if kind == "message" && m["role"].text() == "assistant" {
		t.part(m["content"].text())
		return
	}
	t.said()
	switch kind {
	case "tool_use":
		t.call(m["tool_id"].text(), m["tool_name"].text(), t.shown(m["parameters"]))
	case "tool_result":
		text := m["output"].text()
		if text == "" {
			text = m["error"].member("message").text()
		}
		t.result(m["tool_id"].text(), t.plain(text), m["status"].text() == "error")
	}
}
