package scripted

import (
	"encoding/json"
	"fmt"
	"time"
)

// codex speaks as `codex exec --json` does. Its usage is that of the whole thread,
// resumed runs included.
type codex struct {
	*talk
	items int
}

var _ voice = (*codex)(nil)

func (c *codex) terminated() int { return 0 }

func (c *codex) hello() []any {
	return []any{codexThread{"thread.started", c.session.ID}, codexPlain{"turn.started"}}
}

func (c *codex) retrying(n, of int, _ time.Duration, ans Answer) []any {
	return []any{codexError{"error", fmt.Sprintf("Reconnecting... %d/%d (%s)", n, of, c.text(ans, c.began))}}
}

// stirring is a summary of what the model thinks, which comes before its answer.
func (c *codex) stirring(s step) []any {
	about := "Planning the next change"
	switch {
	case s.final:
		about = "Summing up"
	case s.command != "":
		about = "Checking the state of the work"
	}
	return []any{c.completed(codexItem{ID: c.next(), Type: "reasoning", Text: "**" + about + "**"})}
}

func (c *codex) doing(s step, _ Answer, _ time.Time) []any {
	var lines []any
	if s.says != "" {
		lines = append(lines, c.completed(codexItem{ID: c.next(), Type: "agent_message", Text: s.says}))
	}
	if tool, ok := c.tool(s, c.items); ok {
		tool.Status = "in_progress"
		if tool.Type == "command_execution" {
			tool.ExitCode, tool.Output = json.RawMessage("null"), new("")
		}
		lines = append(lines, codexEvent{"item.started", tool})
	}
	return lines
}

func (c *codex) did(s step, _ time.Time) []any {
	tool, ok := c.tool(s, c.items)
	if !ok {
		return nil
	}
	c.items++
	tool.Status = "completed"
	if tool.Type == "command_execution" {
		tool.ExitCode, tool.Output = json.RawMessage("0"), new(s.output)
	}
	return []any{c.completed(tool)}
}

func (c *codex) done(step, time.Time) []any {
	t := c.session.Tokens
	return []any{codexDone{"turn.completed", codexUsage{t.Input + t.CacheRead + t.CacheWrite, t.CacheRead, t.CacheWrite, t.Output, t.Reasoning}}}
}

func (c *codex) refused(ans Answer, at time.Time) []any {
	var lines []any
	text := c.text(ans, at)
	if ans.Kind == Cut {
		for n := 1; n <= *c.provider.InnerRetries; n++ {
			lines = append(lines, c.retrying(n, *c.provider.InnerRetries, 0, ans)...)
		}
	}
	return append(lines, codexError{"error", text}, codexFailed{"turn.failed", codexMessage{text}})
}

// tool is the item of a step's tool, with the number it was started under.
func (c *codex) tool(s step, number int) (codexItem, bool) {
	i := codexItem{ID: fmt.Sprintf("item_%d", number)}
	switch {
	case s.command != "":
		i.Type, i.Command = "command_execution", "/bin/bash -lc '"+s.command+"'"
	case s.file != "":
		i.Type, i.Changes = "file_change", []codexChange{{s.file, "update"}}
	default:
		return i, false
	}
	return i, true
}

func (c *codex) completed(i codexItem) codexEvent { return codexEvent{"item.completed", i} }

func (c *codex) next() string {
	c.items++
	return fmt.Sprintf("item_%d", c.items-1)
}

// text puts an answer that is no service into the words of codex.
func (c *codex) text(ans Answer, at time.Time) string {
	switch {
	case ans.Kind == Spent:
		return "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit " +
			"https://chatgpt.com/settings/usage to purchase more credits or try again at " + codexTime(ans.Until, at, c.zone) + "."
	case ans.Kind == Throttled && !ans.Until.IsZero():
		wait := ceil(ans.Until, time.Millisecond).Sub(at)
		return fmt.Sprintf("stream disconnected before completion: Rate limit reached for %s in organization org-demo on tokens "+
			"per min (TPM): Limit 500000, Used 498211, Requested 12044. Please try again in %.3fs.", c.model, wait.Seconds())
	case ans.Kind == Throttled:
		return "exceeded retry limit, last status: 429 Too Many Requests"
	case ans.Kind == Overloaded:
		return "We’re currently experiencing high demand, which may cause temporary errors."
	default:
		return "stream disconnected before completion: stream closed before response.completed"
	}
}

// codexTime is a reset in codex's words: local time without a zone, to the minute,
// rounded up, with the date unless it is today.
func codexTime(until, at time.Time, zone *time.Location) string {
	until, at = ceil(until, time.Minute).In(zone), at.In(zone)
	if until.YearDay() == at.YearDay() && until.Year() == at.Year() {
		return until.Format("3:04 PM")
	}
	return until.Format("Jan 2") + ordinal(until.Day()) + until.Format(", 2006 3:04 PM")
}

func ordinal(day int) string {
	switch {
	case day%10 == 1 && day != 11:
		return "st"
	case day%10 == 2 && day != 12:
		return "nd"
	case day%10 == 3 && day != 13:
		return "rd"
	default:
		return "th"
	}
}
