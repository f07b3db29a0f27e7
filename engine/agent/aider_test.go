package agent

import (
	"testing"
	"time"

	"example.com/layover/engine/run"
	"github.com/google/go-cmp/cmp"
)

const (
	aiderModelLine = "Model: claude-sonnet-5 with diff edit format"
	aiderLimited   = `litellm.RateLimitError: AnthropicException - {"type":"error","error":{"type":"rate_limit_error","message":"x"}}`
	aiderCause     = "The API provider has rate limited you. Try again later or check your quotas."
	aiderTokens    = "Tokens: 1.2k sent, 45 received. Cost: $0.01 message, $0.01 session."
)

func TestAiderVerdicts(t *testing.T) {
	const prefix = "aider.error."
	const model = "claude-sonnet-5"
	for name, tc := range map[string]struct {
		stream []string
		end    End
		want   wanted
	}{
		"an answer":         {[]string{"Done.", aiderTokens}, End{}, wanted{class: run.ClassSuccess, model: model, rules: "aider.exit.0"}},
		"killed":            {[]string{"Done.", aiderTokens}, End{Exit: run.Exit{Code: 143}}, wanted{class: run.ClassIncomplete, model: model, rules: "aider.eof"}},
		"ended by us":       {[]string{aiderLimited}, End{Cause: CauseDeadline}, wanted{class: run.ClassDeadline, model: model, rules: "end.deadline"}},
		"a retry helped":    {[]string{aiderLimited, aiderCause, "Retrying in 0.2 seconds...", "Done.", aiderTokens}, End{}, wanted{class: run.ClassSuccess, model: model, rules: "aider.exit.0"}},
		"limited":           {[]string{"Retrying in 32.0 seconds...", aiderLimited, aiderCause}, End{}, wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, model, 0, 0, prefix + "429"}},
		"prose names it":    {[]string{aiderLimited, "is what it printed.", aiderTokens}, End{}, wanted{class: run.ClassSuccess, model: model, rules: "aider.exit.0"}},
		"words behind it":   {[]string{aiderLimited, aiderCause, "https://aider.chat/docs/x.html"}, End{}, wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, model, 0, 0, prefix + "429"}},
		"of a commit alone": {[]string{"Done.", aiderTokens, aiderLimited, aiderCause, "Commit 1a2b3c4 (no commit message provided)"}, End{}, wanted{class: run.ClassSuccess, model: model, rules: "aider.exit.0"}},
		"too long":          {[]string{"Model claude-sonnet-5 has hit a token limit!", "Token counts below are approximate."}, End{}, wanted{class: run.ClassContextOverflow, model: model, rules: prefix + "too_long"}},
		"a body of lines":   {[]string{"litellm.APIError: APIError: OpenAIException - {", `"error": {"type": "overloaded_error"`, "}"}, End{}, wanted{class: run.ClassOverloaded, model: model, rules: prefix + "overloaded"}},
		"not authenticated": {[]string{"litellm.AuthenticationError: x", "The API provider is not able to authenticate you. Check your API key."}, End{}, wanted{class: run.ClassAuth, model: model, rules: prefix + "auth"}},
		"overloaded":        {[]string{"litellm.InternalServerError: x", "The API provider's servers are down or overloaded."}, End{}, wanted{class: run.ClassOverloaded, model: model, rules: prefix + "overloaded"}},
		"a reset": {
			[]string{"litellm.RateLimitError: GeminiException - Please retry in 34.07s."},
			End{},
			wanted{run.ClassRateLimited, run.KindThrottle, run.ScopeFamily, model, 1790856035, run.HowText, prefix + "429"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := wantedOf(judgeText("aider", lines(append([]string{"Aider v0.86.2", aiderModelLine}, tc.stream...)...), atNoon(), tc.end))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
	refused := End{Exit: run.Exit{Code: 2}, Stderr: []byte("aider: error: unrecognized arguments: --x")}
	if v := judgeText("aider", "", atNoon(), refused); v.Class != run.ClassFailed || rulesOf(v) != "aider.stderr.exit.2" {
		t.Errorf("verdict = %+v, want that of wrong arguments", v)
	}
}

func TestAiderSights(t *testing.T) {
	want := []run.Sight{
		{Model: "claude-sonnet-5"},
		{Retry: run.Retry{Attempt: 1, Status: 429, Delay: 200 * time.Millisecond}},
		{Retry: run.Retry{Attempt: 2, Status: 429, Delay: 400 * time.Millisecond}, Suspect: "it retries after status 429", Message: "Model: x with an eye on the rest"},
		{Served: "tokens", Steps: 1},
		{Retry: run.Retry{Attempt: 1, Delay: time.Second}},
	}
	got := sights(t, "aider", lines(aiderModelLine, aiderLimited, "Retrying in 0.2 seconds...", aiderLimited, aiderCause, "Retrying in 0.4 seconds...",
		"Model: x with an eye on the rest", aiderTokens, "litellm.APIConnectionError: x", "Retrying in 1.0 seconds..."))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sights (-want +got):\n%s", diff)
	}
}
