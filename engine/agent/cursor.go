package agent

import (
	"bytes"
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

const DialectCursor = "cursor"

// cursor reads `cursor-agent -p --output-format stream-json`
// (cursor.com/docs/cli/reference/output-format). If a call fails there is no terminal
// record: the reason is on stderr. Its lines carry neither retries nor limits.
type cursor struct {
	against
	session, model string
	usage          run.Usage
	end            cursorEnd
}

// cursorEnd is the terminal record; its line is zero if none came.
type cursorEnd struct {
	line   int
	now    time.Time
	failed bool
	text   string
}

func newCursor(ref Reference) *cursor { return &cursor{against: against{ref}} }

var _ dialect = (*cursor)(nil)

// What is read of the records of cursor.
const (
	cursorType record.Field = iota + 1
	cursorSubtype
	cursorSession
	cursorModel
	cursorText
	cursorThought
	cursorCall
	cursorIsError
	cursorSaid
	cursorFault
	cursorInput
	cursorOutput
	cursorCacheRead
	cursorCacheWrite
)

var cursorWanted = record.WantsOnce(func() map[string]record.Field {
	return map[string]record.Field{
		"type": cursorType, "subtype": cursorSubtype, "session_id": cursorSession, "model": cursorModel,
		"message.content[].text": cursorText, "text": cursorThought, "tool_call": cursorCall, "is_error": cursorIsError,
		"result": cursorSaid, "error": cursorFault, "usage.inputTokens": cursorInput, "usage.outputTokens": cursorOutput,
		"usage.cacheReadTokens": cursorCacheRead, "usage.cacheWriteTokens": cursorCacheWrite,
	}
})

func (*cursor) wanted() *record.Want { return cursorWanted() }

func (c *cursor) read(v *record.Values, line int) (s run.Sight) {
	switch string(v.Fields[cursorType].Word()) {
	case "system":
		if !v.Is(cursorSubtype, "init") {
			return s
		}
		if id := record.PlainName(v.Fields[cursorSession].Text()); id != "" {
			c.session, s.Session = id, id
		}
		c.model = record.ModelName(v.Fields[cursorModel].Text())
		s.Model = c.model
	case "assistant":
		if text := v.Fields[cursorText]; len(text) > len(`""`) {
			s.Served, v.Act = servedText, record.Said(text)
		}
	case "thinking":
		if len(v.Fields[cursorThought]) > len(`""`) {
			s.Served = servedText
		}
	case "tool_call":
		if v.Is(cursorSubtype, "started") {
			name, args := CursorTool(v.Fields[cursorCall])
			s.Served, v.Act = servedTool, record.Act{Word: record.Cut(name, record.MaxName), Object: callArgument(args)}
		}
	case "result":
		c.ended(v, line, &s)
	}
	return s
}

// CursorTool gives the tool of a call, which is the name of a member such as
// "readToolCall", and its arguments.
func CursorTool(call record.Raw) (name string, args record.Raw) {
	record.Members(call, func(n string, v record.Raw) {
		switch tool, ok := strings.CutSuffix(n, "ToolCall"); {
		case ok:
			name, args = tool, v.Member("args")
		case n == "function": // tools of which it knows no more
			name, args = v.Member("name").Text(), v.Member("arguments")
		}
	})
	return name, args
}

// callArgument is the best of the mainArguments in an object.
func callArgument(args record.Raw) record.Raw {
	found, best := record.Raw(nil), len(mainArguments)
	record.Members(args, func(name string, v record.Raw) {
		for i, n := range mainArguments[:best] {
			if n == name && len(v) > len(`""`) && v[0] == '"' {
				found, best = v, i
				return
			}
		}
	})
	return found
}

func (c *cursor) ended(v *record.Values, line int, s *run.Sight) {
	c.end = cursorEnd{
		line:   line,
		now:    c.ref.Now,
		failed: v.Fields[cursorIsError].Flag() || bytes.HasPrefix(v.Fields[cursorSubtype].Word(), []byte("error")),
	}
	if c.end.failed {
		for _, at := range []record.Raw{v.Fields[cursorSaid], v.Fields[cursorFault], v.Fields[cursorFault].Member("message")} {
			if text := at.Text(); text != "" && c.end.text == "" {
				c.end.text = record.Whole(text, record.MaxErrorText)
			}
		}
	}
	c.usage = run.Usage{
		Input: v.Fields[cursorInput].Count(), Output: v.Fields[cursorOutput].Count(),
		CacheRead: v.Fields[cursorCacheRead].Count(), CacheWrite: v.Fields[cursorCacheWrite].Count(),
	}
	c.usage.Unpriced = c.usage.Tokens() // it never states a cost
	s.Terminal, s.Usage, s.Steps = true, c.usage, 1
	if c.usage.Output > 0 && !c.end.failed {
		s.Served = servedTokens
	}
	if c.usage.Tokens() == 0 {
		s.Idle = 1
	}
}

func (c *cursor) terminal(End) (terminal, bool) {
	t := terminal{session: c.session, model: c.model, usage: c.usage}
	const prefix = "cursor.result."
	switch {
	case c.end.line == 0:
		return t, false
	case !c.end.failed:
		t.verdict = plain(run.ClassSuccess, prefix+"success", c.end.line, "")
		return t, true
	}
	found := problem{text: c.end.text, model: c.model}.classify()
	t.verdict = found.verdict(prefix, c.end.line, c.end.text)
	if found.class == run.ClassRateLimited {
		ref := c.ref
		ref.Now = c.end.now
		t.verdict.Reset, t.verdict.How = reset.Text(c.end.text, ref.clock())
	}
	return t, true
}
