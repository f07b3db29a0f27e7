package agent

import (
	"strings"
	"testing"

	"example.com/layover/engine/run"
)

// usageTold are the words by which providers tell that an allowance is spent.
var usageTold = []string{
	"The usage limit has been reached", "Your usage limit has been reached", "Your usage limit has been exceeded",
	"You have exceeded your usage limit", "You exceeded your weekly usage limit", "Usage limit exceeded",
	"usage limit reached", "You've hit your usage limit", "You’ve hit your session limit", "limit reached",
}

func TestUsageLimitsInAnyWords(t *testing.T) {
	for _, text := range usageTold {
		for _, p := range []problem{{text: text}, {text: text + "."}, {text: "Error: " + text + ". Try again later."}, {text: `"` + text + `"`}, {text: text, status: 429}} {
			if f := p.classify(); f.class != run.ClassRateLimited || f.kind != run.KindUsage || f.scope != run.ScopeFamily {
				t.Errorf("%+v: %+v, want the family's usage limit", p, f)
			}
		}
	}
}

func TestRateLimitsInAnyWords(t *testing.T) {
	for _, text := range []string{"Rate limit reached", "rate limit exceeded", "The rate limit has been exceeded", "Your rate limit was reached", "rate_limit_exceeded"} {
		if f := (problem{text: text}).classify(); f.class != run.ClassRateLimited || f.kind != run.KindThrottle {
			t.Errorf("%s: %+v, want a throttle", text, f)
		}
	}
}

// There are limits that no time lifts.
func TestOtherLimitsAreNoUsage(t *testing.T) {
	for _, what := range []string{"Context", "Conversation length", "Max turns", "maximum tool calls", "open files", "Memory", "recursion", "Retry", "line"} {
		for _, text := range []string{what + " limit reached", "The " + what + " limit has been reached", "You've hit your " + what + " limit"} {
			if f := (problem{text: text}).classify(); f.class == run.ClassRateLimited {
				t.Errorf("%s: %+v, want no limit", text, f)
			}
		}
		if f := (problem{text: "Usage limit reached. The " + what + " limit is far"}).classify(); f.class != run.ClassRateLimited {
			t.Errorf("beside %s: %+v, want a limit", what, f)
		}
	}
}

// A status or a word for programs that no limit has outweighs what the text says.
func TestStatusOutweighsWords(t *testing.T) {
	for _, text := range append(usageTold, "rate limit reached", "too many requests", "QUOTA_EXHAUSTED") {
		for _, p := range []problem{
			{text: text, status: 400},
			{text: text, status: 404},
			{text: text, status: 422},
			{text: text, status: 500},
			{text: text, status: 502},
			{text: "API Error: 400 " + text},
			{text: "unexpected status 404 Not Found: " + text},
			{text: "API Error: 500 about " + text},
			{text: `{'status': 400, 'message': "` + text + `"}`},
			{text: "statusCode: 400, " + text},
			{text: "HTTP/1.1 400 Bad Request: " + text},
			{text: "http/2 404, " + text},
			{text: "status_code=404 " + text},
			{text: "error 404: " + text},
			{text: "Error: 400 " + text},
			{text: `400 {"message":"` + text + `"}`},
			{text: text, code: "internal_server_error"},
			{text: text, code: "bad_request other"},
			{text: text, tag: "invalid_request"},
			{text: text, tag: "server_error"},
		} {
			if f := p.classify(); f.class == run.ClassRateLimited {
				t.Errorf("%+v: %+v, want no limit", p, f)
			}
		}
		for _, p := range []problem{
			{text: text, status: 429},
			{text: text, status: 503},
			{text: text, status: 200},
			{text: text, code: "rate_limit_exceeded"},
			{text: text, code: "usage_limit_reached invalid_request_error"},
			{text: "API Error: 429 " + text},
			{text: "429 files are about it: " + text},
			{text: `429 {"error":"` + text + `"}`},
		} {
			if f := p.classify(); f.class != run.ClassRateLimited {
				t.Errorf("%+v: %+v, want a limit", p, f)
			}
		}
	}
}

// What an error quotes, and what a file is called, is not what has failed.
func TestQuotedWordsAreNoLimit(t *testing.T) {
	for _, text := range []string{"rate limit exceeded", "usage limit reached", "limit reached", "You've hit your usage limit", "Too many requests"} {
		file := strings.ToLower(text)
		for _, whole := range []string{
			"Stop hook error: test '" + text + "' failed", `expected "` + text + `" in the output`, "the text `" + text + "` is wrong", "test ‘" + text + "’ failed", "test “" + text + "” failed",
			"Error executing tool grep: '" + text + "' in output", "it's about '" + text + "', isn't it",
			"ENOENT: no such file or directory, open 'docs/" + text + ".md'", "ENOENT: open docs/" + file + ".md", "Cannot read file 'docs/" + text + ".md'",
			"cannot read /srv/" + strings.ReplaceAll(file, " ", "_") + ".md", "no such file: rate_limit_exceeded.go:12", "open src/rate_limit_error/usage_limit_reached: no such file",
			"'Overloaded' is what the log says",
		} {
			if f := (problem{text: whole}).classify(); f.class == run.ClassRateLimited || f.class == run.ClassOverloaded {
				t.Errorf("%s: %+v, want no limit", whole, f)
			}
		}
	}
}

// Answers of providers stand in quotes too, and they are meant.
func TestAnswersInQuotesAreLimits(t *testing.T) {
	for _, text := range []string{
		`{"error":{"type":"rate_limit_error","message":"x"}}`, `litellm.RateLimitError: AnthropicException - b'{"type":"error","error":{"type":"rate_limit_error"}}'`,
		`Error code: {'error': {'message': 'Rate limit reached'}}`, `"You've hit your usage limit."`, `API Error: 429 "Too many requests"`, "{\n  reason: 'RATE_LIMIT_EXCEEDED',\n}",
		"You've hit your team's usage limit", "Usage limit reached for users' seats. It isn't back yet", `See https://x.y/docs/limits: usage limit reached`, "error: {usage_limit_reached",
	} {
		if f := (problem{text: text}).classify(); f.class != run.ClassRateLimited {
			t.Errorf("%s: %+v, want a limit", text, f)
		}
	}
}

// Who states when the call may be made again refuses it, whatever the words.
func TestStatedResetIsALimit(t *testing.T) {
	body := `{\"error\":{\"message\":\"Not now.\",\"resets_at\":1790866800}}`
	for dialect, stream := range map[string]string{
		"codex":    `{"type":"turn.failed","error":{"message":"` + body + `"}}`,
		"opencode": `{"type":"error","timestamp":1790856000000,"sessionID":"s","error":{"name":"APIError","data":{"message":"x","responseBody":"` + body + `"}}}`,
	} {
		if v := judgeText(dialect, stream+"\n", atNoon(), End{}); v.Class != run.ClassRateLimited || v.Reset.Unix() != 1790866800 {
			t.Errorf("%s: %+v, want a limit until 15:00", dialect, v)
		}
		if v := judgeText(dialect, strings.Replace(stream, `{\"error\"`, `{\"status\":400,\"error\"`, 1)+"\n", atNoon(), End{}); v.Class == run.ClassRateLimited {
			t.Errorf("%s with a status of 400: %+v, want no limit", dialect, v)
		}
	}
}

// A result that has failed may hold what the model said.
func TestFailedResultOfProseIsNoLimit(t *testing.T) {
	for _, said := range []string{"You've hit your session limit · resets 3pm (UTC)", "You've hit your session limit"} {
		failed := strings.Replace(claudeFailure("null", said), `"num_turns"`, `"terminal_reason":"completed","num_turns"`, 1)
		if v := judgeText("claude", lines(claudeInit, claudeWords, failed), atNoon(), End{}); v.Class != run.ClassFailed {
			t.Errorf("%s: %+v, want failed", said, v)
		}
		if v := judgeText("claude", lines(claudeInit, claudeWords, claudeFailure("429", said)), atNoon(), End{}); v.Kind != run.KindUsage {
			t.Errorf("%s with a status: %+v, want a usage limit", said, v)
		}
		if v := judgeText("claude", lines(claudeInit, failed), atNoon(), End{}); v.Class != run.ClassRateLimited {
			t.Errorf("%s, which nobody said before: %+v, want a limit", said, v)
		}
	}
}
