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
	family claudeWindow // the latest of those that bind every model
	passed time.Time    // the latest reset that was stated and has passed; zero if none was
}

// claudeWindow is a rejected window. The latest reset of all counts, and with it
// that window's scope.
type claudeWindow struct {
	reset time.Time
	line  int // zero if there is no window
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
		l.reject(claudeWindow{reset: claudeReset(name, resets, now), line: line, name: name, text: record.Whole(string(info), record.MaxErrorText)}, now)
		l.passed = reset.Later(l.passed, reset.Past(resets, now))
	case !onCredits && ref.fullGauge(gauges) != "":
		s.Suspect = ref.fullGauge(gauges)
	case status == "allowed" || status == "allowed_warning":
		s.Served = servedAllowed
	}
}

func (l *claudeLimits) reject(w claudeWindow, now time.Time) {
	w.reset = reset.Believable(w.reset, now)
	_, bound := claudeModelWord(w.name)
	if !bound && (l.family.line == 0 || w.reset.After(l.family.reset)) {
		l.family = w
	}
	later := w.reset.After(l.latest.reset)
	_, held := claudeModelWord(l.latest.name)
	wider := w.reset.Equal(l.latest.reset) && held && !bound
	if later || wider || !l.any {
		l.latest = w
	}
	l.any = true
}

// dating is the clock to read the words of a limit by. They tell the same reset as an
// event did. If all such have passed they were written before, and the clock is a late one.
func (l *claudeLimits) dating(now time.Time) time.Time {
	if before := l.passed.Add(-eventSlack); !l.passed.IsZero() && l.latest.reset.IsZero() && before.Before(now) {
		return before
	}
	return now
}

// eventSlack is how far words, which tell no seconds, can be from the event.
const eventSlack = 10 * time.Minute

// binding is the window that a text speaks of: of the session, it is none that binds a
// model. It is false if no such window was rejected.
func (l *claudeLimits) binding(text string) (claudeWindow, bool) {
	if _, bound := claudeModelWord(l.latest.name); bound && sessionLimit().MatchString(normalise(text)) {
		return l.family, l.family.line > 0
	}
	return l.latest, l.any
}

var sessionLimit = record.Lazy(`\b(?:session|5-hour|five-hour) limit\b`)

// claudeReset is when a rejected window ends, as a field states it; zero if it cannot end
// then. One of five hours ends in no more than [reset.MaxSession].
func claudeReset(name string, resets record.Raw, now time.Time) time.Time {
	t := reset.Instant(resets, now)
	if name == "five_hour" && t.After(now.Add(reset.MaxSession)) {
		return time.Time{}
	}
	return t
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

// apply writes the rejected windows into the verdict of a limit with that text.
func (l *claudeLimits) apply(v *run.Verdict, text string, now time.Time, running string) {
	w, ok := l.binding(text)
	if !ok {
		return
	}
	v.Kind = run.KindUsage
	v.Evidence = append(v.Evidence, run.Evidence{Line: w.line, Rule: "claude.event.rejected", Excerpt: run.Untrusted(w.text)})
	if reset := reset.Believable(w.reset, now); !reset.IsZero() && (v.How < run.HowStated || reset.After(v.Reset)) {
		v.Reset, v.How = reset, run.HowStated
	}
	if w.name == "" {
		return
	}
	v.Scope, v.Model = run.ScopeFamily, ""
	if word, bound := claudeModelWord(w.name); bound {
		v.Scope, v.Model = run.ScopeModel, modelNamed(word, running)
	}
}
