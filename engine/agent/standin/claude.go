package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// claudeRequest is what the answers need of a request to /v1/messages.
type claudeRequest struct {
	Model string            `json:"model"`
	Tools []json.RawMessage `json:"tools"`
	// Messages are a list, each with a content that is a text or a list of blocks.
	Messages json.RawMessage `json:"messages"`
}

// hasToolResult reports whether the conversation holds the result of a tool.
func (q claudeRequest) hasToolResult() bool {
	var messages []struct {
		Content json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(q.Messages, &messages)
	for _, m := range messages {
		var blocks []struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(m.Content, &blocks) != nil {
			continue
		}
		for _, b := range blocks {
			if b.Type == "tool_result" {
				return true
			}
		}
	}
	return false
}

// shell is the name of the tool that runs commands: claude and opencode write it in
// their own ways.
func (q claudeRequest) shell() string {
	for _, t := range q.Tools {
		var tool struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(t, &tool) == nil && strings.EqualFold(tool.Name, "bash") {
			return tool.Name
		}
	}
	return "Bash"
}

func answerClaude(w http.ResponseWriter, r *http.Request, q claudeRequest, a reply) {
	h := w.Header()
	switch a.answer {
	case UsageLimit:
		limitClaude(h, a)
		refuseClaude(w, http.StatusTooManyRequests, "rate_limit_error", "This request would exceed your account's rate limit.")
	case Throttle:
		refuseClaude(w, http.StatusTooManyRequests, "rate_limit_error", "Too many requests")
	case Overloaded:
		refuseClaude(w, 529, "overloaded_error", "Overloaded")
	case Unauthorized:
		refuseClaude(w, http.StatusUnauthorized, "authentication_error", "invalid x-api-key")
	case TooLong:
		refuseClaude(w, http.StatusBadRequest, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")
	case NoCredit:
		refuseClaude(w, http.StatusBadRequest, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.")
	default:
		h.Set("Anthropic-Ratelimit-Unified-Status", "allowed")
		stream(w, r, a.answer, claudeEvents(q, a))
	}
}

func refuseClaude(w http.ResponseWriter, status int, kind, message string) {
	writeJSON(w, status, object{"type": "error", "error": object{"type": kind, "message": message}, "request_id": "req_1"})
}

// limitClaude states a spent five-hour allowance the way a subscription does.
func limitClaude(h http.Header, a reply) {
	const unified = "Anthropic-Ratelimit-Unified-"
	h.Set("X-Should-Retry", "false")
	h.Set(unified+"Status", "rejected")
	h.Set(unified+"Representative-Claim", "five_hour")
	h.Set(unified+"Overage-Status", "rejected")
	h.Set(unified+"Overage-Disabled-Reason", "org_level_disabled")
	h.Set(unified+"5h-Status", "rejected")
	h.Set(unified+"5h-Utilization", "1.0")
	if !a.reset.IsZero() {
		at := strconv.FormatInt(a.reset.Unix(), 10)
		h.Set("Retry-After", strconv.Itoa(int(a.wait.Seconds())))
		h.Set(unified+"Reset", at)
		h.Set(unified+"5h-Reset", at)
	}
}

// claudeEvents is a whole answer of a model: a text, or the call of the shell tool.
func claudeEvents(q claudeRequest, a reply) []event {
	start, delta, stop := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": "All done."}, "end_turn"
	if a.command != "" {
		input, _ := json.Marshal(object{"command": a.command, "description": "a step"}) // always JSON
		start = object{"type": "tool_use", "id": fmt.Sprint("toolu_", a.step), "name": q.shell(), "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": string(input)}
		stop = "tool_use"
	}
	return []event{
		{"type": "message_start", "message": object{
			"id": fmt.Sprint("msg_", a.step), "type": "message", "role": "assistant", "model": q.Model, "content": []any{},
			"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": 1200, "output_tokens": 1},
		}},
		{"type": "content_block_start", "index": 0, "content_block": start},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 25}},
		{"type": "message_stop"},
	}
}
