package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// What gemini printed before it would have slept for five hours.
func TestGeminiThatWaitsByItself(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(fixtures, "streams", "gemini", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	stream, stderr := read("wait.jsonl"), read("wait.stderr")
	at := time.Date(2026, 12, 1, 6, 42, 8, 0, time.UTC) // ten minutes after its last record
	again := func(said, with string) string {
		if !strings.Contains(stderr, said) {
			t.Fatalf("no %q in what was recorded", said)
		}
		return strings.Replace(stderr, said, with, 1)
	}
	const quota, wait = "You have exhausted your capacity on this model. Your quota will reset after 18000s.", "18490270ms"
	worked := stream + `{"type":"tool_result","timestamp":"2026-12-01T11:00:00.000Z","tool_id":"a","status":"success","output":"x"}` + "\n"
	for name, tc := range map[string]struct {
		stream, stderr, cause string
		at                    time.Time
		class                 run.Class
		rule                  string
		reset                 time.Time
	}{
		"until its quota is full":         {stream, stderr, CauseStall, at, run.ClassRateLimited, "gemini.stderr.waits.quota", at.Add(5 * time.Hour)},
		"behind other tries":              {stream, "Attempt 1 failed: fetch failed. Retrying after 5100ms...\n" + stderr, CauseStall, at, run.ClassRateLimited, "gemini.stderr.waits.quota", at.Add(5 * time.Hour)},
		"after some work":                 {worked, stderr, CauseStall, at.Add(5 * time.Hour), run.ClassRateLimited, "gemini.stderr.waits.quota", at.Add(10 * time.Hour)},
		"an hour in the other words":      {stream, again(quota, "Too many requests\nPlease retry in 3600s."), CauseStall, at, run.ClassRateLimited, "gemini.stderr.waits.429", at.Add(time.Hour)},
		"for capacity":                    {stream, again(quota, "No capacity available for model x on the server"), CauseStall, at, run.ClassOverloaded, "gemini.stderr.waits.no_capacity", time.Time{}},
		"a wait that is over":             {stream, again(wait, "600000ms"), CauseStall, at, run.ClassStalled, "end.stall", time.Time{}},
		"a wait that was over at its end": {stream, stderr, CauseStall, at.Add(5 * time.Hour), run.ClassStalled, "end.stall", time.Time{}},
		"for a network":                   {stream, again(quota, "fetch failed"), CauseStall, at, run.ClassStalled, "end.stall", time.Time{}},
		"not its last words":              {stream, stderr + "Attempt 2 failed. Retrying with backoff...\n", CauseStall, at, run.ClassStalled, "end.stall", time.Time{}},
		"without a number":                {stream, again(wait, "99999999999999999999ms"), CauseStall, at, run.ClassStalled, "end.stall", time.Time{}},
		"ended for its budget of time":    {stream, stderr, CauseDeadline, at, run.ClassDeadline, "end.deadline", time.Time{}},
		"killed by somebody":              {stream, stderr, "", at, run.ClassIncomplete, "gemini.eof", time.Time{}},
		"without a record":                {"", stderr, CauseStall, at, run.ClassStalled, "end.stall", time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			end := End{Exit: run.Exit{Code: -1, Signal: "terminated"}, Stderr: []byte(tc.stderr), Cause: tc.cause}
			v := judgeText("gemini", tc.stream, Reference{Now: tc.at}, end)
			if v.Class != tc.class || rulesOf(v) != tc.rule || !v.Reset.Equal(tc.reset) || (v.How == run.HowText) != !tc.reset.IsZero() {
				t.Errorf("verdict %v by %q until %v (%v); want %v by %q until %v", v.Class, rulesOf(v), v.Reset, v.How, tc.class, tc.rule, tc.reset)
			}
			if v.Class == run.ClassRateLimited && v.Kind == run.KindUsage && (v.Scope != run.ScopeModel || v.Model != "auto") {
				t.Errorf("scope %v, model %q; want the model that ran", v.Scope, v.Model)
			}
		})
	}
}
