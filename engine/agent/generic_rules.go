package agent

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// judgeByRules applies the operator's rules: the first that matches some line decides,
// by the last line that it matches.
func judgeByRules(ref Reference, said []spoken) (run.Verdict, bool) {
	for i, r := range ref.Rules {
		match := matching(r)
		for _, l := range slices.Backward(said) {
			if match(l.text) {
				return byRule(r, i, l, ref), true
			}
		}
	}
	return run.Verdict{}, false
}

// matching is the test of a rule. A pattern that cannot be read matches nothing: the
// program file was refused for it.
func matching(r run.Rule) func(string) bool {
	if r.Regexp == "" {
		words := strings.ToLower(r.Match)
		return func(line string) bool { return words != "" && strings.Contains(strings.ToLower(line), words) }
	}
	pattern, err := regexp.Compile(r.Regexp)
	if err != nil {
		return func(string) bool { return false }
	}
	return pattern.MatchString
}

// byRule is the verdict of the rule of that number about a line. Errors are not numbered
// with the lines of the output.
func byRule(r run.Rule, number int, l spoken, ref Reference) run.Verdict {
	name := "generic.rule." + strconv.Itoa(number+1)
	if l.line == 0 {
		name = "generic.stderr.rule." + strconv.Itoa(number+1)
	}
	v := plain(r.Class, name, l.line, l.text)
	if r.Class != run.ClassRateLimited {
		return v
	}
	v.Scope = run.ScopeFamily
	if v.Kind = r.Kind; v.Kind == 0 {
		v.Kind = run.KindThrottle
	}
	if r.Reset {
		v.Reset, v.How = reset.Text(l.text, ref.clock())
	}
	return v
}
