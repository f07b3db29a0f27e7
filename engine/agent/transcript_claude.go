package agent

import "strings"

// claude takes the steps out of a record of claude. Parts of messages that stream in
// are left out: the whole message follows. So are the thoughts of the model, and the
// messages that claude itself wrote in its name.
func (t *Transcript) claude(rec raw) {
	var kind string
	var message raw
	members(rec, func(name string, v raw) {
		switch name {
		case "type":
			kind = v.text()
		case "message":
			message = v
		}
	})
	said := ItemText
	switch kind {
	case "assistant":
		if message.member("model").text() == synthetic {
			return
		}
	case "user":
		said = ItemUser
	default:
		return
	}
	content := message.member("content")
	t.say(said, saidText(content))
	elements(content, func(block raw) { t.claudeBlock(said, block) })
}

func (t *Transcript) claudeBlock(said ItemKind, block raw) {
	var kind, id, of, name, text string
	var input, content raw
	var failed bool
	members(block, func(n string, v raw) {
		switch n {
		case "type":
			kind = v.text()
		case "id":
			id = v.text()
		case "tool_use_id":
			of = v.text()
		case "name":
			name = v.text()
		case "text":
			text = saidText(v)
		case "input":
			input = v
		case "content":
			content = v
		case "is_error":
			failed = v.flag()
		}
	})
	switch {
	case kind == "text":
		t.say(said, text)
	case kind == "tool_use" || kind == "server_tool_use":
		t.call(id, name, t.data(input))
	case strings.HasSuffix(kind, "tool_result"):
		t.result(of, t.plain(claudeResultText(content)), failed)
	}
}

// claudeResultText is what a result holds: a text, or blocks of text and others.
func claudeResultText(content raw) string {
	parts := []string{saidText(content)}
	elements(content, func(block raw) {
		text := saidText(block.member("text"))
		if kind := block.member("type").text(); kind != "text" && text == "" {
			text = "[" + kind + "]"
		}
		parts = append(parts, text)
	})
	return strings.TrimPrefix(strings.Join(parts, "\n"), "\n")
}
