package agent

import "example.com/layover/engine/run"

// The signs that a model answered, as run.Sight.Served names them.
const (
	servedText    = "text"
	servedTool    = "tool"
	servedTokens  = "tokens"
	servedAllowed = "allowed"
)

// claudeMessage is what is read of an assistant message.
type claudeMessage struct {
	id, model, text, served string
	usage                   run.Usage
	doing                   run.Untrusted
}

func readClaudeMessage(r raw) claudeMessage {
	var m claudeMessage
	var content raw
	members(r, func(name string, v raw) {
		switch name {
		case "id":
			m.id = v.text()
		case "model":
			m.model = modelName(v.text())
		case "content":
			content = v
		case "usage":
			m.usage = claudeUsage(v)
		}
	})
	if m.usage.Output > 0 {
		m.served = servedTokens
	}
	elements(content, m.block)
	return m
}

func (m *claudeMessage) block(r raw) {
	var kind, name, text string
	var input raw
	members(r, func(n string, v raw) {
		switch n {
		case "type":
			kind = v.text()
		case "name":
			name = v.text()
		case "text":
			text = v.text()
		case "input":
			input = v
		}
	})
	switch kind {
	case "text":
		if m.text = text; text != "" {
			m.served, m.doing = servedText, doing("", text)
		}
	case "thinking", "redacted_thinking":
		m.served = servedText
	case "tool_use", "server_tool_use":
		m.served, m.doing = servedTool, doing(name, mainArgument(input))
	}
}

// mainArgument is the argument that tells most about a tool call.
func mainArgument(input raw) string {
	names := []string{"command", "file_path", "notebook_path", "path", "pattern", "query", "url", "description", "prompt", "skill"}
	best, value := len(names), ""
	members(input, func(name string, v raw) {
		for i, n := range names[:best] {
			if n == name && v.text() != "" {
				best, value = i, v.text()
			}
		}
	})
	return value
}

// streamed reads a part of a message that is still coming in.
func (c *claude) streamed(f claudeFields, s *run.Sight) {
	var kind string
	var message, delta, block, use raw
	members(f.event, func(name string, v raw) {
		switch name {
		case "type":
			kind = v.text()
		case "message":
			message = v
		case "delta":
			delta = v
		case "content_block":
			block = v
		case "usage":
			use = v
		}
	})
	switch kind {
	case "message_start":
		m := readClaudeMessage(message)
		c.partial = ""
		if m.model == "" || m.model == synthetic {
			return
		}
		c.partial, s.Served = cut(m.id, maxName), servedTokens
		if f.parent == "" {
			c.speaks(m.model, s)
		}
	case "content_block_start":
		var m claudeMessage
		m.block(block)
		s.Served, s.Doing = m.served, m.doing
	case "content_block_delta":
		s.Served = servedText
		if delta.member("type").text() == "input_json_delta" {
			s.Served = servedTool
		}
	case "message_delta":
		c.streamedUsage(claudeUsage(use), s)
	}
}

// streamedUsage takes the final count of a streamed message. The whole message
// came before it, with the count of its beginning.
func (c *claude) streamedUsage(u run.Usage, s *run.Sight) {
	if u.Output == 0 {
		return
	}
	s.Served = servedTokens
	old := c.cycle.of(c.partial)
	if c.partial == "" || old == (run.Usage{}) {
		return
	}
	old.Output = u.Output
	c.cycle.add(c.partial, old)
	c.spent(s)
}
