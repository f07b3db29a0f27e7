package agent

import (
	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// The signs that a model answered, as run.Sight.Served names them.
const (
	servedText    = "text"
	servedTool    = "tool"
	servedTokens  = "tokens"
	servedAllowed = "allowed"
)

// claudeBlock gives the sign in a block of a message that a model answered, and finds
// what the agent works at.
func claudeBlock(v *record.Values) string {
	text := v.Fields[claudeBlockText]
	switch string(v.Fields[claudeBlockType].Word()) {
	case "text":
		if len(text) <= len(`""`) {
			return ""
		}
		v.Act = record.Said(text)
		return servedText
	case "thinking", "redacted_thinking":
		return servedText
	case "tool_use", "server_tool_use":
		v.Act = record.Act{Verb: v.Fields[claudeBlockName], Object: mainArgument(v)}
		return servedTool
	}
	return ""
}

func mainArgument(v *record.Values) record.Raw {
	return firstText(v, claudeArgument, len(mainArguments))
}

// streamed reads a part of a message that is still coming in.
func (c *claude) streamed(v *record.Values, s *run.Sight) {
	switch string(v.Fields[claudeEvent].Word()) {
	case "message_start":
		model := record.ModelName(v.Fields[claudeModel].Text())
		c.streams = ""
		if model == "" || model == Synthetic {
			return
		}
		c.streams, s.Served = record.Cut(v.Fields[claudeID].Text(), record.MaxName), servedTokens
		if ofMain(v) {
			c.speaks(model, s)
		}
	case "content_block_start":
		s.Served = claudeBlock(v)
	case "content_block_delta":
		s.Served = servedText
		if v.Is(claudeDelta, "input_json_delta") {
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
	old := c.cycle.of([]byte(c.streams))
	if c.streams == "" || old == (run.Usage{}) {
		return
	}
	old.Output = u.Output
	c.cycle.add([]byte(c.streams), old, c.ref.Counted)
	c.spent(s)
}
