package agent

import (
	"slices"
	"strings"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// rule gives a problem that it matches a class.
type rule struct {
	name  string
	class run.Class
	kind  run.Kind
	match func(m matcher) bool
}

// matcher is a problem made ready for the rules.
type matcher struct {
	low    string // the text in lower case; for limits and overloads, its own words
	status int    // stated, or named as one in the text
	tag    string
	denied bool // the text says that it is no usage limit
	resets bool // it states when the call may be made again
}

func (m matcher) has(parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(m.low, p) })
}

func (m matcher) tagged(tags ...string) bool { return slices.Contains(tags, m.tag) }

const (
	ruleLongContext = "long_context"
	ruleNoQuota     = "no_quota"
	ruleOverloaded  = "overloaded"
	ruleSessionGone = "session_gone"
	// ruleCut is the name of a finding about a record that is too long to be kept whole,
	// and lacks what would tell.
	ruleCut = "cut"
	// ruleNone is the name of a finding that no rule made.
	ruleNone = "error"
)

var (
	// What Google and those that pass on its answers say of a quota.
	noQuota    = record.Lazy(`\bquota\b[^|]*\blimit: ?0(?:[^\d.]|$)`)
	quotaUsed  = record.Lazy(`\bexhausted your (?:daily quota|capacity) on this model\b|\bquota_exhausted\b|perday\w*permodel|\b(?:oauth|hour|hourly|day|daily|week|weekly|month|monthly) (?:allocated )?quota exceeded\b`)
	quotaRetry = record.Lazy(`(?:\bexceeded your current quota\b|\bquota exceeded for )(?s:.*)\bretry (?:in|after) [\d.]`)

	usageLimit = record.Lazy(`\blimit (?:(?:has|have) been |was |is )?reached\b|\busage limit (?:(?:has|have) been |was |is )?exceeded\b|\b(?:hit|reached) your (?:[^\n.|·]{0,60} )?limit\b|\bexceeded your (?:[^\n.|·]{0,40} )?usage limit\b|\bout of (?:[a-z]+ ){0,2}usage\b|\busage_limit_(?:reached|exceeded)\b|\bquota limit exceeded\b|\bblocking_limit\b|\bhit the rate limit for your plan\b|\bfree-usage-exhausted\b|\bfree usage exceeded\b`)
	// otherLimit is one of what an agent or a machine can do at once, which no time lifts.
	otherLimit = record.Lazy(`\b(?:context|length|size|turns?|tool[ -]calls?|files?|memory|depth|steps?|iterations?|recursion|retry|retries|attempts?|lines?|characters?) limit\b`)
	throttled  = record.Lazy(`\brate limit (?:(?:has|have) been |was |is )?(?:reached|exceeded)\b|\bexceed your account'?s? rate limit\b|\brate_limit_(?:error|exceeded)\b|\btoo many requests\b|\brate limited\b`)
	usageNamed = record.Lazy(`\busage limit\b|\bhour (?:rate )?limit reached\b|\busage_limit_(?:reached|exceeded)\b|\bfree-usage-exhausted\b`)
	// What fetch of Node says of an answer that was cut.
	fetchCut   = record.Lazy(`(?m)(?:^|error: )terminated\]?$`)
	resetNamed = record.Lazy(`\bresets? (?:at |on |in )?\w|\btry again (?:at|in) \w`)
)

// rules are tried in this order; the first that matches decides.
var rules = []rule{
	{ruleLongContext, run.ClassBilling, 0, func(m matcher) bool {
		return m.has("extra usage is required for long context")
	}},
	{"too_long", run.ClassContextOverflow, 0, func(m matcher) bool {
		return m.status == 413 || m.tagged("prompt_too_long") ||
			m.has("prompt is too long", "prompt as too long", "has hit a token limit", "input is too long", "conversation is too long", "model's context window", "context window limit",
				"exceeds the context window", "ran out of room", "context_length_exceeded", "maximum context length", "request_too_large",
				"exceeds the maximum number of tokens allowed")
	}},
	{"not_usage_limit", run.ClassOverloaded, 0, func(m matcher) bool {
		return m.denied && (m.status == 429 || m.status == 529 || m.tagged("rate_limit", "overloaded") || m.has("limiting requests", "rate limit") || throttled().MatchString(m.low))
	}},
	{"no_capacity", run.ClassOverloaded, 0, func(m matcher) bool {
		return m.has("no capacity available for model", "model_capacity_exhausted", "model_capacity_exceeded")
	}},
	{ruleNoQuota, run.ClassBilling, 0, func(m matcher) bool { return noQuota().MatchString(m.low) }},
	{"quota", run.ClassRateLimited, run.KindUsage, func(m matcher) bool {
		return !m.denied && quotaUsed().MatchString(m.low)
	}},
	{"quota_retry", run.ClassRateLimited, run.KindThrottle, func(m matcher) bool {
		return !m.denied && quotaRetry().MatchString(m.low)
	}},
	{"no_billing", run.ClassBilling, 0, func(m matcher) bool {
		return m.has("billing to be enabled", "billing_disabled")
	}},
	{"auth", run.ClassAuth, 0, func(m matcher) bool {
		return m.status == 401 || m.status == 403 || m.tagged("authentication_failed", "oauth_org_not_allowed") ||
			m.has("not logged in", "please run /login", "invalid api key", "incorrect api key", "invalid x-api-key", "oauth token has expired",
				"oauth token revoked", "oauth token has been revoked", "failed to authenticate", "authentication_error", "codex login",
				"authentication failed", "authentication required", "api key not valid", "api_key_invalid", "please set an auth method",
				"invalid auth method", "no api key found", "not able to authenticate you")
	}},
	{"spend", run.ClassRateLimited, run.KindUsage, func(m matcher) bool {
		return !m.denied && m.has("spend limit", "spend cap", "out of usage credits") && resetNamed().MatchString(m.low)
	}},
	{"billing", run.ClassBilling, 0, func(m matcher) bool {
		return m.status == 402 || m.tagged("billing_error", "account_on_hold") ||
			m.has("credit balance is too low", "insufficient_quota", "plan and billing", "out of credits", "out of usage credits", "spend cap",
				"spend limit", "seat type doesn't include usage", "usage allocation has been disabled", "usage limit is set to $0",
				"to use codex with your chatgpt plan", "usage_not_included", "account is on hold", "billing_error",
				"insufficient_g1_credits_balance", "oauth free tier has been discontinued", "free plans can only use auto")
	}},
	{"usage_limit", run.ClassRateLimited, run.KindUsage, func(m matcher) bool {
		if m.denied || throttled().MatchString(m.low) && !usageNamed().MatchString(m.low) {
			return false
		}
		return m.tagged("blocking_limit") || usageLimit().MatchString(otherLimit().ReplaceAllString(m.low, ""))
	}},
	{ruleOverloaded, run.ClassOverloaded, 0, func(m matcher) bool {
		return m.status == 529 || m.status == 503 && m.has("retry-after", "retry_after") || m.tagged("overloaded") || m.status != 429 && m.has("resource_exhausted") ||
			m.has("overloaded", "is at capacity", "experiencing high demand", "slow_down")
	}},
	{"429", run.ClassRateLimited, run.KindThrottle, func(m matcher) bool {
		return m.status == 429 || m.tagged("rate_limit") || throttled().MatchString(m.low) || m.has("allocated quota exceeded", "resource has been exhausted")
	}},
	{"transport", run.ClassTransport, 0, func(m matcher) bool {
		return m.status >= 500 || m.status == 408 || m.tagged("server_error") ||
			m.has("stream disconnected", "connection closed", "connection error", "connection refused", "connection reset", "timed out",
				"unable to connect", "empty or malformed response", "econnreset", "econnrefused", "enotfound", "etimedout", "socket hang up",
				"fetch failed", "network error", "error sending request", "stream ended without", "upstream request failed", "internal server error", "internal_server_error", "bad gateway", "service unavailable",
				"transient api issue", "other side closed", "premature close", "connection was closed unexpectedly", "cannot connect to api", "couldn't connect to the", "are you offline") ||
			fetchCut().MatchString(m.low)
	}},
	{"resets", run.ClassRateLimited, run.KindUsage, func(m matcher) bool { return m.resets && !m.denied }},
	{ruleSessionGone, run.ClassFailed, 0, func(m matcher) bool {
		return m.has("no conversation found", "no rollout found", "session not found", "no session, task, or name matched",
			"no saved session found", "invalid session identifier", "no previous sessions found")
	}},
}

// SessionGone reports whether v is about an attempt that could not resume its
// session because the agent no longer has it. Started anew, with its task, it may
// succeed.
func SessionGone(v run.Verdict) bool {
	return v.Class == run.ClassFailed && len(v.Evidence) > 0 && strings.HasSuffix(v.Evidence[0].Rule, "."+ruleSessionGone)
}
