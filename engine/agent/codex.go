package agent

import (
	"strconv"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

const DialectCodex = "codex"

// codex reads `codex exec --json`. Its lines carry neither model nor time.
type codex struct {
	against
	session string
	usage   run.Usage // of the whole thread, earlier turns included
	retries int       // 429 notices since a model answered
	end     codexEnd
}

// codexEnd is the terminal record; its line is zero if none came.
type codexEnd struct {
	line    int
	now     time.Time
	failed  bool
	message string
	cut     bool // why it failed is not there
}

func newCodex(ref Reference) *codex { return &codex{against: against{ref}} }

var _ dialect = (*codex)(nil)

// What is read of the records of codex.
const (
	codexType record.Field = iota + 1
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

var codexWanted = record.WantsOnce(func() map[string]record.Field {
	return map[string]record.Field{
		"type": codexType, "thread_id": codexThread, "message": codexMessage, "usage": codexUse, "error.message": codexFaultMessage,
		"item.type": codexItemType, "item.text": codexText, "item.command": codexCommand, "item.server": codexServer,
		"item.tool": codexTool, "item.query": codexQuery, "item.changes": codexChanges, "item.items": codexTodo,
	}
})

func (*codex) wanted() *record.Want { return codexWanted() }

func (c *codex) read(v *record.Values, line int) (s run.Sight) {
	switch string(v.Fields[codexType].Word()) {
	case "thread.started":
		if id := record.PlainName(v.Fields[codexThread].Text()); id != "" {
			c.session, s.Session = id, id
		}
	case "item.started", "item.updated", "item.completed":
		s.Served = codexItemSign(v)
	case "error":
		c.notice(v.Fields[codexMessage].Text(), &s)
	case "turn.completed":
		before := c.usage
		c.usage = codexUsage(v.Fields[codexUse])
		c.end = codexEnd{line: line, now: c.ref.Now}
		s.Terminal, s.Usage, s.Steps = true, c.usage, 1
		if c.usage.Output > before.Output {
			s.Served = servedTokens
		}
		if c.usage.Tokens() == 0 {
			s.Idle = 1
		}
	case "turn.failed":
		c.end = codexEnd{
			line: line, now: c.ref.Now, failed: true, cut: v.Partial && !v.Fields[codexFaultMessage].Set(),
			message: record.Whole(v.Fields[codexFaultMessage].Text(), record.MaxErrorText),
		}
		s.Terminal = true
	}
	if s.Served != "" {
		c.retries = 0
	}
	return s
}

var reconnecting = record.Lazy(`^Reconnecting\.\.\. (\d{1,6})/(\d{1,6})`)

// notice reads an error record, which is never the end: codex tries again.
func (c *codex) notice(message string, s *run.Sight) {
	found := reconnecting().FindStringSubmatch(message)
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
func codexItemSign(v *record.Values) string {
	switch string(v.Fields[codexItemType].Word()) {
	case "agent_message", "reasoning":
		v.Act = record.Said(v.Fields[codexText])
		return servedText
	case "command_execution":
		v.Act = record.Act{Word: "run", Object: v.Fields[codexCommand]}
	case "file_change":
		v.Act = record.Act{Word: "edit", Object: v.Fields[codexChanges], Each: "path", Between: " "}
	case "mcp_tool_call", "collab_tool_call":
		v.Act = record.Act{Verb: v.Fields[codexServer], Object: v.Fields[codexTool]}
	case "web_search":
		v.Act = record.Act{Word: "search", Object: v.Fields[codexQuery]}
	case "todo_list":
		v.Act = record.Act{Word: "plan", Object: v.Fields[codexTodo], Each: "text", Between: ", "}
	default:
		return ""
	}
	return servedTool
}

// codexUsage reads a usage in which cached input is a part of the input.
func codexUsage(r record.Raw) run.Usage {
	var u run.Usage
	record.Members(r, func(name string, v record.Raw) {
		switch name {
		case "input_tokens":
			u.Input = v.Count()
		case "output_tokens":
			u.Output = v.Count()
		case "cached_input_tokens":
			u.CacheRead = v.Count()
		case "cache_write_input_tokens":
			u.CacheWrite = v.Count()
		}
	})
	u.Input = max(0, u.Input-u.CacheRead-u.CacheWrite)
	u.Unpriced = u.Tokens() // it never states a cost
	return u
}
