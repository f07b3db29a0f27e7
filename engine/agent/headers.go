package agent

import (
	"strings"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
)

// limitTold is what the headers of a refusal tell about the limit, beside when it ends.
type limitTold struct {
	usage bool   // it is an allowance that is spent
	bound bool   // it binds one model
	word  string // which, as far as it is told
}

// readHeaders finds which windows refuse a call, by headers in any case.
func readHeaders(object record.Raw) limitTold {
	var t limitTold
	record.Members(object, func(name string, v record.Raw) {
		name = strings.ToLower(name)
		window, isStatus := strings.CutSuffix(name, "-status")
		switch {
		case name == "anthropic-ratelimit-unified-representative-claim":
			t.word, t.bound = claudeModelWord(v.Text())
		case isStatus && strings.HasPrefix(window, "anthropic-ratelimit-unified") && !strings.HasSuffix(window, "-overage"),
			strings.HasPrefix(name, "x-codex-") && strings.HasSuffix(name, "-used-percent"):
			t.usage = t.usage || v.Set() && (v.Text() == "rejected" || !isStatus && reset.Full(v))
		}
	})
	return t
}
