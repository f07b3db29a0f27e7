package agent

import (
	"regexp"
	"strconv"

	"example.com/layover/engine/run"
)

const dialectCodex = "codex"

// codex reads `codex exec --json`. Its lines carry neither model nor time.
type codex struct {
	ref     Reference
	session string
	usage   run.Usage // of the whole thread, earlier turns included
	retries int       // 429 notices since a model answered
	end     codexEnd
}

// codexEnd is the terminal record; its line is zero if none came.
type codexEnd struct {
	line    int
	failed  bool
	message string
	cut     bool // why it failed is not there
}

func newCodex(ref Reference) *codex { return &codex{ref: ref} }

var _ dialect = (*codex)(nil)

// What is read of the records of codex.
const (
	codexType field = iota + 1
	codexThread
	codexMessage
	codexUse
	codexFaultMessage
	codexItemType
	codexText
	codexCommand
	codexServer
	codexTool
	codexQuery
	codexChanges
	codexTodo
)

var codexWanted = wantsOnce(func() map[string]field {
	return map[string]field{
		"type": codexType, "thread_id": codexThread, "message": codexMessage, "usage": codexUse, "error.message": codexFaultMessage,
		"item.type": codexItemType, "item.text": codexText, "item.command": codexCommand, "item.server": codexServer,
		"item.tool": codexTool, "item.query": codexQuery, "item.changes": codexChanges, "item.items": codexTodo,
	}
})

func (*codex) wanted() *want { return codexWanted() }

func (c *codex) read(v *values, line int) (s run.Sight) {
	switch string(v.f[codexType].word()) {
	case "thread.started":
		if id := plainName(v.f[codexThread].text()); id != "" {
			c.session, s.Session = id, id
		}
	case "item.started", "item.updated", "item.completed":
		s.Served = codexItemSign(v)
	case "error":
		c.notice(v.f[codexMessage].text(), &s)
	case "turn.completed":
		before := c.usage
		c.usage = codexUsage(v.f[codexUse])
		c.end = codexEnd{line: line}
		s.Terminal, s.Usage, s.Steps = true, c.usage, 1
		if c.usage.Output > before.Output {
			s.Served = servedTokens
		}
		if c.usage.Tokens() == 0 {
			s.Idle = 1
		}
	case "turn.failed":
		c.end = codexEnd{
			line: line, failed: true, cut: v.partial && !v.f[codexFaultMessage].set(),
			message: cut(v.f[codexFaultMessage].text(), maxErrorText),
		}
		s.Terminal = true
	}
	if s.Served != "" {
		c.retries = 0
	}
	return s
}

var reconnecting = regexp.MustCompile(`^Reconnecting\.\.\. (\d{1,6})/(\d{1,6})`)

// notice reads an error record, which is never the end: codex tries again.
func (c *codex) notice(message string, s *run.Sight) {
	found := reconnecting.FindStringSubmatch(message)
	if found == nil {
		return
	}
	attempt, _ := strconv.ParseInt(found[1], 10, 32)
	most, _ := strconv.ParseInt(found[2], 10, 32)
	s.Retry = retryNotice(attempt, most, int64(statusIn(normalise(message))))
	if s.Limit = s.Retry.Status == 429; s.Limit {
		c.retries++
		s.Suspect = suspectRetries(c.retries)
	}
}

// codexItemSign gives the sign in an item that a model made it, and finds what it is
// about.
func codexItemSign(v *values) string {
	switch string(v.f[codexItemType].word()) {
	case "agent_message", "reasoning":
		v.act = said(v.f[codexText])
		return servedText
	case "command_execution":
		v.act = act{word: "run", object: v.f[codexCommand]}
	case "file_change":
		v.act = act{word: "edit", object: v.f[codexChanges], each: "path", between: " "}
	case "mcp_tool_call", "collab_tool_call":
		v.act = act{verb: v.f[codexServer], object: v.f[codexTool]}
	case "web_search":
		v.act = act{word: "search", object: v.f[codexQuery]}
	case "todo_list":
		v.act = act{word: "plan", object: v.f[codexTodo], each: "text", between: ", "}
	default:
		return ""
	}
	return servedTool
}

// codexUsage reads a usage in which cached input is a part of the input.
func codexUsage(r raw) run.Usage {
	var u run.Usage
	members(r, func(name string, v raw) {
		switch name {
		case "input_tokens":
			u.Input = v.count()
		case "output_tokens":
			u.Output = v.count()
		case "cached_input_tokens":
			u.CacheRead = v.count()
		case "cache_write_input_tokens":
			u.CacheWrite = v.count()
		}
	})
	u.Input = max(0, u.Input-u.CacheRead-u.CacheWrite)
	u.Unpriced = u.Tokens() // it never states a cost
	return u
}
