package agent

import "example.com/layover/engine/run"

// The signs that a model answered, as run.Sight.Served names them.
const (
	servedText    = "text"
	servedTool    = "tool"
	servedTokens  = "tokens"
	servedAllowed = "allowed"
)

// claudeBlock tells what a block of a message shows: the sign that a model answered, and
// what the agent works at.
func claudeBlock(v *values) (string, run.Untrusted) {
	text := v.f[claudeBlockText]
	switch string(v.f[claudeBlockType].word()) {
	case "text":
		if len(text) <= len(`""`) {
			return "", ""
		}
		return servedText, doing("", text)
	case "thinking", "redacted_thinking":
		return servedText, ""
	case "tool_use", "server_tool_use":
		return servedTool, doing(v.f[claudeBlockName].text(), mainArgument(v))
	}
	return "", ""
}

func mainArgument(v *values) raw {
	for i := range mainArguments {
		if arg := v.f[claudeArgument+field(i)]; len(arg) > len(`""`) && arg[0] == '"' {
			return arg
		}
	}
	return nil
}

// streamed reads a part of a message that is still coming in.
func (c *claude) streamed(v *values, s *run.Sight) {
	switch string(v.f[claudeEvent].word()) {
	case "message_start":
		model := modelName(v.f[claudeModel].text())
		c.partial = ""
		if model == "" || model == synthetic {
			return
		}
		c.partial, s.Served = cut(v.f[claudeID].text(), maxName), servedTokens
		if ofMain(v) {
			c.speaks(model, s)
		}
	case "content_block_start":
		s.Served, s.Doing = claudeBlock(v)
	case "content_block_delta":
		s.Served = servedText
		if v.is(claudeDelta, "input_json_delta") {
			s.Served = servedTool
		}
	case "message_delta":
		c.streamedUsage(claudeUsage(v), s)
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
