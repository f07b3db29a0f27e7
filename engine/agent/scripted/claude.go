package scripted

import "time"

// claude speaks as `claude -p --output-format stream-json --verbose` does.
type claude struct {
	*talk
	gauged bool
}

var _ voice = (*claude)(nil)

func (c *claude) terminated() int { return 143 }

func (c *claude) hello() []any {
	return []any{claudeInit{
		Type: "system", Subtype: "init", CWD: c.cwd, SessionID: c.session.ID,
		Tools:      []string{"Task", "Bash", "Edit", "Read", "WebFetch", "WebSearch", "Write"},
		MCPServers: []any{}, Model: c.model, PermissionMode: "acceptEdits",
		SlashCommands: []string{"clear", "compact", "context", "init", "review", "usage"},
		APIKeySource:  "none", Version: "2.1.197", OutputStyle: "default",
		Agents: []string{"claude", "Explore", "general-purpose", "Plan"},
		Skills: []string{}, Plugins: []any{}, UUID: c.id(), FastMode: "off",
	}}
}

func (c *claude) retrying(n, of int, wait time.Duration, ans Answer) []any {
	r := claudeRetry{
		Type: "system", Subtype: "api_retry", Attempt: n, MaxRetries: of,
		DelayMS: float64(wait) / float64(time.Millisecond), Status: 429, Error: "rate_limit",
		SessionID: c.session.ID, UUID: c.id(),
	}
	if ans.Kind == Overloaded {
		r.Status, r.Error = 529, "overloaded"
	}
	return []any{r}
}

// stirring begins the partial messages, where they are asked for.
func (c *claude) stirring(s step) []any {
	if !c.partial {
		return nil
	}
	return []any{
		c.event(claudeStart{"message_start", c.message(s, []any{})}),
		c.event(claudeBlockStart{"content_block_start", 0, claudeText{"text", ""}}),
		c.event(claudeDelta{"content_block_delta", 0, claudeText{"text_delta", first(s.says, 24)}}),
	}
}

func (c *claude) event(e any) claudeEvent {
	return claudeEvent{Type: "stream_event", Event: e, SessionID: c.session.ID, UUID: c.id()}
}

// doing is one record for each block of the answer; a final answer comes with done.
func (c *claude) doing(s step, ans Answer, _ time.Time) []any {
	var lines []any
	if s.says != "" {
		lines = append(lines, c.assistant(c.message(s, []any{claudeText{"text", s.says}})))
	}
	if use, ok := c.toolUse(s); ok {
		lines = append(lines, c.assistant(c.message(s, []any{use})))
	}
	if c.partial {
		lines = append(lines,
			c.event(claudeBlockStop{"content_block_stop", 0}),
			c.event(claudeStop{"message_stop"}))
	}
	if !c.gauged && len(ans.Gauges) > 0 {
		c.gauged = true
		lines = append(lines, c.limit(gaugeInfo(ans.Gauges)))
	}
	return lines
}

func (c *claude) toolUse(s step) (claudeToolUse, bool) {
	use := claudeToolUse{Type: "tool_use", ID: c.toolID(s)}
	switch {
	case s.command != "":
		use.Name, use.Input = "Bash", claudeBash{s.command, "Run " + first(s.command, 40)}
	case s.file != "":
		use.Name, use.Input = "Edit", claudeEdit{s.file, s.before, s.now}
	default:
		return use, false
	}
	return use, true
}

func (c *claude) toolID(s step) string {
	return "toolu_01" + hexOf(c.world.draw("tool", c.session.ID, c.session.Runs, s.index)) + "scr"
}

func (c *claude) did(s step, at time.Time) []any {
	use, ok := c.toolUse(s)
	if !ok {
		return nil
	}
	res := claudeToolResult{ToolUseID: use.ID, Type: "tool_result", Content: s.output}
	var extra any = claudeBashResult{Stdout: s.output}
	if s.file != "" {
		res.Content = "The file " + s.file + " has been updated."
		extra = claudeEditResult{s.file, s.before, s.now}
	}
	return []any{claudeUser{
		Type: "user", Message: claudeTurn{"user", []any{res}}, SessionID: c.session.ID,
		UUID: c.id(), Timestamp: at.UTC().Format("2006-01-02T15:04:05.000Z"), Result: extra,
	}}
}

func (c *claude) done(s step, at time.Time) []any {
	r := c.result(at)
	r.Result, r.StopReason = s.says, "end_turn"
	return []any{r}
}

func (c *claude) refused(ans Answer, at time.Time) []any {
	f := claudeFault(ans)
	var lines []any
	for _, info := range f.limits {
		lines = append(lines, c.limit(info))
	}
	m := claudeMessage{
		ID: c.id(), Type: "message", Role: "assistant", Model: "<synthetic>",
		Content: []any{claudeText{"text", f.text}}, StopReason: new("stop_sequence"), StopSequence: new(""),
	}
	a := c.assistant(m)
	a.Error, a.RequestID = f.word, "req_"+hexOf(c.world.draw("request", c.session.ID, ans.Call))
	r := c.result(at)
	r.IsError, r.Status, r.Result, r.StopReason, r.Terminal = true, f.status, f.text, "stop_sequence", "api_error"
	return append(lines, a, r)
}

func (c *claude) limit(info claudeLimitInfo) claudeLimit {
	return claudeLimit{Type: "rate_limit_event", Info: info, UUID: c.id(), SessionID: c.session.ID}
}

func (c *claude) assistant(m claudeMessage) claudeAssistant {
	return claudeAssistant{Type: "assistant", Message: m, SessionID: c.session.ID, UUID: c.id()}
}

// message is an answer of the model as it streams: its output is not counted yet.
func (c *claude) message(s step, content []any) claudeMessage {
	u := s.tokens
	u.Output = 1
	return claudeMessage{
		ID:   "msg_01" + hexOf(c.world.draw("message", c.session.ID, c.session.Runs, s.index)),
		Type: "message", Role: "assistant", Model: c.model, Content: content, Usage: usageOf(u),
	}
}

// result is a terminal record with what this process took so far.
func (c *claude) result(at time.Time) claudeResult {
	r := claudeResult{
		Type: "result", Subtype: "success", DurationMS: at.Sub(c.began).Milliseconds(),
		APIMS: at.Sub(c.began).Milliseconds() * 4 / 5, Turns: max(1, c.calls), SessionID: c.session.ID,
		CostUSD: c.provider.usd(c.tokens), Usage: usageOf(c.tokens), Models: map[string]claudeModelUsage{},
		Denials: []any{}, Terminal: "completed", FastMode: "off", UUID: c.id(),
	}
	if c.calls > 0 {
		r.Models[c.model] = claudeModelUsage{
			Input: c.tokens.Input, Output: c.tokens.Output, CacheRead: c.tokens.CacheRead,
			CacheWrite: c.tokens.CacheWrite, CostUSD: r.CostUSD, Context: 200000, MaxOutput: 32000,
		}
	}
	return r
}

// first is the beginning of a text, at most n runes of it.
func first(s string, n int) string {
	r := []rune(s)
	return string(r[:min(n, len(r))])
}
