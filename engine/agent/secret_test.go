package agent_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/handoff"
	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/redact"
	"example.com/layover/engine/run"
)

// learned is a secret of several words that the environment tells of.
const learned = "zq7Wv kJ3xPd-Lm9Tr Hb2Yf-Nc5Gs8"

// shown is how much of a text people are shown at most, in bytes, as the engine cuts it.
const shown = 200

// sample is a secret as it stands in a text: %s is its body, of which nothing may be left.
type sample struct {
	text string
	body *rapid.Generator[string]
}

// samples are secrets of every shape that package redact knows by its beginning, and the
// others that it knows.
func samples(t *testing.T) []sample {
	t.Helper()
	source, err := os.ReadFile("../redact/shapes.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`prefix: "([^"]+)", set: (\w+), min: (\d+)`).FindAllStringSubmatch(string(source), -1)
	if len(found) < 25 {
		t.Fatalf("%d shapes are found", len(found))
	}
	var all []sample
	for _, m := range found {
		least, _ := strconv.Atoi(m[3])
		set := `[a-zA-Z0-9]`
		if m[2] == "isUpper" {
			set = `[A-Z0-9]`
		}
		all = append(all, sample{m[1] + "%s", rapid.StringMatching(fmt.Sprintf(`%s{%d,%d}`, set, least, least+40)).Filter(mixed(m[2] != "isUpper"))})
	}
	long := rapid.StringMatching(`[a-zA-Z0-9]{24,60}`).Filter(mixed(true))
	lines := rapid.Map(rapid.SliceOfN(rapid.StringMatching(`[a-zA-Z0-9+/]{64}`).Filter(mixed(true)), 2, 20), func(l []string) string { return strings.Join(l, "\n") })
	for _, text := range []string{
		"Authorization: Bearer %s", "Authorization: Basic %s", "password=%s", `{"api_key": "%s"}`, "--password %s", "https://me:%s@host/x",
		"eyJhbGciOiJIUzI1NiJ9.eyJ%s.%[1]s",
	} {
		all = append(all, sample{text, long})
	}
	return append(all, sample{"-----BEGIN OPENSSH PRIVATE KEY-----\n%s\n-----END OPENSSH PRIVATE KEY-----", lines}, sample{"%s", rapid.Just(learned)}, sample{"x %s", rapid.Just(learned)}, sample{"'%s'", rapid.Just(learned)})
}

func mixed(small bool) func(string) bool {
	return func(s string) bool {
		return strings.ContainsAny(s, "0123456789") && strings.ContainsFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' }) &&
			(!small || strings.ContainsFunc(s, func(r rune) bool { return 'a' <= r && r <= 'z' }))
	}
}

// sink is a place in a stream whose text is cut after so many bytes, and shown.
type sink struct {
	dialect string
	bound   int
	line    func(text string) string
	stderr  bool
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func sinks() map[string]sink {
	of := func(form string) func(string) string {
		return func(text string) string { return strings.ReplaceAll(form, "TEXT", quoted(text)) }
	}
	failure := of(`{"type":"result","subtype":"success","is_error":true,"api_error_status":400,"num_turns":1,"result":TEXT}`)
	block := func(b string) func(string) string {
		return of(`{"type":"assistant","message":{"id":"m","model":"opus","content":[` + b + `],"usage":{"input_tokens":1,"output_tokens":1}}}`)
	}
	words := func(text string) string { return text }
	name := func(form string) func(string) string { return of(form) }
	all := map[string]sink{
		"message": {"claude", record.MaxDoing, block(`{"type":"text","text":TEXT}`), false},
		"doing":   {"claude", record.MaxDoing, block(`{"type":"tool_use","id":"t","name":"Bash","input":{"command":TEXT}}`), false},
		"error":   {"claude", record.MaxErrorText, failure, false},
		"errors":  {"claude", record.MaxErrorText, of(`{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["first",TEXT,"last"]}`), false},
		"codex":   {"codex", record.MaxErrorText, of(`{"type":"turn.failed","error":{"message":TEXT}}`), false},
		"command": {"codex", record.MaxDoing, of(`{"type":"item.started","item":{"id":"i","type":"command_execution","command":TEXT,"status":"in_progress"}}`), false},
		"files":   {"codex", record.MaxDoing, of(`{"type":"item.started","item":{"id":"i","type":"file_change","changes":[{"path":TEXT,"kind":"update"},{"path":"next","kind":"add"}]}}`), false},
		"words":   {"generic", 4 << 10, words, false},
		"aider":   {"aider", record.MaxDoing, words, false},
		"stderr":  {"claude", record.MaxErrorText, words, true},
		"model":   {"claude", record.MaxName, name(`{"type":"system","subtype":"init","session_id":"s-1","model":TEXT}`), false},
		"gauge":   {"claude", record.MaxName, name(`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","rateLimitType":TEXT,"utilization":1,"unifiedWindows":{TEXT:{"utilization":1}}}}`), false},
		"rejected": {"claude", record.MaxName, func(text string) string {
			return of(`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","rateLimitType":TEXT}}`)(text) + "\n" +
				`{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"num_turns":1,"result":"limit"}`
		}, false},
	}
	for at, s := range map[string]int{"message": run.MaxMessage, "doing": shown, "error": run.MaxMessage, "codex": run.MaxMessage, "stderr": run.MaxMessage, "words": run.MaxMessage} {
		near := all[at]
		near.bound = s
		all[at+", near"] = near
	}
	return all
}

// tells gives all that is kept and shown of a stream.
func tells(t interface{ Fatal(...any) }, s sink, text string, keep func(string) string) string {
	r, err := agent.NewReader(s.dialect, agent.Reference{Keep: keep})
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	see := func(s run.Sight) {
		for _, text := range []run.Untrusted{s.Doing, s.Message} {
			fmt.Fprintln(&all, record.Cut(keep(string(text)), shown))
		}
		fmt.Fprintln(&all, keep(s.Model), keep(s.Gauges[0].Limit), keep(s.Gauges[1].Limit), s.Suspect)
	}
	end := agent.End{Exit: run.Exit{Code: 1}}
	if s.stderr {
		end.Stderr = []byte(text)
	} else {
		r.Feed([]byte(s.line(text)+"\n"), see)
	}
	v := r.End(end, see)
	fmt.Fprintln(&all, v.Class, v.Message, v.Model, v.Session)
	for _, e := range v.Evidence {
		fmt.Fprintln(&all, e.Rule, e.Excerpt)
	}
	return all.String()
}

// left gives the longest part of a secret's body that is in a text.
func left(text, body string) string {
	longest := ""
	for i := range body {
		for len(longest) < len(body)-i && strings.Contains(text, body[i:i+len(longest)+1]) {
			longest = body[i : i+len(longest)+1]
		}
	}
	return longest
}

// Wherever a text is cut, before a secret, within it or behind it, and however much of
// what stands before it is taken out: nothing of it is left that could be of use.
func TestNoPartOfASecretIsLeftByACut(t *testing.T) {
	r := redact.New([]string{"A_TOKEN=" + learned})
	keep := func(text string) string { return handoff.Kept(text, r.String) }
	all := samples(t)
	for name, s := range sinks() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				secret := all[rapid.IntRange(0, len(all)-1).Draw(t, "shape")]
				body := secret.body.Draw(t, "body")
				text := fmt.Sprintf(secret.text, body)
				at := max(0, s.bound-rapid.IntRange(-4, len(text)+4).Draw(t, "before the bound"))
				before := ""
				switch n := rapid.IntRange(0, at).Draw(t, "taken out"); {
				case n > 40 && rapid.Bool().Draw(t, "long"):
					before = "(sk-ant-" + strings.Repeat("0", n-10) + ") "
				case n > 40:
					before = strings.Repeat("AKIA"+strings.Repeat("0", 16)+" ", n/21)
				}
				sep := rapid.SampledFrom([]string{" ", "'", "(", "\t", "\"", "；"}).Draw(t, "sep")
				fill := "_. "
				if s.bound == record.MaxName { // no names have blanks
					before, fill, sep = "", "x.", "."
				}
				before += strings.Repeat(fill, at)[:max(0, at-len(before)-len(sep))] + sep
				behind := rapid.SampledFrom([]string{"", " ", "'", " _", strings.Repeat(" _", 20_000)}).Draw(t, "behind")
				told := tells(t, s, before+text+behind, keep)
				if part := left(told, body); len(part) > 4 {
					t.Fatalf("%q is left of %q: %q", part, text, told)
				}
			})
		})
	}
}
