package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// codexRequest is what the answers need of a request to /responses.
type codexRequest struct {
	// Input is a list of items, each with a type.
	Input json.RawMessage `json:"input"`
}

// hasToolResult reports whether the conversation holds the result of a tool.
func (q codexRequest) hasToolResult() bool {
	var items []struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(q.Input, &items)
	for _, item := range items {
		if item.Type == "function_call_output" {
			return true
		}
	}
	return false
}

func answerCodex(w http.ResponseWriter, r *http.Request, a reply) {
	switch a.answer {
	case UsageLimit:
		refuseCodex(w, http.StatusTooManyRequests, limitCodex(w.Header(), a.reset))
	case Throttle:
		refuseCodex(w, http.StatusTooManyRequests, object{
			"type": "requests", "code": "rate_limit_exceeded", "message": "Rate limit reached on requests per min (RPM): Limit 3, Used 3, Requested 1.",
		})
	case Overloaded:
		refuseCodex(w, http.StatusServiceUnavailable, object{
			"type": "server_error", "code": "server_is_overloaded", "message": "Service overloaded. Please try again later",
		})
	case Unauthorized:
		refuseCodex(w, http.StatusUnauthorized, object{
			"type": "invalid_request_error", "code": "invalid_api_key", "message": "Incorrect API key provided",
		})
	case TooLong:
		stream(w, r, a.answer, []event{{"type": "response.failed", "response": object{
			"id": "resp_1", "status": "failed",
			"error": object{"code": "context_length_exceeded", "message": "Your input exceeds the context window of this model."},
		}}})
	case NoCredit:
		refuseCodex(w, http.StatusTooManyRequests, object{
			"type": "insufficient_quota", "code": "insufficient_quota", "message": "You exceeded your current quota.",
		})
	default:
		stream(w, r, a.answer, codexEvents(a))
	}
}

func refuseCodex(w http.ResponseWriter, status int, fault object) {
	writeJSON(w, status, object{"error": fault})
}

// limitCodex states a spent five-hour allowance the way a plan does: in headers
// and in the error that it returns.
func limitCodex(h http.Header, reset time.Time) object {
	const primary = "X-Codex-Primary-"
	h.Set(primary+"Used-Percent", "100.0")
	h.Set(primary+"Window-Minutes", "300")
	fault := object{"type": "usage_limit_reached", "message": "The usage limit has been reached", "plan_type": "plus"}
	if !reset.IsZero() {
		h.Set(primary+"Reset-At", strconv.FormatInt(reset.Unix(), 10))
		fault["resets_at"] = reset.Unix()
	}
	return fault
}

// codexEvents is a whole answer of a model: a text, or the call of the shell tool.
func codexEvents(a reply) []event {
	item := object{
		"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": "All done.", "annotations": []any{}}},
	}
	if a.command != "" {
		arguments, _ := json.Marshal(object{"cmd": a.command}) // always JSON
		item = object{
			"type": "function_call", "id": fmt.Sprint("fc_", a.step), "call_id": fmt.Sprint("call_", a.step), "status": "completed",
			"name": "exec_command", "arguments": string(arguments),
		}
	}
	return []event{
		{"type": "response.created", "response": object{"id": "resp_1", "object": "response", "status": "in_progress", "output": []any{}}},
		{"type": "response.output_item.added", "output_index": 0, "item": item},
		{"type": "response.output_item.done", "output_index": 0, "item": item},
		{"type": "response.completed", "response": object{
			"id": "resp_1", "object": "response", "status": "completed", "output": []any{item},
			"usage": object{"input_tokens": 2100, "output_tokens": 30, "total_tokens": 2130},
		}},
	}
}
