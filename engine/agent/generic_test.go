package agent

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

func TestGenericVerdicts(t *testing.T) {
	failed := End{Exit: run.Exit{Code: 3}}
	said := func(stderr string) End { return End{Exit: run.Exit{Code: 3}, Stderr: []byte(stderr)} }
	rules := []run.Rule{
		{Match: "Quota Spent", Class: run.ClassRateLimited, Kind: run.KindUsage, Reset: true},
		{Regexp: `^fatal: .* (busy|down)$`, Class: run.ClassOverloaded},
		{Match: "slow down", Class: run.ClassRateLimited},
		{Match: "who are you", Class: run.ClassAuth},
		{Regexp: `(`, Class: run.ClassAuth},
	}
	limit := func(kind run.Kind, rule string) wanted {
		return wanted{class: run.ClassRateLimited, kind: kind, scope: run.ScopeFamily, rules: rule}
	}
	until := limit(run.KindUsage, "generic.rule.1")
	until.reset, until.how = 1790857200, run.HowText
	for name, tc := range map[string]struct {
		out  string
		end  End
		want wanted
	}{
		"status 0":                 {"quota spent, resets in 20 minutes\n", End{Stderr: []byte("who are you")}, wanted{class: run.ClassSuccess, rules: "generic.exit.0"}},
		"nothing at all":           {"", End{}, wanted{class: run.ClassSuccess, rules: "generic.exit.0"}},
		"status 3":                 {"usage limit reached, 429\n", said("Error: HTTP 429 rate limit exceeded"), wanted{class: run.ClassFailed, rules: "generic.exit.3"}},
		"a signal":                 {"quota spent\n", End{Exit: run.Exit{Code: -1, Signal: "killed"}}, wanted{class: run.ClassIncomplete, rules: "generic.eof"}},
		"a signal, told as a code": {"quota spent\n", End{Exit: run.Exit{Code: 143}}, wanted{class: run.ClassIncomplete, rules: "generic.eof"}},
		"ended by us":              {"quota spent\n", End{Exit: run.Exit{Code: 3}, Cause: CauseStall}, wanted{class: run.ClassStalled, rules: "end.stall"}},
		"ended by us, politely":    {"half\n", End{Cause: CauseStop}, wanted{class: run.ClassCancelled, rules: "end.stop"}},
		"lost":                     {"half\n", End{Exit: run.Exit{Code: -1, Lost: true}}, wanted{class: run.ClassIncomplete, rules: "guard_lost"}},
		"a limit with its end":     {"x\nQUOTA SPENT, resets in 20 minutes\ny\n", failed, until},
		"the first rule decides":   {"slow down\nquota spent\n", failed, limit(run.KindUsage, "generic.rule.1")},
		"the last line decides":    {"quota spent, resets in 5 minutes\nquota spent, resets in 20 minutes\n", failed, until},
		"no kind":                  {"slow down\n", failed, limit(run.KindThrottle, "generic.rule.3")},
		"no reset is asked for":    {"slow down, retry in 20 minutes\n", failed, limit(run.KindThrottle, "generic.rule.3")},
		"a pattern":                {"fatal: provider down\n", failed, wanted{class: run.ClassOverloaded, rules: "generic.rule.2"}},
		"a pattern minds case":     {"Fatal: provider down\n", failed, wanted{class: run.ClassFailed, rules: "generic.exit.3"}},
		"errors come last":         {"who are you\n", said("\x1b[31mwho are you\x1b[0m\n"), wanted{class: run.ClassAuth, rules: "generic.stderr.rule.4"}},
		"printed over":             {"12%\r99%\rwho are you\n", failed, wanted{class: run.ClassAuth, rules: "generic.rule.4"}},
		"a last line without end":  {"who are you", failed, wanted{class: run.ClassAuth, rules: "generic.rule.4"}},
		"long ago":                 {"who are you\n" + strings.Repeat("some other line\n", 2000), failed, wanted{class: run.ClassFailed, rules: "generic.exit.3"}},
		"a record":                 {`{"type":"result","subtype":"success","is_error":false}` + "\n{\n", failed, wanted{class: run.ClassFailed, rules: "generic.exit.3"}},
	} {
		t.Run(name, func(t *testing.T) {
			ref := atNoon()
			ref.Rules = rules
			got := wantedOf(judgeText("generic", tc.out, ref, tc.end))
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(wanted{})); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// The line that decides is named, with its text as it shows.
func TestGenericEvidence(t *testing.T) {
	ref := atNoon()
	ref.File, ref.Rules = "out", []run.Rule{{Match: "spent", Class: run.ClassRateLimited}}
	v := judgeText("generic", "\n\n  \x1b[1mall is spent\x1b[0m  \nbye\n", ref, End{Exit: run.Exit{Code: 1}})
	want := []run.Evidence{{File: "out", Line: 3, Rule: "generic.rule.1", Excerpt: "all is spent"}}
	if diff := cmp.Diff(want, v.Evidence); diff != "" || v.Message != "all is spent" {
		t.Errorf("message %q, evidence (-want +got):\n%s", v.Message, diff)
	}
	ref.Rules = nil
	if v := judgeText("generic", "a\nb\n", ref, End{Exit: run.Exit{Code: 1}}); v.Message != "b" || v.Evidence[0].Line != 2 {
		t.Errorf("verdict = %+v, want one with the last line", v)
	}
}

// What a command prints is no sign that a model answers, whatever it says.
func TestGenericSights(t *testing.T) {
	got := sights(t, "generic", lines("", claudeDone, "building\r 50%", "\x1b[32mok\x1b[0m"))
	want := []run.Sight{{Message: "ok"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sights (-want +got):\n%s", diff)
	}
}

// A command may print without end, and lines without end.
func TestGenericHoldsNoMoreThanItMay(t *testing.T) {
	g := newGeneric(atNoon())
	for n := range 10_000 {
		g.words(strings.Repeat("x", n%maxWords)+strconv.Itoa(n), n+1)
	}
	size := 0
	for _, l := range g.tail {
		size += len(l.text)
	}
	if size != g.size || size > record.MaxErrorText || g.tail[len(g.tail)-1].line != 10_000 {
		t.Errorf("%d bytes are held, %d counted, up to line %d", size, g.size, g.tail[len(g.tail)-1].line)
	}
	r, err := NewReader("generic", atNoon())
	if err != nil {
		t.Fatal(err)
	}
	for range 64 {
		r.Feed([]byte(strings.Repeat("é", 1<<19)), nil)
	}
	v := r.End(End{Exit: run.Exit{Code: 1}}, nil)
	if v.Class != run.ClassFailed || len(v.Message) > run.MaxMessage || r.Damaged() > 0 {
		t.Errorf("verdict = %v with %d bytes, %d damaged", v.Class, len(v.Message), r.Damaged())
	}
}
