package agent

import (
	"bytes"
	"strings"

	"example.com/layover/engine/run"
)

const dialectCursor = "cursor"

// cursor reads `cursor-agent -p --output-format stream-json`
// (cursor.com/docs/cli/reference/output-format). If a call fails there is no terminal
// record: the reason is on stderr. Its lines carry neither retries nor limits.
type cursor struct {
	ref            Reference
	session, model string
	usage          run.Usage
	end            cursorEnd
}

// cursorEnd is the terminal record; its line is zero if none came.
type cursorEnd struct {
	line   int
	failed bool
	text   string
}

func newCursor(ref Reference) *cursor { return &cursor{ref: ref} }

var _ dialect = (*cursor)(nil)

// What is read of the records of cursor.
const (
	cursorType field = iota + 1
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

var cursorWanted = wantsOnce(func() map[string]field {
	return map[string]field{
		"type": cursorType, "subtype": cursorSubtype, "session_id": cursorSession, "model": cursorModel,
		"message.content[].text": cursorText, "text": cursorThought, "tool_call": cursorCall, "is_error": cursorIsError,
		"result": cursorSaid, "error": cursorFault, "usage.inputTokens": cursorInput, "usage.outputTokens": cursorOutput,
		"usage.cacheReadTokens": cursorCacheRead, "usage.cacheWriteTokens": cursorCacheWrite,
	}
})

func (*cursor) wanted() *want { return cursorWanted() }

func (c *cursor) read(v *values, line int) (s run.Sight) {
	switch string(v.f[cursorType].word()) {
	case "system":
		if !v.is(cursorSubtype, "init") {
			return s
		}
		if id := plainName(v.f[cursorSession].text()); id != "" {
			c.session, s.Session = id, id
		}
		c.model = modelName(v.f[cursorModel].text())
		s.Model = c.model
	case "assistant":
		if text := v.f[cursorText]; len(text) > len(`""`) {
			s.Served, v.act = servedText, said(text)
		}
	case "thinking":
		if len(v.f[cursorThought]) > len(`""`) {
			s.Served = servedText
		}
	case "tool_call":
		if v.is(cursorSubtype, "started") {
			name, args := cursorTool(v.f[cursorCall])
			s.Served, v.act = servedTool, act{word: cut(name, maxName), object: callArgument(args)}
		}
	case "result":
		c.ended(v, line, &s)
	}
	return s
}

// cursorTool gives the tool of a call, which is the name of a member such as
// "readToolCall", and its arguments.
func cursorTool(call raw) (name string, args raw) {
	members(call, func(n string, v raw) {
		switch tool, ok := strings.CutSuffix(n, "ToolCall"); {
		case ok:
			name, args = tool, v.member("args")
		case n == "function": // tools of which it knows no more
			name, args = v.member("name").text(), v.member("arguments")
		}
	})
	return name, args
}

// callArgument is the best of the mainArguments in an object.
func callArgument(args raw) raw {
	found, best := raw(nil), len(mainArguments)
	members(args, func(name string, v raw) {
		for i, n := range mainArguments[:best] {
			if n == name && len(v) > len(`""`) && v[0] == '"' {
				found, best = v, i
				return
			}
		}
	})
	return found
}

func (c *cursor) ended(v *values, line int, s *run.Sight) {
	c.end = cursorEnd{
		line:   line,
		failed: v.f[cursorIsError].flag() || bytes.HasPrefix(v.f[cursorSubtype].word(), []byte("error")),
	}
	if c.end.failed {
		for _, at := range []raw{v.f[cursorSaid], v.f[cursorFault], v.f[cursorFault].member("message")} {
			if text := at.text(); text != "" && c.end.text == "" {
				c.end.text = cut(text, maxErrorText)
			}
		}
	}
	c.usage = run.Usage{
		Input: v.f[cursorInput].count(), Output: v.f[cursorOutput].count(),
		CacheRead: v.f[cursorCacheRead].count(), CacheWrite: v.f[cursorCacheWrite].count(),
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
		t.verdict.Reset, t.verdict.How = ResolveText(c.end.text, c.ref.clock())
	}
	return t, true
}
