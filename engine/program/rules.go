package program

import (
	"fmt"
	"regexp"
	"strings"

	"example.com/layover/engine/run"
)

// longestPattern bounds what a rule matches, in bytes. Patterns are matched in time that
// grows with the line alone.
const longestPattern = 1000

// ruleClasses are what a rule can call a failure: success, and what Layover itself brings
// about, are not for a line to say.
var ruleClasses = []string{
	run.ClassRateLimited.String(), run.ClassOverloaded.String(), run.ClassTransport.String(), run.ClassContextOverflow.String(),
	run.ClassAuth.String(), run.ClassBilling.String(), run.ClassFailed.String(),
}

// rules reads the [[agents.NAME.rule]] tables.
func (t table) rules() []run.Rule {
	list, _ := t.tables("rule", "[[agents.NAME.rule]]")
	var rules []run.Rule
	for _, s := range list {
		rules = append(rules, s.rule())
	}
	return rules
}

// rule reads one rule.
func (t table) rule() run.Rule {
	defer t.close()
	var r run.Rule
	r.Match, r.Regexp = t.pattern()
	if _, given := t.raw("class"); !given {
		t.r.fault(t.path, "rule has no class", "it is one of "+either(ruleClasses))
	} else if s, ok := t.choice("class", ruleClasses...); ok {
		_ = r.Class.UnmarshalText([]byte(s)) // it is one of them
	}
	if s, ok := t.choice("kind", run.KindUsage.String(), run.KindThrottle.String()); ok {
		_ = r.Kind.UnmarshalText([]byte(s)) // it is one of the two
	}
	t.flag("reset", &r.Reset)
	for _, key := range []string{"kind", "reset"} {
		if _, given := t.raw(key); given && r.Class != 0 && r.Class != run.ClassRateLimited {
			t.fault(key, fmt.Sprintf("%s is for class %s only", key, run.ClassRateLimited), "")
		}
	}
	return r
}

// pattern reads what a rule matches: a text or a pattern.
func (t table) pattern() (text, pattern string) {
	_, isText := t.raw("match")
	_, isPattern := t.raw("regexp")
	text, textOK := t.text("match")
	pattern, patternOK := t.text("regexp")
	switch {
	case isText && isPattern:
		t.fault("regexp", "rule has both match and regexp", "remove one of them")
	case !isText && !isPattern:
		t.r.fault(t.path, "rule has neither match nor regexp", `add match = "a part of the line"`)
	case textOK:
		if strings.TrimSpace(text) == "" {
			t.fault("match", "match is empty", "")
		} else if len(text) > longestPattern {
			t.fault("match", fmt.Sprintf("match is longer than %d bytes", longestPattern), "")
		}
	case patternOK:
		t.checkPattern(pattern)
	}
	return text, pattern
}

// checkPattern complains about a pattern that a rule cannot have.
func (t table) checkPattern(s string) {
	p, err := regexp.Compile(s)
	switch {
	case len(s) > longestPattern:
		t.fault("regexp", fmt.Sprintf("regexp is longer than %d bytes", longestPattern), "")
	case err != nil:
		why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		t.fault("regexp", "regexp cannot be read: "+why, `write it in single quotes, where \ stands for itself`)
	case p.MatchString(""):
		t.fault("regexp", "regexp matches any line", "")
	}
}
