package handoff

import (
	"strings"

	"example.com/layover/engine/agent/record"
)

// grok takes the steps out of a record of grok: of Grok Build, where texts come in
// parts, or of grok-cli, where a call is told with its result.
func (t *Transcript) grok(rec record.Raw) {
	var kind string
	m := map[string]record.Raw{}
	record.Members(rec, func(name string, v record.Raw) {
		switch name {
		case "type":
			kind = v.Text()
		case "data", "text", "toolCallId", "toolName", "title", "rawInput", "rawOutput", "status", "toolCall", "toolResult":
			m[name] = v
		}
	})
	if kind == "text" && m["data"].Set() {
		t.part(m["data"].Text())
		return
	}
	t.said()
	switch kind {
	case "text":
		t.say(ItemText, m["text"].Text())
	case "tool_call":
		name := m["toolName"].Text()
		if name == "" {
			name = m["title"].Text()
		}
		t.call(m["toolCallId"].Text(), name, t.shown(m["rawInput"]))
	case "tool_call_update":
		if status := m["status"].Text(); status == "completed" || status == "failed" {
			t.result(m["toolCallId"].Text(), t.shown(m["rawOutput"]), status == "failed")
		}
	case "tool_use":
		t.grokCall(m["toolCall"], m["toolResult"])
	}
}

func (t *Transcript) grokCall(call, result record.Raw) {
	function := call.Member("function")
	name := function.Member("name").Text()
	if name == "" {
		return
	}
	id := call.Member("id").Text()
	t.call(id, name, t.shown(function.Member("arguments")))
	output, fault := result.Member("output").Text(), result.Member("error").Text()
	t.result(id, t.plain(strings.Trim(output+"\n"+fault, "\n")), !result.Member("success").Flag())
}
