package agent

import (
	"strings"
	"testing"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
)

// wanted is the part of a verdict that most cases are about.
type wanted struct {
	class run.Class
	kind  run.Kind
	scope run.Scope
	model string
	reset int64
	how   run.How
	rules string
}

func wantedOf(v run.Verdict) wanted {
	w := wanted{class: v.Class, kind: v.Kind, scope: v.Scope, model: v.Model, how: v.How, rules: rulesOf(v)}
	if !v.Reset.IsZero() {
		w.reset = v.Reset.Unix()
	}
	return w
}

func TestClaudeVerdicts(t *testing.T) {
	const sonnet = "claude-sonnet-5[1m]"
	success := wanted{class: run.ClassSuccess, model: sonnet, rules: "claude.result.success"}
	for name, tc := range map[string]struct {
		stream []string
		end    End
		want   wanted
	}{
		"words in a tool result": {
			stream: []string{
				claudeInit,
				`{"type":"user","message":{"content":[{"type":"tool_result","content":"API Error: 429 rate_limit_error, usage limit reached|1790866800"}]},"tool_use_result":{"stderr":"Not logged in"}}`,
				claudeDone,
			},
			want: success,
		},
		"words in prose, then max turns": {
			stream: []string{
				claudeInit, claudeWords,
				`{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached maximum number of turns (1)"]}`,
			},
			want: wanted{class: run.ClassFailed, model: sonnet, rules: "claude.result.max_turns"},
		},
		"failure without the flag": {
			stream: []string{claudeInit, `{"type":"result","subtype":"error_max_turns","is_error":false}`},
			want:   wanted{class: run.ClassFailed, model: sonnet, rules: "claude.result.max_turns"},
		},
		"words in prose, then a vague error": {
			stream: []string{claudeInit, claudeWords, `{"type":"result","subtype":"error_during_execution","is_error":true}`},
			want:   wanted{class: run.ClassFailed, model: sonnet, rules: "claude.result.error"},
		},
		"words in prose, then a crash": {
			stream: []string{claudeInit, claudeWords},
			end:    End{Exit: run.Exit{Code: 1}, Stderr: []byte("usage limit reached")},
			want:   wanted{class: run.ClassIncomplete, model: sonnet, rules: "claude.eof"},
		},
		"a gauge is no limit": {
			stream: []string{claudeInit, claudeFailure("null", "You've used 98% of your session limit · resets 3pm")},
			want:   wanted{class: run.ClassFailed, model: sonnet, rules: "claude.result.error"},
		},
		"digits are no status": {
			stream: []string{claudeInit, claudeFailure("null", "process 429 ended, see file 529")},
			want:   wanted{class: run.ClassFailed, model: sonnet, rules: "claude.result.error"},
		},
		"event and vague error": {
			stream: []string{claudeInit, claudeRejected, claudeFailure("null", "Something went wrong")},
			want:   wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, sonnet, 1790866800, run.HowStated, "claude.result.rejected claude.event.rejected"},
		},
		"event and overload": {
			stream: []string{claudeInit, claudeRejected, claudeFailure("529", "Overloaded")},
			want:   wanted{class: run.ClassOverloaded, model: sonnet, rules: "claude.result.overloaded"},
		},
		"event and bare 429": {
			stream: []string{claudeInit, claudeRejected, claudeFailure("429", "API Error: Rate limit reached")},
			want:   wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, sonnet, 1790866800, run.HowStated, "claude.result.429 claude.event.rejected"},
		},
		"event outweighs text": {
			stream: []string{claudeInit, claudeRejected, claudeFailure("429", "You've hit your weekly limit · resets Oct 5 at 7am (UTC)")},
			want:   wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, sonnet, 1790866800, run.HowStated, "claude.result.usage_limit claude.event.rejected"},
		},
		"rejected before a success": {
			stream: []string{claudeInit, claudeRejected, claudeDone, claudeInit, claudeFailure("429", "API Error: Rate limit reached")},
			want:   wanted{class: run.ClassRateLimited, kind: run.KindThrottle, scope: run.ScopeFamily, model: sonnet, rules: "claude.result.429"},
		},
		"milliseconds": {
			stream: []string{claudeInit, strings.Replace(claudeRejected, "1790866800", "1790866800000.5", 1), claudeFailure("429", "")},
			want:   wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, sonnet, 1790866801, run.HowStated, "claude.result.429 claude.event.rejected"},
		},
		"past reset": {
			stream: []string{claudeInit, strings.Replace(claudeRejected, "1790866800", "1790855999", 1), claudeFailure("429", "You've hit your session limit")},
			want:   wanted{class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeFamily, model: sonnet, rules: "claude.result.usage_limit claude.event.rejected"},
		},
		"year 9999, then text": {
			stream: []string{claudeInit, strings.Replace(claudeRejected, "1790866800", "253402300799", 1), claudeFailure("429", "You've hit your session limit · resets 2pm (UTC)")},
			want:   wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, sonnet, 1790863200, run.HowText, "claude.result.usage_limit claude.event.rejected"},
		},
		"other model's limit": {
			stream: []string{claudeInit, strings.Replace(claudeRejected, "five_hour", "seven_day_opus", 1), claudeFailure("429", "You've hit your Opus limit")},
			want:   wanted{run.ClassRateLimited, run.KindUsage, run.ScopeModel, "opus", 1790866800, run.HowStated, "claude.result.usage_limit claude.event.rejected"},
		},
		"text names a model": {
			stream: []string{claudeInit, claudeFailure("429", "You've hit your Sonnet limit · resets 3pm (UTC)")},
			want:   wanted{run.ClassRateLimited, run.KindUsage, run.ScopeModel, sonnet, 1790866800, run.HowText, "claude.result.usage_limit"},
		},
		"credits of one model": {
			stream: []string{claudeInit, claudeFailure("429", "You've reached your Fable 5 limit. Run /usage-credits to go on")},
			want:   wanted{class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeModel, model: "fable", rules: "claude.result.usage_limit"},
		},
		"credits of a model without a known name": {
			stream: []string{claudeInit, claudeFailure("429", "You've reached your Mythos limit. Run /usage-credits to go on")},
			want:   wanted{class: run.ClassRateLimited, kind: run.KindUsage, scope: run.ScopeModel, model: sonnet, rules: "claude.result.usage_limit"},
		},
		"model's and family's window end together": {
			stream: []string{claudeInit, strings.Replace(claudeRejected, "five_hour", "seven_day_sonnet", 1), claudeRejected, claudeFailure("429", "")},
			want:   wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, sonnet, 1790866800, run.HowStated, "claude.result.429 claude.event.rejected"},
		},
		"denied without a status": {
			stream: []string{claudeInit, claudeFailure("null", "Too many requests. This is not your usage limit.")},
			want:   wanted{class: run.ClassOverloaded, model: sonnet, rules: "claude.result.not_usage_limit"},
		},
		"weekly limit of one model": {
			stream: []string{claudeInit, claudeFailure("429", "Sonnet weekly limit reached ∙ resets Oct 5, 7am")},
			want:   wanted{run.ClassRateLimited, run.KindUsage, run.ScopeModel, sonnet, 1791183600, run.HowText, "claude.result.usage_limit"},
		},
		"spend limit": {
			stream: []string{claudeInit, claudeFailure("429", "You've hit your org's monthly spend limit")},
			want:   wanted{class: run.ClassBilling, model: sonnet, rules: "claude.result.billing"},
		},
		"tag alone tells": {
			stream: []string{claudeInit, `{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"Sorry"}]},"error":"billing_error"}`, `{"type":"result","subtype":"error_during_execution","is_error":true}`},
			want:   wanted{class: run.ClassBilling, model: sonnet, rules: "claude.result.billing"},
		},
		"a subagent's tag does not": {
			stream: []string{claudeInit, `{"type":"assistant","parent_tool_use_id":"t1","message":{"model":"<synthetic>","content":[]},"error":"billing_error"}`, `{"type":"result","subtype":"error_during_execution","is_error":true}`},
			want:   wanted{class: run.ClassFailed, model: sonnet, rules: "claude.result.error"},
		},
		"success, exit 1": {
			stream: []string{claudeInit, claudeWords, claudeDone},
			end:    End{Exit: run.Exit{Code: 1}},
			want:   success,
		},
		"failure, exit 0": {
			stream: []string{claudeInit, claudeFailure("401", "Not logged in · Please run /login")},
			want:   wanted{class: run.ClassAuth, model: sonnet, rules: "claude.result.auth"},
		},
		"cut in the second cycle": {
			stream: []string{claudeInit, claudeDone, claudeInit, claudeWords},
			end:    End{Exit: run.Exit{Code: 143}},
			want:   wanted{class: run.ClassIncomplete, model: sonnet, rules: "claude.eof"},
		},
		"a bare result says nothing": {
			stream: []string{claudeInit, `{"type":"result"}`},
			want:   wanted{class: run.ClassIncomplete, model: sonnet, rules: "claude.eof"},
		},
		"session is gone": {
			stream: []string{`{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":0,"errors":["No conversation found with session ID: s1"]}`},
			end:    End{Exit: run.Exit{Code: 1}},
			want:   wanted{class: run.ClassFailed, rules: "claude.result.session_gone"},
		},
		"own time of the terminal line": {
			stream: []string{claudeInit, strings.Replace(claudeFailure("429", "You've hit your limit · resets 3pm (UTC)"), `{`, `{"timestamp":"2026-10-02T11:00:00Z",`, 1)},
			want:   wanted{run.ClassRateLimited, run.KindUsage, run.ScopeFamily, sonnet, 1790953200, run.HowText, "claude.result.usage_limit"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := wantedOf(judgeText("claude", lines(tc.stream...), atNoon(), tc.end))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}
