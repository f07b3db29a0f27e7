package agent

import (
	"strconv"
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// geminiRetry is what gemini says on its stderr before it tries again
// (packages/core/src/utils/retry.ts): the error, and how long it waits, in milliseconds.
var geminiRetry = record.Lazy(`(?s)^(.*)\. Retrying after (\d{1,12})ms\.\.\.$`)

// waiting gives the verdict of a gemini that was ended because it was silent, while it
// waited for a limit by itself: it sleeps until the quota of a plan is full again, for
// hours, and says so nowhere else. A wait that is shorter than the silence is not what it
// was silent for.
func (g *gemini) waiting(end End) (run.Verdict, bool) {
	if end.Cause != CauseStall {
		return run.Verdict{}, false
	}
	tail := strings.TrimSpace(string(end.Stderr[max(0, len(end.Stderr)-record.MaxErrorText):]))
	_, last, _ := strings.Cut(tail[max(0, strings.LastIndex(tail, "Attempt ")):], " failed: ")
	said := geminiRetry().FindStringSubmatch(last)
	since, err := time.Parse(time.RFC3339, record.Raw(g.last).Text())
	if said == nil || err != nil {
		return run.Verdict{}, false
	}
	ms, _ := strconv.ParseInt(said[2], 10, 64) // digits, and few
	if !since.Add(time.Duration(ms) * time.Millisecond).After(g.ref.Now) {
		return run.Verdict{}, false
	}
	text := strings.ToValidUTF8(said[1], "\ufffd")
	found := problem{text: text, model: g.asked()}.classify()
	if found.class != run.ClassRateLimited && found.class != run.ClassOverloaded {
		return run.Verdict{}, false
	}
	v := found.verdict("gemini.stderr.waits.", 0, text)
	if found.class == run.ClassRateLimited {
		v.Reset, v.How = reset.Text(text, g.ref.clock())
	}
	return v, true
}
