package agent

import "strings"

// grok takes the steps out of a record of grok: of Grok Build, where texts come in
// parts, or of grok-cli, where a call is told with its result.
func (t *Transcript) grok(rec raw) {
	var kind string
	m := map[string]raw{}
	members(rec, func(name string, v raw) {
		switch name {
		case "type":
			kind = v.text()
		case "data", "text", "toolCallId", "toolName", "title", "rawInput", "rawOutput", "status", "toolCall", "toolResult":
			m[name] = v
		}
	})
	if kind == "text" && m["data"].set() {
		t.part(m["data"].text())
		return
	}
	t.said()
	switch kind {
	case "text":
		t.say(ItemText, m["text"].text())
	case "tool_call":
		name := m["toolName"].text()
		if name == "" {
			name = m["title"].text()
		}
		t.call(m["toolCallId"].text(), name, t.shown(m["rawInput"]))
	case "tool_call_update":
		if status := m["status"].text(); status == "completed" || status == "failed" {
			t.result(m["toolCallId"].text(), t.shown(m["rawOutput"]), status == "failed")
		}
	case "tool_use":
		t.grokCall(m["toolCall"], m["toolResult"])
	}
}

func (t *Transcript) grokCall(call, result raw) {
	function := call.member("function")
	name := function.member("name").text()
	if name == "" {
		return
	}
	id := call.member("id").text()
	t.call(id, name, t.shown(function.member("arguments")))
	output, fault := result.member("output").text(), result.member("error").text()
	t.result(id, t.plain(strings.Trim(output+"\n"+fault, "\n")), !result.member("success").flag())
}
