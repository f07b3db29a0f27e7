package agent

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// judgeAnswer judges a recorded answer of a provider, with its headers and body.
func judgeAnswer(data []byte, ref Reference) run.Verdict {
	answer := record.Raw(data)
	r := refusal{status: int(answer.Member("status").Count()), headers: answer.Member("headers"), body: string(answer.Member("body"))}
	v := r.verdict("http.", 1, ref)
	v.Evidence[0].File = ref.File
	return v
}

func TestHeadersOfRefusals(t *testing.T) {
	family := func(kind run.Kind, reset int64) wanted {
		return wanted{run.ClassRateLimited, kind, run.ScopeFamily, "", reset, run.HowStated, "429"}
	}
	unknown := family(run.KindThrottle, 0)
	unknown.how = 0
	for name, tc := range map[string]struct {
		headers string
		want    wanted
	}{
		"none":                  {``, unknown},
		"seconds":               {`"retry-after":"7999"`, family(run.KindThrottle, 1790863999)},
		"a number":              {`"Retry-After":20`, family(run.KindThrottle, 1790856020)},
		"milliseconds":          {`"retry-after-ms":"1500.5"`, family(run.KindThrottle, 1790856002)},
		"a date":                {`"retry-after":"Thu, 01 Oct 2026 12:05:00 GMT"`, family(run.KindThrottle, 1790856300)},
		"a date that is past":   {`"retry-after":"Thu, 01 Oct 2026 11:05:00 GMT"`, unknown},
		"an old date":           {`"retry-after":"Thursday, 01-Oct-26 12:05:00 GMT"`, family(run.KindThrottle, 1790856300)},
		"not a time":            {`"retry-after":"soon"`, unknown},
		"a year":                {`"retry-after":"31536000"`, unknown},
		"negative":              {`"retry-after":"-5"`, unknown},
		"anthropic, spent":      {`"anthropic-ratelimit-tokens-remaining":"0","anthropic-ratelimit-tokens-reset":"2026-10-01T12:00:59Z"`, family(run.KindThrottle, 1790856059)},
		"anthropic, not spent":  {`"anthropic-ratelimit-tokens-remaining":"5","anthropic-ratelimit-tokens-reset":"2026-10-01T12:00:59Z"`, unknown},
		"openai, spent":         {`"x-ratelimit-remaining-requests":"0","x-ratelimit-reset-requests":"6m0s","x-ratelimit-remaining-tokens":"9","x-ratelimit-reset-tokens":"9h"`, family(run.KindThrottle, 1790856360)},
		"openai, milliseconds":  {`"x-ratelimit-remaining-tokens":"0","x-ratelimit-reset-tokens":"12ms"`, family(run.KindThrottle, 1790856001)},
		"azure, unknown":        {`"x-ratelimit-remaining-requests":"-1","x-ratelimit-reset-requests":"0"`, unknown},
		"codex, spent":          {`"x-codex-primary-used-percent":"31","x-codex-primary-reset-at":"1790866800","x-codex-secondary-used-percent":"100.0","x-codex-secondary-reset-after-seconds":"60"`, family(run.KindUsage, 1790856060)},
		"a subscription":        {`"anthropic-ratelimit-unified-status":"rejected","anthropic-ratelimit-unified-reset":"1790863200","retry-after":"10"`, family(run.KindUsage, 1790863200)},
		"of two windows":        {`"anthropic-ratelimit-unified-5h-status":"rejected","anthropic-ratelimit-unified-5h-reset":"1790863200","anthropic-ratelimit-unified-7d-status":"allowed","anthropic-ratelimit-unified-7d-reset":"1791183600"`, family(run.KindUsage, 1790863200)},
		"credits are refused":   {`"anthropic-ratelimit-unified-status":"allowed","anthropic-ratelimit-unified-overage-status":"rejected","anthropic-ratelimit-unified-overage-reset":"1791183600"`, unknown},
		"one model, by a claim": {`"anthropic-ratelimit-unified-status":"rejected","anthropic-ratelimit-unified-reset":"1790863200","anthropic-ratelimit-unified-representative-claim":"seven_day_opus"`, wanted{run.ClassRateLimited, run.KindUsage, run.ScopeModel, "opus", 1790863200, run.HowStated, "429"}},
	} {
		t.Run(name, func(t *testing.T) {
			v := refusal{text: "slow down", status: 429, headers: record.Raw("{" + tc.headers + "}")}.verdict("", 1, atNoon())
			if diff := cmp.Diff(tc.want, wantedOf(v), cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// A denial and an overload state no limit, whatever the headers say.
func TestHeadersOfNoLimit(t *testing.T) {
	headers := record.Raw(`{"retry-after":"60"}`)
	for text, class := range map[string]run.Class{
		"limiting requests; this is not your usage limit": run.ClassOverloaded,
		"invalid api key": run.ClassAuth,
	} {
		v := refusal{text: text, status: map[run.Class]int{run.ClassOverloaded: 429, run.ClassAuth: 401}[class], headers: headers}.verdict("", 1, atNoon())
		if v.Class != class || !v.Reset.IsZero() || v.How != 0 {
			t.Errorf("%s: verdict = %+v, want %v without a reset", text, v, class)
		}
	}
}
