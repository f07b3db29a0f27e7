package handoff

import (
	"strings"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/record"
)

// claude takes the steps out of a record of claude. Parts of messages that stream in
// are left out: the whole message follows. So are the thoughts of the model, and the
// messages that claude itself wrote in its name.
func (t *Transcript) claude(rec record.Raw) {
	var kind string
	var message record.Raw
	record.Members(rec, func(name string, v record.Raw) {
		switch name {
		case "type":
			kind = v.Text()
		case "message":
			message = v
		}
	})
	said := ItemText
	switch kind {
	case "assistant":
		if message.Member("model").Text() == agent.Synthetic {
			return
		}
	case "user":
		said = ItemUser
	default:
		return
	}
	content := message.Member("content")
	t.say(said, saidText(content))
	record.Elements(content, func(block record.Raw) { t.claudeBlock(said, block) })
}

func (t *Transcript) claudeBlock(said ItemKind, block record.Raw) {
	var kind, id, of, name, text string
	var input, content record.Raw
	var failed bool
	record.Members(block, func(n string, v record.Raw) {
		switch n {
		case "type":
			kind = v.Text()
		case "id":
			id = v.Text()
		case "tool_use_id":
			of = v.Text()
		case "name":
			name = v.Text()
		case "text":
			text = saidText(v)
		case "input":
			input = v
		case "content":
			content = v
		case "is_error":
			failed = v.Flag()
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
func claudeResultText(content record.Raw) string {
	parts := []string{saidText(content)}
	record.Elements(content, func(block record.Raw) {
		text := saidText(block.Member("text"))
		if kind := block.Member("type").Text(); kind != "text" && text == "" {
			text = "[" + kind + "]"
		}
		parts = append(parts, text)
	})
	return strings.TrimPrefix(strings.Join(parts, "\n"), "\n")
}
