package handoff

import (
	"fmt"
	"strings"

	"example.com/layover/engine/agent/record"
)

// codexItem is what is read of an item of codex.
type codexItem struct {
	id, kind, text, command, output, server, tool, query, status string
	exit, changes, arguments, result, fault, todo                record.Raw
}

func (c *codexItem) take(name string, v record.Raw) {
	switch name {
	case "id":
		c.id = v.Text()
	case "type":
		c.kind = v.Text()
	case "text":
		c.text = saidText(v)
	case "command":
		c.command = saidText(v)
	case "aggregated_output":
		c.output = saidText(v)
	case "server":
		c.server = v.Text()
	case "tool":
		c.tool = v.Text()
	case "query":
		c.query = saidText(v)
	case "status":
		c.status = v.Text()
	case "exit_code":
		c.exit = v
	case "changes":
		c.changes = v
	case "arguments", "prompt":
		c.arguments = v
	case "result":
		c.result = v
	case "error":
		c.fault = v
	case "items":
		c.todo = v
	}
}

// codex takes the steps out of a record of codex. A call is added when it starts, or
// with its result if its start was not told.
func (t *Transcript) codex(rec record.Raw) {
	var kind string
	var item record.Raw
	record.Members(rec, func(name string, v record.Raw) {
		switch name {
		case "type":
			kind = v.Text()
		case "item":
			item = v
		}
	})
	var c codexItem
	if !strings.HasPrefix(kind, "item.") || !record.Members(item, c.take) {
		return
	}
	done := kind == "item.completed"
	if c.kind == "todo_list" {
		t.plan = t.plain(c.list())
		return
	}
	if c.kind == "agent_message" && done {
		t.say(ItemText, c.text)
		return
	}
	name, input := c.call(t)
	if name == "" || !done && kind != "item.started" {
		return
	}
	if !done || !t.isOpen(c.id) {
		t.call(c.id, name, input)
	}
	if done {
		t.result(c.id, c.outcome(t), c.failed())
	}
}

// call gives the tool of an item and its plain input; no tool if it is no call.
func (c *codexItem) call(t *Transcript) (name, input string) {
	switch c.kind {
	case "command_execution":
		return "shell", t.plain(c.command)
	case "file_change":
		return "edit", t.data(c.changes)
	case "mcp_tool_call", "collab_tool_call":
		return strings.Trim(c.server+"."+c.tool, "."), t.data(c.arguments)
	case "web_search":
		return "web_search", t.plain(c.query)
	}
	return "", ""
}

func (c *codexItem) failed() bool {
	n, coded := c.exit.Number()
	return c.status == "failed" || c.status == "declined" || c.fault.Set() || coded && n != 0
}

// outcome is what the result of a call holds, plain.
func (c *codexItem) outcome(t *Transcript) string {
	parts := []string{t.plain(strings.TrimSuffix(c.output, "\n"))}
	for _, v := range []record.Raw{c.result, c.fault} {
		if v.Set() {
			parts = append(parts, t.data(v))
		}
	}
	if n, ok := c.exit.Number(); ok {
		parts = append(parts, fmt.Sprintf("[exit status %.0f]", n))
	} else if c.status != "" {
		parts = append(parts, "["+t.word(c.status)+"]")
	}
	return strings.TrimPrefix(strings.Join(parts, "\n"), "\n")
}

// list is the plan that the agent keeps.
func (c *codexItem) list() string {
	var b strings.Builder
	b.WriteString("Plan:")
	record.Elements(c.todo, func(v record.Raw) {
		mark := "[ ]"
		if v.Member("completed").Flag() {
			mark = "[x]"
		}
		b.WriteString("\n" + mark + " " + saidText(v.Member("text")))
	})
	return b.String()
}
