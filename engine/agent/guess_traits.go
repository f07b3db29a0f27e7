package agent

import (
	"strings"

	"example.com/layover/engine/agent/record"
)

// trait is a sign of a dialect in the outline of a record. One that only its dialect has
// weighs much; one that others share, little.
type trait struct {
	dialect string
	weight  int
	on      func(o outline) bool
}

const (
	// certain is the weight of a name that the agent gives itself, which it may do once only.
	certain = 1_000_000
	// ownMark is the weight of what no other dialect has.
	ownMark = 1000
	// likely is that of what others might have.
	likely = 10
)

// traits may name dialects that are not there: those are not guessed, but neither is
// another one for them. Of each record the first that fits counts.
var traits = []trait{
	{dialectCodexRollout, ownMark, func(o outline) bool {
		return o.has("payload") && o.is("session_meta", "turn_context", "response_item", "event_msg", "compacted")
	}},
	{dialectCodexRollout, likely, func(o outline) bool { // cut before its payload has ended
		return o.has("timestamp") && o.is("session_meta", "turn_context", "response_item", "event_msg", "compacted")
	}},
	{DialectCodex, ownMark, func(o outline) bool {
		return strings.HasPrefix(o.kind, "thread.") || strings.HasPrefix(o.kind, "turn.") || strings.HasPrefix(o.kind, "item.")
	}},
	{dialectClaudeTranscript, ownMark, func(o outline) bool {
		return o.has("parentUuid") || o.has("isSidechain") || o.has("leafUuid") ||
			o.has("sessionId") && o.is("permission-mode", "queue-operation", "ai-title", "last-prompt", "mode") || o.is("file-history-snapshot")
	}},
	{"qwen", certain, func(o outline) bool { return o.has("qwen_code_version") }},
	{DialectClaude, certain, func(o outline) bool { return o.has("claude_code_version") }},
	{"qwen", ownMark, func(o outline) bool {
		return o.is("result") && (o.members["error"].Member("message").Set() && o.has("is_error") || o.members["usage"].Member("total_tokens").Set()) ||
			o.is("system") && o.subtype == "retry" && o.has("data")
	}},
	{"amp", ownMark, func(o outline) bool {
		return strings.HasPrefix(o.session, "T-") && o.is("system", "user", "assistant", "result")
	}},
	{"cursor", ownMark, func(o outline) bool {
		return o.has("session_id") && (o.has("model_call_id") || o.has("timestamp_ms") || o.has("tool_call") ||
			o.is("result") && o.members["usage"].Member("inputTokens").Set())
	}},
	{DialectClaude, ownMark, func(o outline) bool {
		return o.is("rate_limit_event") || o.has("api_error_status") || o.has("modelUsage", "is_error") ||
			o.is("system") && o.subtype == "api_retry"
	}},
	{"opencode", ownMark, func(o outline) bool { return o.has("sessionID") }},
	{"copilot", ownMark, func(o outline) bool {
		return o.has("parentId") && strings.Contains(o.kind, ".") || o.is("result") && o.has("exitCode", "sessionId")
	}},
	{"gemini", ownMark, func(o outline) bool {
		return o.is("init") && o.has("session_id", "model") || o.is("message") && o.has("role", "content", "timestamp") ||
			o.is("tool_use") && o.has("tool_name") || o.is("tool_result") && o.has("tool_id") ||
			o.is("result") && o.has("status") || o.is("error") && o.has("severity")
	}},
	{"grok", ownMark, func(o outline) bool {
		return o.is("thought", "text") && o.has("data") || o.is("end") && o.has("stopReason") ||
			o.is("tool_call", "tool_call_update") && o.has("toolCallId") || o.is("usage") && o.has("messageId")
	}},
	{DialectClaude, likely, func(o outline) bool {
		return o.is("system", "user", "assistant", "result", "stream_event") && (o.has("session_id") || o.subtype != "" || o.has("is_error"))
	}},
	{DialectClaude, 1, func(o outline) bool { return o.is("user", "assistant") }},
	{DialectClaude, 1, func(o outline) bool { return o.is("error") && o.has("request_id") }},
	{"grok", 1, func(o outline) bool { return o.is("error") && GuessMessage(o.members["message"].Text()) == "grok" }},
	{DialectCodex, 1, func(o outline) bool { return o.is("error") && o.has("message") }},
}

// messageMarks are words that only the messages of one family have.
var messageMarks = []struct {
	family string
	words  record.Pattern
}{
	{"claude", record.Lazy(`\bclaude(?:[^\w.-]|$)|\banthropic\b|/usage-credits|/login\b|\blimit(?: reached)? [·∙•] resets|` +
		`\b(?:session|5-hour|weekly|opus|sonnet) limit\b|credit balance is too low`)},
	{"codex", record.Lazy(`\bcodex\b|\bchatgpt\b|\bopenai\b|usage limit\b.*\btry again (?:at|in)\b|switch to another model now|` +
		`exceeded retry limit, last status|stream disconnected before completion|tokens per min \(tpm\)`)},
	{"gemini", record.Lazy(`\bgemini\b|\bgoogleapis\b|your quota will reset after|exhausted your (?:capacity|daily quota) on this model`)},
	{"qwen", record.Lazy(`\bqwen\b|allocated quota exceeded`)},
	{"cursor", record.Lazy(`\bcursor\b|\bcursor-agent\b`)},
	{"copilot", record.Lazy(`\bcopilot\b|you have no quota|user_(?:weekly|global|model)_rate_limited`)},
	{"amp", record.Lazy(`\bampcode\b`)},
	{"opencode", record.Lazy(`\bopencode\b`)},
	{"aider", record.Lazy(`\baider\b|\blitellm\b`)},
	{"grok", record.Lazy(`\bgrok\b|\bx\.ai\b|free-usage-exhausted|rate limit for your plan`)},
}

// GuessMessage tells which agent an error message is from, if its words make that clear;
// empty if they do not, or name several. It may be one that is no preset.
func GuessMessage(text string) string {
	low := normalise(text)
	found := ""
	for _, m := range messageMarks {
		if !m.words().MatchString(low) {
			continue
		}
		if found != "" {
			return ""
		}
		found = m.family
	}
	return found
}
