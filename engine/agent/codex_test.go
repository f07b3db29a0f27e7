package agent

import (
	"strings"
	"testing"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
)

const codexStarted = `{"type":"thread.started","thread_id":"t1"}`

func codexFailure(message string) string {
	return `{"type":"turn.failed","error":{"message":"` + strings.ReplaceAll(message, `"`, `\"`) + `"}}`
}

func TestCodexVerdicts(t *testing.T) {
	const prefix = "codex.turn.failed."
	for name, tc := range map[string]struct {
		stream []string
		want   wanted
	}{
		"error without an end": {
			[]string{codexStarted, `{"type":"error","message":"You've hit your usage limit."}`},
			wanted{class: run.ClassIncomplete, rules: "codex.eof"},
		},
		"words in tool output and prose, then a network fault": {
			[]string{
				codexStarted,
				`{"type":"item.completed","item":{"type":"command_execution","aggregated_output":"usage limit reached|1790866800, 401 Unauthorized"}}`,
				`{"type":"item.completed","item":{"type":"agent_message","text":"You've hit your usage limit. Try again at 3:05 PM."}}`,
				codexFailure("stream disconnected before completion: error sending request for url"),
			},
			wanted{class: run.ClassTransport, rules: prefix + "transport"},
		},
		"a warning names a limit": {
			[]string{codexStarted, `{"type":"item.completed","item":{"type":"error","message":"usage limit reached"}}`, `{"type":"turn.completed","usage":{}}`},
			wanted{class: run.ClassSuccess, rules: "codex.turn.completed"},
		},
		"new prefix of a minute limit": {
			[]string{codexStarted, codexFailure("rate limit exceeded: Rate limit reached for gpt-5.2-codex on tokens per min. Please try again in 11.054s.")},
			wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeModel, "gpt-5.2-codex", 1790856012, run.HowText, prefix + "429"},
		},
		"limit as JSON, in seconds": {
			[]string{codexStarted, codexFailure(`{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_in_seconds":60.2}}`)},
			wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "", 1790856061, run.HowStated, prefix + "usage_limit"},
		},
		"limit as JSON, at an instant": {
			[]string{codexStarted, codexFailure(`{"status":429,"error":{"code":"usage_limit_reached","message":"slow","resets_at":"1790866800","resets_in_seconds":60}}`)},
			wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, "", 1790866800, run.HowStated, prefix + "usage_limit"},
		},
		"plan without codex": {
			[]string{codexStarted, codexFailure("To use Codex with your ChatGPT plan, upgrade to Plus")},
			wanted{class: run.ClassBilling, rules: prefix + "billing"},
		},
		"spend cap": {
			[]string{codexStarted, codexFailure("You hit your spend cap set in your workspace. Ask an admin.")},
			wanted{class: run.ClassBilling, rules: prefix + "billing"},
		},
		"retries ended in 401": {
			[]string{codexStarted, codexFailure("exceeded retry limit, last status: 401 Unauthorized")},
			wanted{class: run.ClassAuth, rules: prefix + "auth"},
		},
		"retries ended in 503": {
			[]string{codexStarted, codexFailure("exceeded retry limit, last status: 503 Service Unavailable")},
			wanted{class: run.ClassTransport, rules: prefix + "transport"},
		},
		"no message": {
			[]string{codexStarted, `{"type":"turn.failed"}`},
			wanted{class: run.ClassFailed, rules: prefix + "error"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := wantedOf(judgeText("codex", lines(tc.stream...), atNoon(), End{}))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCodexUsageIsThatOfTheThread(t *testing.T) {
	stream := lines(codexStarted,
		`{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":40,"output_tokens":5}}`,
		`{"type":"turn.completed","usage":{"input_tokens":300,"cached_input_tokens":200,"output_tokens":9}}`)
	v := judgeText("codex", stream, atNoon(), End{})
	if want := (run.Usage{Input: 100, CacheRead: 200, Output: 9, Unpriced: 309}); v.Usage != want || v.Session != "t1" {
		t.Errorf("usage = %+v of %q, want %+v of t1", v.Usage, v.Session, want)
	}
}

func TestCodexSights(t *testing.T) {
	item := func(body string) string { return `{"type":"item.completed","item":{` + body + `}}` }
	again := func(n, why string) string {
		return `{"type":"error","message":"Reconnecting... ` + n + `/5 (` + why + `)"}`
	}
	for name, tc := range map[string]struct {
		stream []string
		want   []run.Sight
	}{
		"started": {[]string{codexStarted, `{"type":"turn.started"}`}, []run.Sight{{Session: "t1"}}},
		"warning": {[]string{item(`"type":"error","message":"x"`)}, nil},
		"items": {[]string{
			item(`"type":"reasoning","text":"**Looking**"`), item(`"type":"command_execution","command":"ls -l"`),
			item(`"type":"file_change","changes":[{"path":"a.txt","kind":{"type":"update"}},{"path":"b.txt"}]`),
			item(`"type":"mcp_tool_call","server":"files","tool":"read"`), item(`"type":"web_search","query":"go"`),
			item(`"type":"todo_list","items":[{"text":"one","completed":true},{"text":"two"}]`),
		}, []run.Sight{
			{Served: "text", Message: "**Looking**"},
			{Served: "tool", Doing: "run ls -l"},
			{Served: "tool", Doing: "edit a.txt b.txt"},
			{Served: "tool", Doing: "files read"},
			{Served: "tool", Doing: "search go"},
			{Served: "tool", Doing: "plan one, two"},
		}},
		"retries": {[]string{
			again("1", "unexpected status 429 Too Many Requests: , url: x"), again("2", "stream disconnected, port 4290"), again("3", "exceeded retry limit, last status: 429"),
		}, []run.Sight{
			{Limit: true, Retry: run.Retry{Attempt: 1, Max: 5, Status: 429}},
			{Retry: run.Retry{Attempt: 2, Max: 5}},
			{Limit: true, Retry: run.Retry{Attempt: 3, Max: 5, Status: 429}, Suspect: "it retries after status 429"},
		}},
		"an answer between retries": {[]string{
			again("1", "last status: 429"), item(`"type":"agent_message","text":"hi"`), again("1", "last status: 429"),
		}, []run.Sight{
			{Limit: true, Retry: run.Retry{Attempt: 1, Max: 5, Status: 429}},
			{Served: "text", Message: "hi"},
			{Limit: true, Retry: run.Retry{Attempt: 1, Max: 5, Status: 429}},
		}},
		"completed": {[]string{`{"type":"turn.completed","usage":{"input_tokens":3,"output_tokens":2}}`}, []run.Sight{
			{Served: "tokens", Usage: run.Usage{Input: 3, Output: 2, Unpriced: 5}, Steps: 1, Terminal: true},
		}},
		"empty turn": {[]string{`{"type":"turn.completed","usage":{}}`}, []run.Sight{{Steps: 1, Idle: 1, Terminal: true}}},
		"failed":     {[]string{codexFailure("x")}, []run.Sight{{Terminal: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, sights(t, "codex", lines(tc.stream...))); diff != "" {
				t.Errorf("sights (-want +got):\n%s", diff)
			}
		})
	}
}

// Of equal names in an error the last one counts.
func TestEqualNamesInAFault(t *testing.T) {
	for body, want := range map[string]int64{
		`{"error":{"type":"usage_limit_reached","resets_at":1791183600,"resets_at":1790866800}}`:                               1790866800,
		`{"error":{"type":"usage_limit_reached","resets_at":1790866800,"resets_at":1791183600}}`:                               1791183600,
		`{"error":{"type":"usage_limit_reached","resets_in_seconds":7200,"resets_in_seconds":60}}`:                             1790856060,
		`{"error":{"type":"usage_limit_reached","resets_in_seconds":60,"resets_at":1790866800}}`:                               1790866800,
		`{"error":{"type":"usage_limit_reached","resets_at":5},"error":{"code":"usage_limit_reached","resets_in_seconds":60}}`: 1790856060,
	} {
		if f := readCodexFault(body, atNoon()); f.reset.Unix() != want || f.tag != "usage_limit_reached" {
			t.Errorf("%s: %+v, want a reset at %d", body, f, want)
		}
	}
	g := readGoogleFault(`{"error":{"code":429,"code":400,"status":"RESOURCE_EXHAUSTED","status":"INVALID_ARGUMENT","details":[{"reason":"QUOTA_EXHAUSTED"}],"details":[{"reason":"A","reason":"B"}]}}`)
	if g.status != 400 || g.words != "INVALID_ARGUMENT B" {
		t.Errorf("%+v, want the last of each", g)
	}
}
