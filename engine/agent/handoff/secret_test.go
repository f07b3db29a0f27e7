package handoff

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/redact"
)

// learnedSecret is a value of the environment, and namedSecret one that only the name of
// its member tells of.
const (
	learnedSecret = "correct-horse battery é"
	namedSecret   = "plain7secret"
)

// secrets are made up.
func secrets() []string {
	const drawn = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbC3d"
	return []string{
		learnedSecret, "ghp_" + drawn, "sk-ant-api03-" + drawn, "sk-proj-" + drawn, "rt_" + drawn + drawn, "glpat-" + drawn[:20], "AKIAIOSFODNN7EXAMPLE",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ." + drawn,
	}
}

// disguises are what may be put into a secret without changing how it reads.
var disguises = []string{
	"", " ", "\n", "\r", "\r\n", "\n\n\n", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\ufe0f", "\u3164", "\u00ad", "\u034f", "\u115f", "\u180e", "\U000e0100", "\U000e01ef", "\U000e0041",
	"\u202e", "\u2066", "\x00", "\x7f", "\u0085", "\x1b(B", "\x1b)0", "\x1b7", "\x1b", "\b", "\u009b", "\x1b[", "\x1b[0m", "\x1b[1;31m", "\x1b[3\x001m", "\u009b0m", "\x1b]0;title\x07", "\x1b]8;;http://h\x1b\\",
	"\x1b]0;t\u009c", "\x1bP1q\x1b\\", "\x1b_x\x1b\\", "x\b", "\x1b[" + strings.Repeat("1;", 400) + "m", "\x1b]0;" + strings.Repeat("x", 400) + "\x1b\\", "\u200d\x1b[0m\n",
}

// takers are controls that take a letter away where they are obeyed.
var takers = []string{"\x1b", "\b", "\u009b"}

// A secret that would lose a letter to a control is taken out as it is without that, even
// if another one stands near it.
func TestNoControlTakesALetterOfASecret(t *testing.T) {
	for _, taker := range takers {
		for _, secret := range secrets() {
			for at := 1; at < len(secret); at++ {
				for _, around := range []string{"%s", "a\n%s\nb", "ghp_aB3dE5gH7jK9mN1pQ2rS4t\n%s"} {
					text := fmt.Sprintf(around, secret[:at]+taker+secret[at:])
					if plain := Plain(text, hideAll.String); leaked(plain, secret) || at < len(secret)-8 && strings.Contains(plain, secret[at+1:]) {
						t.Errorf("%q becomes %q", text, plain)
					}
				}
			}
		}
	}
}

// encodings write a text as a string of JSON in more than one way.
var encodings = map[string]func(string) string{
	"plain": func(s string) string {
		b, _ := json.Marshal(s)
		return string(b)
	},
	"escaped": func(s string) string {
		var b strings.Builder
		for _, r := range s {
			if r >= 0x10000 {
				fmt.Fprintf(&b, `\u%04x\u%04X`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
				continue
			}
			fmt.Fprintf(&b, `\u%04X`, r)
		}
		return `"` + b.String() + `"`
	},
	"raw": func(s string) string { // controls as they are, which is no JSON
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\x00", `\u0000`).Replace(s) + `"`
	},
	"wrong": func(s string) string { // with an escape sequence that there is none of
		b, _ := json.Marshal(s)
		return `"\q` + strings.ReplaceAll(string(b[1:]), "a", `\u0061`)
	},
	"nested": func(s string) string { // as JSON within a text
		in, _ := json.Marshal(map[string]string{"x": s})
		in = []byte(strings.ReplaceAll(string(in), "a", `\u0061`))
		b, _ := json.Marshal("it is " + string(in))
		return string(b)
	},
	"nested twice": func(s string) string {
		in, _ := json.Marshal(s)
		in, _ = json.Marshal("<" + strings.ReplaceAll(string(in), "c", `\u0063`) + ">")
		b, _ := json.Marshal(string(in))
		return string(b)
	},
}

// place is a stream with a hole, @, for a string of JSON.
type place struct{ dialect, stream string }

var places = func() map[string]place {
	all := map[string]place{}
	add := func(name, dialect, stream string) { all[dialect+" "+name] = place{dialect, stream} }
	use := `{"type":"tool_use","id":"a","name":"Edit","input":%s}`
	add("text", "claude", assistantSays(`{"type":"text","text":@}`))
	add("told", "claude", `{"type":"user","message":{"content":@}}`)
	add("told block", "claude", userSays(`{"type":"text","text":@}`))
	add("input", "claude", assistantSays(fmt.Sprintf(use, `{"n":1,"a":[{"b":@}]}`)))
	add("input key", "claude", assistantSays(fmt.Sprintf(use, `{"n":1,@:{"b":2}}`)))
	add("input alone", "claude", assistantSays(fmt.Sprintf(use, `@`)))
	add("long input", "claude", assistantSays(fmt.Sprintf(use, `{"n":"`+strings.Repeat("a b", 1000)+`","b":@}`)))
	add("tool", "claude", assistantSays(`{"type":"tool_use","id":"a","name":@,"input":{}}`))
	add("id", "claude", assistantSays(`{"type":"tool_use","id":@,"name":"x","input":{}}`))
	add("result", "claude", assistantSays(fmt.Sprintf(use, `{}`))+userSays(`{"type":"tool_result","tool_use_id":"a","content":@}`))
	add("result block", "claude", assistantSays(fmt.Sprintf(use, `{}`))+userSays(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":@},{"type":"image"}]}`))
	add("result kind", "claude", assistantSays(fmt.Sprintf(use, `{}`))+userSays(`{"type":"tool_result","tool_use_id":"a","content":[{"type":@}]}`))
	for name, item := range map[string]string{
		"message": `{"id":"1","type":"agent_message","text":@}`, "list": `{"id":"1","type":"todo_list","items":[{"text":@}]}`, "query": `{"id":"1","type":"web_search","query":@}`,
		"command": `{"id":"1","type":"command_execution","command":@}`, "output": `{"id":"1","type":"command_execution","command":"ls","aggregated_output":@,"exit_code":1}`,
		"changes": `{"id":"1","type":"file_change","changes":[{"path":@,"kind":"update"}]}`, "status": `{"id":"1","type":"file_change","changes":[],"status":@}`,
		"arguments": `{"id":"1","type":"mcp_tool_call","server":"s","tool":"t","arguments":{"a":{"b":[@]}}}`, "argument key": `{"id":"1","type":"mcp_tool_call","server":"s","tool":"t","arguments":{@:1}}`,
		"server": `{"id":"1","type":"mcp_tool_call","server":@,"tool":"t"}`, "prompt": `{"id":"1","type":"collab_tool_call","tool":"spawn","prompt":@}`,
		"result": `{"id":"1","type":"mcp_tool_call","server":"s","tool":"t","result":{"content":[{"type":"text","text":@}]}}`,
		"fault":  `{"id":"1","type":"mcp_tool_call","server":"s","tool":"t","error":{"message":@}}`, "id": `{"id":@,"type":"command_execution","command":"ls"}`,
	} {
		add(name, "codex", `{"type":"item.completed","item":`+item+"}\n")
	}
	gemini := `{"type":"tool_use","tool_name":"sh","tool_id":"a","parameters":{"x":1}}` + "\n"
	add("text", "gemini", `{"type":"message","role":"assistant","content":@,"delta":true}`+"\n"+`{"type":"result"}`+"\n")
	add("input", "gemini", strings.Replace(gemini, "1", "[@]", 1))
	add("output", "gemini", gemini+`{"type":"tool_result","tool_id":"a","status":"success","output":@}`+"\n")
	add("fault", "gemini", gemini+`{"type":"tool_result","tool_id":"a","status":"error","error":{"message":@}}`+"\n")
	cursor := `{"type":"tool_call","subtype":"%s","call_id":"a","tool_call":{"shellToolCall":{"args":{"command":%s},"result":{%s}}}}` + "\n"
	add("text", "cursor", `{"type":"assistant","message":{"content":[{"type":"text","text":@}]}}`+"\n")
	add("input", "cursor", fmt.Sprintf(cursor, "started", "@", ""))
	add("output", "cursor", fmt.Sprintf(cursor, "completed", `"ls"`, `"success":{"stdout":@}`))
	add("other", "cursor", fmt.Sprintf(cursor, "completed", `"ls"`, `"success":{"x":[@]}`))
	add("fault", "cursor", fmt.Sprintf(cursor, "completed", `"ls"`, `"error":{"x":@}`))
	opencode := `{"type":"tool_use","part":{"tool":"bash","callID":"a","state":{"status":"completed","input":{"x":%s},"output":%s,"error":%s}}}` + "\n"
	add("text", "opencode", `{"type":"text","part":{"text":@}}`+"\n")
	add("input", "opencode", fmt.Sprintf(opencode, "@", `"x"`, `""`))
	add("output", "opencode", fmt.Sprintf(opencode, "1", "@", `""`))
	add("fault", "opencode", fmt.Sprintf(opencode, "1", `"x"`, "@"))
	copilot := `{"type":"tool.execution_start","data":{"toolCallId":"a","toolName":"bash","arguments":{"x":%s}}}` + "\n"
	add("text", "copilot", `{"type":"assistant.message","data":{"content":@}}`+"\n")
	add("input", "copilot", fmt.Sprintf(copilot, "@"))
	add("output", "copilot", fmt.Sprintf(copilot, "1")+`{"type":"tool.execution_complete","data":{"toolCallId":"a","success":true,"result":{"content":@}}}`+"\n")
	add("fault", "copilot", fmt.Sprintf(copilot, "1")+`{"type":"tool.execution_complete","data":{"toolCallId":"a","success":false,"error":{"message":@}}}`+"\n")
	grok := `{"type":"tool_call","toolCallId":"a","toolName":"sh","rawInput":{"x":%s}}` + "\n"
	add("text", "grok", `{"type":"text","data":@}`+"\n"+`{"type":"end"}`+"\n")
	add("input", "grok", fmt.Sprintf(grok, "@"))
	add("output", "grok", fmt.Sprintf(grok, "1")+`{"type":"tool_call_update","toolCallId":"a","status":"completed","rawOutput":{"x":@}}`+"\n")
	add("arguments", "grok", `{"type":"tool_use","toolCall":{"id":"a","function":{"name":"sh","arguments":@}},"toolResult":{"success":true,"output":"x"}}`+"\n")
	add("result", "grok", `{"type":"tool_use","toolCall":{"id":"a","function":{"name":"sh","arguments":"{}"}},"toolResult":{"success":true,"output":@}}`+"\n")
	return all
}()

// readings are the ways in which a text may be read: as it is, without what does not show
// and without line ends, and with its escape sequences undone.
func readings(note string) []string {
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
				return -1
			}
			return r
		}, s)
	}
	return []string{note, bare(note), bare(record.Unescape(note, true))}
}

var hideAll = redact.New([]string{"A_TOKEN=" + learnedSecret})

// told is what the note of a stream holds, with blanks between.
func told(t *testing.T, p place, text string) string {
	t.Helper()
	tr := NewTranscript(1<<20, hideAll.String)
	if _, err := tr.Add(p.dialect, strings.NewReader(strings.ReplaceAll(p.stream, "@", text)), false, "a test"); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, it := range tr.Items() {
		b.WriteString(it.head() + " \n " + it.Text + " \n ")
	}
	return b.String()
}

// leaked reports whether a text may be read as one that holds a secret.
func leaked(text, secret string) bool {
	for _, read := range readings(text) {
		if strings.Contains(read, secret) {
			return true
		}
	}
	return false
}

// No disguise of a secret, in no place of a stream, brings it into a note.
func TestNoDisguiseHidesASecret(t *testing.T) {
	all, n := secrets(), 0
	for name, p := range places {
		if note := told(t, p, `"visible"`); !strings.Contains(note, "visible") {
			t.Errorf("%s is no place: %q", name, note)
		}
		for _, disguise := range disguises {
			for how, encode := range encodings {
				for range 2 { // each secret, at its beginning, in its middle and at its end, in turn
					n++
					secret := all[n%len(all)]
					at := []int{1, 4, len(secret) / 2, len(secret) - 1}[n/len(all)%4]
					note := told(t, p, encode("see "+secret[:at]+disguise+secret[at:]))
					if leaked(note, secret) {
						t.Fatalf("%s, %s, %q at %d: %q", name, how, disguise, at, note)
					}
				}
			}
		}
	}
}

// Control characters that are escaped within a text are sequences to one reader, and
// nothing to another.
func TestEscapedControlsHideNothing(t *testing.T) {
	for _, control := range []string{`\u001b`, `\x1b`, `\033`, `\e`, `\\u001b`, `\u009b`, `\u200b`, `\u000a`, `\n`, `\\n`} {
		for _, secret := range secrets() {
			text := strings.Join(strings.Split(secret, ""), control)
			if plain := Plain(text, hideAll.String); leaked(plain, secret) {
				t.Errorf("%s is left of %s", plain, text)
			}
		}
	}
}

// A secret that has no shape is known by the name of its member.
func TestTheNameOfAMemberTellsOfASecret(t *testing.T) {
	for _, name := range []string{"password", "api_key", "clientSecret"} {
		for _, disguise := range disguises {
			for how, encode := range encodings {
				for _, input := range []string{`{"n":1,%s:%s}`, `[{%s : %s}]`, `{"x":"\u0061",%s:%s,"y":{}}`} {
					if strings.Contains(how, "nested") || how == "wrong" || strings.ContainsAny(disguise, " \r\n") || slices.Contains(append(takers, "\x1b["), disguise) {
						continue // then it is another name
					}
					member := fmt.Sprintf(input, encode(name[:3]+disguise+name[3:]), encode(namedSecret))
					for _, p := range []place{
						{"claude", assistantSays(`{"type":"tool_use","id":"a","name":"Edit","input":` + member + `}`)},
						{"codex", `{"type":"item.started","item":{"id":"1","type":"mcp_tool_call","tool":"t","arguments":` + member + "}}\n"},
					} {
						if note := told(t, p, ""); strings.Contains(note, namedSecret) || !strings.Contains(note, `":"[redacted:secret]"`) && !strings.Contains(note, `" : "[redacted:secret]"`) {
							t.Fatalf("%s, %q: %q", how, disguise, note)
						}
					}
				}
			}
		}
	}
}

// JSON stays as it was, in its order and readable, but for what is to be taken out of it.
func TestDataStaysReadable(t *testing.T) {
	tr := NewTranscript(1<<20, hideAll.String)
	deep := strings.Repeat(`[{"a":`, 50_000) + `"\n"` + strings.Repeat(`}]`, 50_000)
	for in, want := range map[string]string{
		`{"z":1,"a":[true,null,-1.5e3],"z":"x"}`:     `{"z":1,"a":[true,null,-1.5e3],"z":"x"}`,
		`{ "a" : "x\u003cy\u0026" , "b":"\t\"q\"" }`: `{ "a" : "x<y&" , "b":"\t\"q\"" }`,
		`{"a":"\ud83d\ude00 \/ é"}`:                  `{"a":"😀 / é"}`, `"a\u001b[1mb"`: `"ab"`, "[1,\r2]": "[1,\n2]", `{"a":"\ud800"}`: "{\"a\":\"\ufffd\"}", `7`: `7`, ``: ``,
		`{"a":"x","n":"` + b64(50) + `"}`: `{"a":"x","n":"` + b64(50) + `"}`, deep: deep, `{"a":"x`: `{"a":"x`, `{"a":"\u00`: `{"a":"\u00`,
		`{"a":"\n` + "ghp_" + b64(36): `{"a":"\n[redacted:github-token]`,
	} {
		if got := tr.data(record.Raw(in)); got != want {
			t.Errorf("%.200s becomes %.200s", in, got)
		}
	}
}

func b64(n int) string { return strings.Repeat("aB3dE5gH7j", 8)[:n] }

// FuzzDisguise puts anything into a secret, once or between all of its letters.
func FuzzDisguise(f *testing.F) {
	all, where, how := secrets(), slices.Sorted(maps.Keys(places)), slices.Sorted(maps.Keys(encodings))
	for i, disguise := range disguises {
		f.Add(disguise, uint(i), uint(i), uint(i), uint(i), i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, disguise string, at, which, place, encoding uint, everywhere bool) {
		if strings.ContainsAny(disguise, "\ufffd\t") || !utf8.ValidString(disguise) {
			return // it stays visible
		}
		secret := all[which%uint(len(all))]
		at = 1 + at%uint(len(secret)-1)
		hidden := secret[:at] + disguise + secret[at:]
		if everywhere {
			hidden = strings.Join(strings.Split(secret, ""), disguise)
		}
		for _, read := range readings(hidden) {
			if i := strings.Index(read, secret); i > 0 && (read[i-1] == '_' || read[i-1] == '-' || unicode.In(rune(read[i-1]), unicode.L, unicode.N)) {
				return // it is the end of another word
			}
		}
		p, e := where[place%uint(len(where))], how[encoding%uint(len(how))]
		note := told(t, places[p], encodings[e](hidden))
		if leaked(note, secret) {
			t.Fatalf("%s, %s, %q: %q", p, e, disguise, note)
		}
	})
}
