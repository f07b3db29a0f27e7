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
}

func newCodex(ref Reference) *codex { return &codex{ref: ref} }

var _ dialect = (*codex)(nil)

func (c *codex) read(w *walk, line int) run.Sight {
	var kind, thread, message, use, fault raw
	var item codexStep
	for w.enter('{'); w.more(); {
		switch string(w.name) {
		case "type":
			kind = w.value()
		case "thread_id":
			thread = w.value()
		case "message":
			message = w.value()
		case "item":
			item = readCodexStep(w)
		case "usage":
			use = w.value()
		case "error":
			fault = w.value()
		}
	}
	var s run.Sight
	if w.bad {
		return s
	}
	switch string(kind.word()) {
	case "thread.started":
		if id := plainName(thread.text()); id != "" {
			c.session, s.Session = id, id
		}
	case "item.started", "item.updated", "item.completed":
		s.Served, s.Doing = item.sight()
	case "error":
		c.notice(message.text(), &s)
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
		c.end = codexEnd{line: line, failed: true, message: cut(fault.member("message").text(), maxErrorText)}
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

// codexStep is what is read of an item.
type codexStep struct{ kind, text, command, server, tool, query, changes, todo raw }

func readCodexStep(w *walk) codexStep {
	var c codexStep
	for w.enter('{'); w.more(); {
		switch string(w.name) {
		case "type":
			c.kind = w.value()
		case "text":
			c.text = w.value()
		case "command":
			c.command = w.value()
		case "server":
			c.server = w.value()
		case "tool":
			c.tool = w.value()
		case "query":
			c.query = w.value()
		case "changes":
			c.changes = w.value()
		case "items":
			c.todo = w.value()
		}
	}
	return c
}

// sight tells whether a model made the item, and what it is about.
func (c codexStep) sight() (string, run.Untrusted) {
	switch string(c.kind.word()) {
	case "agent_message", "reasoning":
		return servedText, doing("", c.text)
	case "command_execution":
		return servedTool, doing("run", c.command)
	case "file_change":
		return servedTool, doingText("edit", strings.Join(texts(c.changes, "path"), " "))
	case "mcp_tool_call", "collab_tool_call":
		return servedTool, doing(c.server.text(), c.tool)
	case "web_search":
		return servedTool, doing("search", c.query)
	case "todo_list":
		return servedTool, doingText("plan", strings.Join(texts(c.todo, "text"), ", "))
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
