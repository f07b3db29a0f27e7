package agent

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/agent/corpus"
	"example.com/layover/engine/agent/pack"
	"example.com/layover/engine/run"
)

// recorded are the recorded streams, by their path, with the dialect of each.
func recorded(t testing.TB) map[string]struct{ dialect, text string } {
	t.Helper()
	all := map[string]struct{ dialect, text string }{}
	for _, dir := range []string{"streams", "catalogue"} {
		paths, err := filepath.Glob(filepath.Join(fixtures, dir, "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			dialect := filepath.Base(filepath.Dir(path))
			if _, err := NewReader(dialect, Reference{}); err == nil {
				all[dir+"/"+dialect+"/"+filepath.Base(path)] = struct{ dialect, text string }{dialect, string(text)}
			}
		}
	}
	return all
}

// tricky are streams of which a record means something by what was read long before it.
func tricky() map[string]struct{ dialect, text string } {
	say := func(id, used, text string) string {
		return `{"type":"assistant","message":{"id":"` + id + `","model":"opus","usage":{"input_tokens":1,"output_tokens":` + used + `},"content":[{"type":"text","text":"` + text + `"}]}}`
	}
	event := func(rest string) string { return `{"type":"stream_event","event":{` + rest + `}}` }
	done := `{"type":"result","subtype":"success","is_error":false,"result":"x"}`
	many := func(of func(id string) string) string {
		var all []string
		for n := range maxTally + 9 {
			all = append(all, of("m"+strconv.Itoa(n)))
		}
		return lines(all...)
	}
	side := strings.Replace(say("b", "3", "below"), `{`, `{"isSidechain":true,`, 1)
	past := strconv.FormatInt(atNoon().Now.Add(-hour).Unix(), 10)
	return map[string]struct{ dialect, text string }{
		"work after a result":  {DialectClaude, lines(say("a", "1", "x"), done, say("b", "1", "y"), `{"type":"user"}`)},
		"a model's own words":  {DialectClaude, lines(say("a", "1", "The API says: usage limit reached."), `{"type":"user"}`, `{"type":"result","is_error":true,"result":"The API says: usage limit reached."}`)},
		"a message that comes": {DialectClaude, lines(event(`"type":"message_start","message":{"id":"a","model":"opus"}`), say("a", "1", "x"), event(`"type":"message_delta","usage":{"output_tokens":9}`), `{"type":"user"}`)},
		"a reset that passed":  {DialectClaude, lines(`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","rateLimitType":"seven_day","resetsAt":`+past+`}}`, `{"type":"user"}`, `{"type":"result","is_error":true,"api_error_status":429,"result":"You've hit your weekly limit · resets `+atNoon().Now.UTC().Add(-hour).Format("3:04pm")+` (UTC)"}`)},
		"many messages":        {DialectClaude, many(func(id string) string { return say(id, "1", "x") }) + lines(say("m"+strconv.Itoa(maxTally), "7", "x"), say("m"+strconv.Itoa(maxTally+8), "7", "x"))},
		"a sidechain":          {dialectClaudeTranscript, lines(say("a", "1", "x"), side, side)},
		"a silent wait":        {DialectGemini, lines(`{"type":"init","timestamp":"`+atNoon().Now.UTC().Format(time.RFC3339)+`","session_id":"s","model":"gemini-pro"}`, `{"type":"user"}`)},
		"a step":               {DialectGrok, lines(`{"type":"step_finish","stepNumber":1,"finishReason":"stop","usage":{"outputTokens":1}}`, `{"type":"x"}`)},
		"a late model":         {DialectAider, strings.Repeat("words\n", aiderHead+5) + "Model: gpt-5 with diff edit format\n"},
		"a mark within":        {DialectGeneric, "words\n\ufeffmore\n"},
	}
}

// told is all that a reader tells of a stream.
type told struct {
	Sights  []run.Sight
	Now     run.Verdict
	Over    bool
	Damaged int
	Lines   int
	Began   string
	At      string
	Verdict run.Verdict
	Counted map[uint64]run.Usage
}

// read feeds lines one by one. At each of the cuts the reader is put to rest and taken up
// again; it has been fed a part of the next line by then, which it is fed again.
func read(t testing.TB, dialect string, lines []string, end End, cuts ...int) told {
	t.Helper()
	got := told{Counted: map[uint64]run.Usage{}}
	ref := atNoon()
	ref.Counted = func(id uint64, u run.Usage) { got.Counted[id] = u }
	see := func(s run.Sight) { got.Sights = append(got.Sights, s) }
	r, err := NewReader(dialect, ref)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		for _, cut := range cuts {
			if cut != i {
				continue
			}
			part := strings.TrimSuffix(line, "\n")
			r.Feed([]byte(part), nil)
			if r.Held() != int64(len(part)) {
				t.Fatalf("%d bytes are held of %d", r.Held(), len(part))
			}
			if r, err = Resume(dialect, ref, r.Save()); err != nil {
				t.Fatal(err)
			}
		}
		r.Feed([]byte(line), see)
		if strings.HasSuffix(line, "\n") && r.Held() != 0 {
			t.Fatalf("%d bytes are held between lines", r.Held())
		}
	}
	got.Now, got.Over = r.Verdict()
	if again, over := r.Verdict(); !cmp.Equal(again, got.Now) || over != got.Over {
		t.Fatalf("asked again: %+v, then %+v", got.Now, again)
	}
	got.Lines, got.Began, got.At = r.Lines(), r.Began().String(), r.At().String()
	got.Verdict = r.End(end, see)
	got.Damaged = r.Damaged()
	return got
}

func cutLines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, line)
	}
	return all
}

// A reader that was put to rest between any two lines goes on as if it had not been.
func TestAReaderIsTakenUpAgain(t *testing.T) {
	all := recorded(t)
	maps.Copy(all, tricky())
	for name, stream := range all {
		t.Run(name, func(t *testing.T) {
			lines := cutLines(stream.text)
			for i, end := range []End{
				{},
				{Exit: run.Exit{Code: 1}, Stderr: []byte("429 Too Many Requests")},
				{Cause: CauseStall, Stderr: []byte("Attempt 1 failed: You have exhausted your capacity on this model. Your quota will reset after 18000s.. Retrying after 36000000ms...")},
			} {
				whole := read(t, stream.dialect, lines, end)
				for cut := i; cut < len(lines); cut += 1 + len(lines)/100 {
					got := read(t, stream.dialect, lines, end, cut)
					if inParts(stream.dialect) {
						got.Sights, whole.Sights = withoutWords(got.Sights), withoutWords(whole.Sights)
					}
					if diff := cmp.Diff(whole, got); diff != "" {
						t.Fatalf("cut before line %d (-whole +cut):\n%s", cut+1, diff)
					}
				}
			}
		})
	}
}

// inParts reports dialects whose messages come in parts: of one that is cut, a word is lost.
func inParts(dialect string) bool { return dialect == DialectGemini || dialect == DialectGrok }

func withoutWords(all []run.Sight) []run.Sight {
	var out []run.Sight
	for _, s := range all {
		if s.Message = ""; s != (run.Sight{}) {
			out = append(out, s)
		}
	}
	return out
}

func TestAReaderOfACorpusIsTakenUpAgain(t *testing.T) {
	dir := t.TempDir()
	if _, err := corpus.Write(dir, corpus.Options{Bytes: 2 << 20, Files: 10, Seed: 5, Limits: .05, Decoys: .05}); err != nil {
		t.Fatal(err)
	}
	files := map[string][]string{}
	var names []string
	eachCorpusFile(t, dir, func(path, name string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[name], names = cutLines(string(text)), append(names, name)
	})
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(names).Draw(rt, "file")
		lines, dialect := files[name], corpus.KindOf(name)
		cuts := rapid.SliceOfDistinct(rapid.IntRange(0, len(lines)-1), func(n int) int { return n }).Draw(rt, "cuts")
		if diff := cmp.Diff(read(t, dialect, lines, End{}), read(t, dialect, lines, End{}, cuts...)); diff != "" {
			rt.Fatalf("(-whole +cut):\n%s", diff)
		}
	})
}

// What a line that has not ended has done already is not saved.
func TestALineThatHasNotEndedIsNotSaved(t *testing.T) {
	object := `{"type":"assistant","message":{"id":"m","model":"opus","usage":{"input_tokens":1},"content":[{"type":"text","text":"` + strings.Repeat("x ", 1<<18) + `"}]}}`
	for name, line := range map[string]string{
		"a block of NUL":  `{"type":"result","subtype":"success","is_error":false,"result":"x"}` + "\x00\x00",
		"only NUL":        "\x00\x00",
		"several objects": object + object + object,
		"a byte order":    "\xef\xbb",
	} {
		for _, head := range []string{"", `{"type":"system","subtype":"init","session_id":"s","model":"opus"}` + "\n"} {
			r, err := NewReader(DialectClaude, Reference{})
			if err != nil {
				t.Fatal(err)
			}
			r.Feed([]byte(head), nil)
			want := r.Save()
			r.Feed([]byte(line), nil)
			if got := r.Save(); !bytes.Equal(want, got) {
				t.Errorf("%s behind %q: %q is saved, not %q", name, head, got, want)
			}
			if r.Held() != int64(len(line)) {
				t.Errorf("%s behind %q: %d bytes are held of %d", name, head, r.Held(), len(line))
			}
			r.Feed([]byte("\n"), nil)
			if got := r.Save(); bytes.Equal(want, got) {
				t.Errorf("%s behind %q: nothing more is saved at the end of the line", name, head)
			}
		}
	}
}

func TestAReaderIsNotTakenUpFromAnythingElse(t *testing.T) {
	r, err := NewReader(DialectClaude, Reference{})
	if err != nil {
		t.Fatal(err)
	}
	saved := r.Save()
	if _, err := Resume("cobol", Reference{}, saved); !errors.Is(err, ErrUnknownDialect) {
		t.Errorf("an unknown dialect: %v", err)
	}
	if _, err := Resume(DialectCodex, Reference{}, saved); !errors.Is(err, pack.ErrBroken) {
		t.Errorf("another dialect: %v", err)
	}
	for n := range saved {
		if _, err := Resume(DialectClaude, Reference{}, saved[:n]); !errors.Is(err, pack.ErrBroken) {
			t.Errorf("%d bytes of %d: %v", n, len(saved), err)
		}
	}
}

// No secret is saved, and none in part.
func TestNoSecretIsSaved(t *testing.T) {
	const secret = "sk-ant-REDACTME"
	keep := func(text string) string { return strings.ReplaceAll(text, secret, "[redacted]") }
	for name, stream := range recorded(t) {
		lines := cutLines(strings.NewReplacer(
			`"text":"`, `"text":"`+secret+` `, `"message":"`, `"message":"`+secret+` `, `"result":"`, `"result":"`+secret+` `,
			`"content":"`, `"content":"`+secret+` `, `"cwd":"`, `"cwd":"/`+secret, `"data":"`, `"data":"`+secret+` `,
			`"responseBody":"`, `"responseBody":"`+secret+` `, `"responseHeaders":{`, `"responseHeaders":{"x":"`+secret+`",`,
		).Replace(stream.text))
		ref := atNoon()
		ref.Keep = keep
		r, err := NewReader(stream.dialect, ref)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			r.Feed([]byte(line), nil)
			if saved := r.Save(); bytes.Contains(saved, []byte("REDACTME")) {
				t.Fatalf("%s: %q", name, saved)
			}
		}
	}
}

// Of a message that comes in parts, what may be a part of a secret is not saved.
func TestNoPartOfASecretIsSaved(t *testing.T) {
	for dialect, part := range map[string]string{
		DialectGemini: `{"type":"message","role":"assistant","content":"PART","delta":true}`,
		DialectGrok:   `{"type":"text","data":"PART"}`,
	} {
		r, err := NewReader(dialect, Reference{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{`it is the `, `key sk-ant-`, `REDACT`} {
			r.Feed([]byte(strings.Replace(part, "PART", text, 1)+"\n"), nil)
		}
		if saved := r.Save(); bytes.Contains(saved, []byte("sk-")) || !bytes.Contains(saved, []byte("it is the key ")) {
			t.Errorf("%s: %q", dialect, saved)
		}
	}
}

// Whatever is taken up as saved, nothing panics, and the reader is whole.
func FuzzResume(f *testing.F) {
	for i, dialect := range Dialects() {
		r, err := NewReader(dialect, atNoon())
		if err != nil {
			f.Fatal(err)
		}
		saved := r.Save()
		f.Add(uint8(i), saved[1:len(saved)-4], []byte("{}\n"))
	}
	for _, stream := range recorded(f) {
		r, err := NewReader(stream.dialect, atNoon())
		if err != nil {
			f.Fatal(err)
		}
		r.Feed([]byte(stream.text), nil)
		saved, which := r.Save(), uint8(0)
		for i, name := range Dialects() {
			if name == stream.dialect {
				which = uint8(i)
			}
		}
		f.Add(which, saved[1:len(saved)-4], []byte(stream.text[:min(len(stream.text), 4000)]))
	}
	f.Fuzz(func(t *testing.T, which uint8, body, more []byte) {
		dialect := Dialects()[int(which)%len(Dialects())]
		r, err := Resume(dialect, atNoon(), pack.Seal(savedVersion, body))
		if err != nil {
			return
		}
		r.Verdict()
		r.Feed(more, func(run.Sight) {})
		r.Verdict()
		if _, err := Resume(dialect, atNoon(), r.Save()); err != nil {
			t.Fatalf("saved again: %v", err)
		}
		r.End(End{Exit: run.Exit{Code: 1}, Stderr: []byte("x")}, nil)
	})
}
