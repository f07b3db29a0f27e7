package standin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// geminiRequest is what the answers need of a request to generateContent.
type geminiRequest struct {
	Tools []json.RawMessage `json:"tools"`
	// Contents are a list, each of parts that are texts, calls or their results.
	Contents json.RawMessage `json:"contents"`
	// Config says whether the answer is to be JSON: gemini asks small models so, how
	// hard a task is and whose turn comes next.
	Config struct {
		MIME string `json:"responseMimeType"`
	} `json:"generationConfig"`
}

// asked is what gemini asks small models.
const asked = `{"complexity_reasoning":"a word","complexity_score":10,"reasoning":"all is said","next_speaker":"user"}`

// hasToolResult reports whether the conversation holds the result of a tool.
func (q geminiRequest) hasToolResult() bool {
	return bytes.Contains(q.Contents, []byte(`"functionResponse"`))
}

// aside reports a question beside the work.
func (q geminiRequest) aside() bool { return q.Config.MIME == "application/json" }

// geminiPath reports whether a path asks a model of Gemini for output, and whether as a
// stream.
func geminiPath(path string) (asks, streams bool) {
	_, verb, _ := strings.Cut(path, ":")
	return verb == "generateContent" || verb == "streamGenerateContent", verb == "streamGenerateContent"
}

func answerGemini(w http.ResponseWriter, r *http.Request, q geminiRequest, streams bool, a reply) {
	switch a.answer {
	case UsageLimit:
		limitGemini(w, a.wait)
	case Throttle:
		refuseGemini(w, http.StatusTooManyRequests, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota).")
	case Overloaded:
		refuseGemini(w, http.StatusServiceUnavailable, "UNAVAILABLE", "The model is overloaded. Please try again later.")
	case Unauthorized:
		refuseGemini(w, http.StatusBadRequest, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
			object{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"})
	case TooLong:
		refuseGemini(w, http.StatusBadRequest, "INVALID_ARGUMENT", "The input token count (210000) exceeds the maximum number of tokens allowed (200000).")
	case NoCredit:
		refuseGemini(w, http.StatusForbidden, "PERMISSION_DENIED", "This API method requires billing to be enabled.",
			object{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "BILLING_DISABLED", "domain": "googleapis.com"})
	default:
		events := geminiEvents(q, a)
		if streams {
			stream(w, r, a.answer, events)
			return
		}
		writeJSON(w, http.StatusOK, events[len(events)-1])
	}
}

func refuseGemini(w http.ResponseWriter, code int, status, message string, details ...any) {
	writeJSON(w, code, object{"error": object{"code": code, "message": message, "status": status, "details": details}})
}

// limitGemini states a spent allowance: that of a plan, which says when it is full again,
// or else that of a day and a key, which does not.
func limitGemini(w http.ResponseWriter, wait time.Duration) {
	if wait == 0 {
		refuseGemini(w, http.StatusTooManyRequests, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", object{
			"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": []any{object{
				"quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
				"quotaId":     "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "quotaValue": "50",
			}},
		})
		return
	}
	refuseGemini(w, http.StatusTooManyRequests, "RESOURCE_EXHAUSTED",
		fmt.Sprintf("You have exhausted your capacity on this model. Your quota will reset after %v.", wait),
		object{
			"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "QUOTA_EXHAUSTED", "domain": "cloudcode-pa.googleapis.com",
		},
		object{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": fmt.Sprintf("%.0fs", wait.Seconds())})
}

// geminiEvents is a whole answer of a model, in two parts: a text, or the call of the
// shell tool.
func geminiEvents(q geminiRequest, a reply) []event {
	part := object{"text": "All done."}
	if q.aside() {
		part = object{"text": asked}
	}
	if a.command != "" {
		part = object{"functionCall": object{"name": "run_shell_command", "args": object{"command": a.command, "description": "a step"}}}
	}
	chunk := func(finish string, parts ...any) event {
		candidate := object{"content": object{"role": "model", "parts": parts}, "index": 0}
		if finish != "" {
			candidate["finishReason"] = finish
		}
		return event{
			"candidates":    []any{candidate},
			"usageMetadata": object{"promptTokenCount": 900, "candidatesTokenCount": 12, "totalTokenCount": 912},
			"modelVersion":  "gemini-stand-in",
		}
	}
	return []event{chunk("", object{"text": "Well. "}), chunk("STOP", part)}
}
