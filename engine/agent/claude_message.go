package agent

import "example.com/layover/engine/run"

// The signs that a model answered, as run.Sight.Served names them.
const (
	servedText    = "text"
	servedTool    = "tool"
	servedTokens  = "tokens"
	servedAllowed = "allowed"
)

// claudeMessage is what is read of an assistant message. Its values are those of the
// line, and end with it.
type claudeMessage struct {
	id, model raw
	usage     run.Usage
	sign      string      // that a model answered
	last      claudeBlock // the last block that says what is done
	text      raw         // of the last block that is a text
}

// claudeBlock is a part of a message's content.
type claudeBlock struct{ kind, name, text, argument raw }

func (m *claudeMessage) read(w *walk) {
	for w.enter('{'); w.more(); {
		switch string(w.name) {
		case "id":
			m.id = w.value()
		case "model":
			m.model = w.value()
		case "content":
			for w.enter('['); w.more(); {
				m.take(readClaudeBlock(w))
			}
		case "usage":
			m.usage = readClaudeUsage(w)
		}
	}
}

func readClaudeBlock(w *walk) claudeBlock {
	var b claudeBlock
	for w.enter('{'); w.more(); {
		switch string(w.name) {
		case "type":
			b.kind = w.value()
		case "name":
			b.name = w.value()
		case "text":
			b.text = w.value()
		case "input":
			b.argument = mainArgument(w)
		}
	}
	return b
}

func (m *claudeMessage) take(b claudeBlock) {
	kind := string(b.kind.word())
	if kind == "text" {
		m.text = b.text
	}
	if sign := b.served(); sign != "" {
		m.sign = sign
		if kind != "thinking" && kind != "redacted_thinking" {
			m.last = b
		}
	}
}

// served is the sign that the message gives that a model answered.
func (m *claudeMessage) served() string {
	if m.sign == "" && m.usage.Output > 0 {
		return servedTokens
	}
	return m.sign
}

func (b claudeBlock) served() string {
	switch string(b.kind.word()) {
	case "text":
		if len(b.text) <= len(`""`) {
			return ""
		}
		return servedText
	case "thinking", "redacted_thinking":
		return servedText
	case "tool_use", "server_tool_use":
		return servedTool
	}
	return ""
}

// doing is what the block shows that the agent works at.
func (b claudeBlock) doing() run.Untrusted {
	if b.served() == servedTool {
		return doing(b.name.text(), b.argument)
	}
	return doing("", b.text)
}

// mainArguments are the arguments that tell most about a tool call, best first.
var mainArguments = []string{"command", "file_path", "notebook_path", "path", "pattern", "query", "url", "description", "prompt", "skill"}

func mainArgument(w *walk) raw {
	var value raw
	best := len(mainArguments)
	for w.enter('{'); w.more(); {
		for i, n := range mainArguments[:best] {
			if n != string(w.name) {
				continue
			}
			if v := w.value(); len(v) > len(`""`) && v[0] == '"' {
				best, value = i, v
			}
			break
		}
	}
	return value
}

// streamed reads a part of a message that is still coming in.
func (c *claude) streamed(f *claudeFields, s *run.Sight) {
	e := &f.event
	switch string(e.kind.word()) {
	case "message_start":
		model := modelName(e.message.model.text())
		c.partial = ""
		if model == "" || model == synthetic {
			return
		}
		c.partial, s.Served = cut(e.message.id.text(), maxName), servedTokens
		if f.own() {
			c.speaks(model, s)
		}
	case "content_block_start":
		s.Served, s.Doing = e.block.served(), e.block.doing()
	case "content_block_delta":
		s.Served = servedText
		if string(e.delta.word()) == "input_json_delta" {
			s.Served = servedTool
		}
	case "message_delta":
		c.streamedUsage(e.usage, s)
	}
}

// claudeEvent is a part of a message that is still coming in.
type claudeEvent struct {
	kind    raw
	message claudeMessage
	block   claudeBlock
	delta   raw // its type
	usage   run.Usage
}

func (e *claudeEvent) read(w *walk) {
	for w.enter('{'); w.more(); {
		switch string(w.name) {
		case "type":
			e.kind = w.value()
		case "message":
			e.message.read(w)
		case "delta":
			for w.enter('{'); w.more(); {
				if string(w.name) == "type" {
					e.delta = w.value()
				}
			}
		case "content_block":
			e.block = readClaudeBlock(w)
		case "usage":
			e.usage = readClaudeUsage(w)
		}
	}
}

// streamedUsage takes the final count of a streamed message. The whole message
// came before it, with the count of its beginning.
func (c *claude) streamedUsage(u run.Usage, s *run.Sight) {
	if u.Output == 0 {
		return
	}
	s.Served = servedTokens
	old := c.cycle.of([]byte(c.partial))
	if c.partial == "" || old == (run.Usage{}) {
		return
	}
	old.Output = u.Output
	c.cycle.add([]byte(c.partial), old)
	c.spent(s)
}
