package agent

import (
	"regexp"
	"strconv"
	"strings"

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

func (c *codex) read(record raw, line int, partial bool) run.Sight {
	var kind, thread, message string
	var item, use, fault raw
	members(record, func(name string, v raw) {
		switch name {
		case "type":
			kind = v.text()
		case "thread_id":
			thread = plainName(v.text())
		case "message":
			message = v.text()
		case "item":
			item = v
		case "usage":
			use = v
		case "error":
			fault = v
		}
	})
	var s run.Sight
	switch kind {
	case "thread.started":
		if thread != "" {
			c.session, s.Session = thread, thread
		}
	case "item.started", "item.updated", "item.completed":
		s.Served, s.Doing = readCodexItem(item)
	case "error":
		c.notice(message, &s)
	case "turn.completed":
		before := c.usage
		c.usage = codexUsage(use)
		c.end = codexEnd{line: line}
		s.Terminal, s.Usage, s.Steps = true, c.usage, 1
		if c.usage.Output > before.Output {
			s.Served = servedTokens
		}
		if c.usage.Tokens() == 0 {
			s.Idle = 1
		}
	case "turn.failed":
		c.end = codexEnd{line: line, failed: true, cut: partial && !fault.set(), message: cut(fault.member("message").text(), maxErrorText)}
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
	if s.Retry.Status == 429 {
		c.retries++
		s.Suspect = suspectRetries(c.retries)
	}
}

// readCodexItem tells whether a model made an item, and what it is about.
func readCodexItem(item raw) (string, run.Untrusted) {
	var kind, text, command, server, tool, query string
	var changes, todo raw
	members(item, func(name string, v raw) {
		switch name {
		case "type":
			kind = v.text()
		case "text":
			text = v.text()
		case "command":
			command = v.text()
		case "server":
			server = v.text()
		case "tool":
			tool = v.text()
		case "query":
			query = v.text()
		case "changes":
			changes = v
		case "items":
			todo = v
		}
	})
	switch kind {
	case "agent_message", "reasoning":
		return servedText, doing("", text)
	case "command_execution":
		return servedTool, doing("run", command)
	case "file_change":
		return servedTool, doing("edit", strings.Join(texts(changes, "path"), " "))
	case "mcp_tool_call", "collab_tool_call":
		return servedTool, doing(server, tool)
	case "web_search":
		return servedTool, doing("search", query)
	case "todo_list":
		return servedTool, doing("plan", strings.Join(texts(todo, "text"), ", "))
	}
	return "", ""
}

// texts collects one member of each object in a list, as far as may be shown.
func texts(list raw, name string) []string {
	var all []string
	elements(list, func(v raw) {
		if t := v.member(name).text(); t != "" && len(all) < 8 {
			all = append(all, cut(t, maxDoing))
		}
	})
	return all
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
