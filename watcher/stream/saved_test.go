package stream

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/pack"
	"example.com/layover/engine/run"
)

func TestAStreamIsNotTakenUpFromAnythingElse(t *testing.T) {
	o := options()
	o.Dialect = agent.DialectClaude
	s := New(o)
	s.Bytes(lines(`{"type":"system","subtype":"init","session_id":"s","model":"opus","cwd":"/w"}`))
	saved := s.Save()
	if _, err := Resume(o, saved); err != nil {
		t.Fatal(err)
	}
	for n := range saved {
		if _, err := Resume(o, saved[:n]); !errors.Is(err, pack.ErrBroken) {
			t.Errorf("%d bytes of %d: %v", n, len(saved), err)
		}
	}
	uncertain := bytes.Clone(saved[1 : len(saved)-4])
	uncertain[0] = 0
	if _, err := Resume(o, pack.Seal(savedVersion, uncertain)); !errors.Is(err, pack.ErrBroken) {
		t.Errorf("a reader of a dialect that is not certain: %v", err)
	}
	o.Dialect = agent.DialectCodex
	if _, err := Resume(o, saved); !errors.Is(err, pack.ErrBroken) {
		t.Errorf("another dialect: %v", err)
	}
}

// What is in no dialect costs nothing, and is not guessed again.
func TestAnUnknownStreamIsLeftAlone(t *testing.T) {
	s := New(options())
	noise := bytes.Repeat([]byte("words for people\n"), agent.GuessSize/16)
	s.Bytes(noise)
	claude := lines(`{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2"}`)
	s.Bytes(claude)
	if s.Held() != 0 || s.head.text != nil {
		t.Errorf("%d bytes are held, %d kept", s.Held(), len(s.head.text))
	}
	if n := testing.AllocsPerRun(10, func() { s.Bytes(noise) }); n > 0 {
		t.Errorf("%v allocations for more", n)
	}
	resumed, err := Resume(options(), s.Save())
	if err != nil {
		t.Fatal(err)
	}
	resumed.Bytes(claude)
	for _, s := range []*Stream{s, resumed} {
		if diff := cmp.Diff(Account{}, s.Account()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// A dialect that is guessed by what others have, too, gives way to one with a mark of its
// own, and all is read in that.
func TestAGuessGivesWayToABetterOne(t *testing.T) {
	s := New(options())
	s.Bytes(lines(`{"type":"system","subtype":"init","session_id":"s","model":"opus"}`))
	first := s.Account().Dialect
	s.Bytes(lines(`{"type":"tool_call","subtype":"started","session_id":"s","tool_call":{"readToolCall":{"args":{"path":"a"}}}}`))
	got := []string{first, s.Account().Dialect, s.Account().Session, s.Account().Model, string(s.Account().Activity.Doing)}
	if diff := cmp.Diff([]string{"claude", "cursor", "s", "opus", "read a"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// No secret is in the account or in what is saved.
func TestNoSecretIsKept(t *testing.T) {
	const secret = "sk-ant-REDACTME"
	o := options()
	o.Keep = func(text string) string { return strings.ReplaceAll(text, secret, "[redacted]") }
	told := 0
	for name, text := range recorded(t) {
		text = []byte(strings.NewReplacer(
			`"text":"`, `"text":"`+secret+` `, `"message":"`, `"message":"`+secret+` `, `"result":"`, `"result":"`+secret+` `,
			`"content":"`, `"content":"`+secret+` `, `"cwd":"`, `"cwd":"/`+secret, `"command":"`, `"command":"`+secret+` `,
			`"data":"`, `"data":"`+secret+` `, `"model":"`, `"model":"`+secret, `"limit_id":"`, `"limit_id":"`+secret,
			`"session_id":"`, `"session_id":"`+secret, `"sessionId":"`, `"sessionId":"`+secret,
		).Replace(string(text)))
		s := New(o)
		for line := range bytes.Lines(text) {
			s.Bytes(line)
			a := s.Account()
			if saved := s.Save(); bytes.Contains(saved, []byte("REDACTME")) {
				t.Fatalf("%s: %q is saved", name, saved)
			}
			texts := []string{a.Session, a.Model, string(a.Dir), a.Suspect, string(a.Activity.Doing), string(a.Activity.Message), string(a.Verdict.Message), a.Verdict.Model, a.Verdict.Session, a.Activity.Model}
			for _, r := range a.Readings {
				texts = append(texts, r.Limit)
			}
			for _, e := range a.Verdict.Evidence {
				texts = append(texts, string(e.Excerpt))
			}
			if all := strings.Join(texts, "\n"); strings.Contains(all, "REDACTME") {
				t.Fatalf("%s: %q is told", name, all)
			} else if strings.Contains(all, "[redacted]") {
				told++
			}
		}
	}
	if told < 100 {
		t.Errorf("only %d accounts had a secret to keep", told)
	}
}

// What is counted is each message, by the same number in all streams, with its latest usage.
func TestMessagesAreCounted(t *testing.T) {
	message := func(side, id, used string) string {
		return `{"type":"assistant","isSidechain":` + side + `,"message":{"id":"` + id + `","model":"opus","usage":{"output_tokens":` + used + `},"content":[{"type":"text","text":"x"}]}}`
	}
	read := func(all ...string) (map[uint64]run.Usage, Account) {
		got := map[uint64]run.Usage{}
		o := options()
		o.Counted = func(id uint64, u run.Usage) { got[id] = u }
		s := New(o)
		s.Bytes(lines(all...))
		return got, s.Account()
	}
	first, a := read(message("false", "a", "1"), message("true", "b", "5"), message("false", "a", "3"))
	if len(first) != 2 || a.Activity.Usage.Output != 8 {
		t.Errorf("counted %v, usage %+v", first, a.Activity.Usage)
	}
	second, a := read(message("true", "b", "7"))
	if a.Turn != TurnOpen || a.Model != "opus" || a.Activity.Message != "x" {
		t.Errorf("of a sub-agent's own file: %+v", a)
	}
	for id, u := range second {
		if _, ok := first[id]; !ok || u.Output != 7 {
			t.Errorf("message %x with %+v is another in the second stream", id, u)
		}
	}
}

// Whatever is taken up as saved, nothing panics, and the stream can be saved again.
func FuzzResume(f *testing.F) {
	for _, text := range recorded(f) {
		s := New(options())
		s.Bytes(append(text, '\n'))
		saved := s.Save()
		f.Add(saved[1:len(saved)-4], text[:min(len(text), 4000)])
	}
	f.Fuzz(func(t *testing.T, body, more []byte) {
		s, err := Resume(options(), pack.Seal(savedVersion, body))
		if err != nil {
			return
		}
		s.Account()
		if len(more) > 0 {
			s.Bytes(more)
		}
		s.Account()
		if _, err := Resume(options(), s.Save()); err != nil {
			t.Fatalf("saved again: %v", err)
		}
	})
}
