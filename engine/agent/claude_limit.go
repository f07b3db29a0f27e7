package agent

import (
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// claudeLimits are the rejected windows of a stream. A rejection takes effect only
// with a terminal error: real runs go on after one.
type claudeLimits struct {
	any    bool // a window was rejected since the last success
	latest claudeWindow
}

// claudeWindow is a rejected window. The latest reset of all counts, and with it
// that window's scope.
type claudeWindow struct {
	reset time.Time
	line  int
	name  string
	text  string
}

// read takes the limits that a rate_limit_event tells.
func (l *claudeLimits) read(info record.Raw, line int, now time.Time, ref Reference, s *run.Sight) {
	var status, overage, name string
	var onCredits bool
	var resets, used, windows record.Raw
	record.Members(info, func(n string, v record.Raw) {
		switch n {
		case "utilization":
			used = v
		case "unifiedWindows":
			windows = v
		case "status":
			status = v.Text()
		case "overageStatus":
			overage = v.Text()
		case "isUsingOverage":
			onCredits = v.Flag()
		case "rateLimitType":
			name = record.Whole(v.Text(), record.MaxName)
		case "resetsAt":
			resets = v
		}
	})
	gauges := claudeGauges(windows, now)
	if g, ok := claudeGauge(name, used, resets, now); ok && gauges == [2]run.Gauge{} {
		gauges[0] = g
	}
	s.Gauges = gauges
	switch {
	case status == "rejected" && !(onCredits && strings.HasPrefix(overage, "allowed")), onCredits && overage == "rejected":
		s.Limit, s.Suspect = true, "a call was rejected"
		if plain := ref.limitName(name); plain != "" {
			s.Suspect += " by the " + plain + " limit"
		}
		l.reject(claudeWindow{reset: reset.Instant(resets, now), line: line, name: name, text: record.Whole(string(info), record.MaxErrorText)}, now)
	case !onCredits && ref.fullGauge(gauges) != "":
		s.Suspect = ref.fullGauge(gauges)
	case status == "allowed" || status == "allowed_warning":
		s.Served = servedAllowed
	}
}

func (l *claudeLimits) reject(w claudeWindow, now time.Time) {
	w.reset = reset.Believable(w.reset, now)
	later := w.reset.After(l.latest.reset)
	_, held := claudeModelWord(l.latest.name)
	_, bound := claudeModelWord(w.name)
	wider := w.reset.Equal(l.latest.reset) && held && !bound
	if later || wider || !l.any {
		l.latest = w
	}
	l.any = true
}

// claudeModelWord is the model in a window's name, and whether the window binds
// one model; without a word that is the running one.
func claudeModelWord(window string) (string, bool) {
	word, ok := strings.CutPrefix(window, "seven_day_")
	switch {
	case ok && word == "overage_included":
		return "", true
	case ok && modelWord(word, ""):
		return word, true
	}
	return "", false
}

// apply writes the rejected windows into the verdict of a limit.
func (l *claudeLimits) apply(v *run.Verdict, now time.Time, running string) {
	if !l.any {
		return
	}
	v.Kind = run.KindUsage
	v.Evidence = append(v.Evidence, run.Evidence{Line: l.latest.line, Rule: "claude.event.rejected", Excerpt: run.Untrusted(l.latest.text)})
	if reset := reset.Believable(l.latest.reset, now); !reset.IsZero() && (v.How < run.HowStated || reset.After(v.Reset)) {
		v.Reset, v.How = reset, run.HowStated
	}
	if l.latest.name == "" {
		return
	}
	v.Scope, v.Model = run.ScopeFamily, ""
	if word, bound := claudeModelWord(l.latest.name); bound {
		v.Scope, v.Model = run.ScopeModel, modelNamed(word, running)
	}
}
