package scripted

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestClaudeAtWork(t *testing.T) {
	dir := created(t, small(t, "[[provider.window]]\nname = \"five_hour\"\ncalls = [10]\nlength = \"5h\"\n", ""), still())
	p := playAgent(t, dir, "claude", "Mend the unit tests.", claudeArgs("--model", "sonnet")...)
	if p.code != 0 || p.stderr != "" {
		t.Fatalf("exit %d: %s", p.code, p.stderr)
	}
	init, end := p.records[0], p.last()
	got := []any{
		init.text("model"), end.at("is_error"), end.text("subtype"), end.at("num_turns"), end.text("terminal_reason"),
		end.text("session_id") == init.text("session_id"), end.at("total_cost_usd").(float64) > 0,
	}
	if d := cmp.Diff([]any{"claude-sonnet-4-5", false, "success", 5.0, "completed", true, true}, got); d != "" {
		t.Error(d)
	}
	counts := map[string]int{}
	for _, k := range p.kinds() {
		counts[k]++
	}
	if counts["assistant/tool_use"] != 4 || counts["user/tool_result"] != 4 || counts["rate_limit_event"] != 1 {
		t.Errorf("%v", counts)
	}
	if n := books(t, dir).Accounts["claude"].Meters[0].Used; n != 5 {
		t.Errorf("%d calls are used", n)
	}
}

// A tool's result must name the call that it answers, and nothing else does.
func TestToolsAreAnswered(t *testing.T) {
	dir := created(t, small(t, "", ""), still())
	var open string
	for _, r := range playAgent(t, dir, "claude", "unit tests", claudeArgs()...).records {
		switch {
		case r.text("message", "content", "type") == "tool_use":
			open = r.text("message", "content", "id")
		case r.text("type") == "user" && (open == "" || r.text("message", "content", "tool_use_id") != open):
			t.Errorf("%v does not answer %q", r, open)
		}
	}
	started, completed := map[string]string{}, map[string]bool{}
	for _, r := range playAgent(t, dir, "codex", "unit tests", codexArgs("-")...).records {
		id := r.text("item", "id")
		switch r.text("type") {
		case "item.started":
			started[id] = r.text("item", "type")
		case "item.completed":
			if typ := started[id]; typ != "" && typ != r.text("item", "type") {
				t.Errorf("%s was started as %s and completed as %s", id, typ, r.text("item", "type"))
			}
			if completed[id] {
				t.Errorf("%s was completed twice", id)
			}
			completed[id] = true
			delete(started, id)
		}
	}
	if len(started) != 0 {
		t.Errorf("left open: %v", started)
	}
}

func TestCodexAtWork(t *testing.T) {
	dir := created(t, small(t, "", ""), still())
	p := playAgent(t, dir, "codex", "Mend the unit tests.", codexArgs("-")...)
	if p.code != 0 || p.stderr != "" {
		t.Fatalf("exit %d: %s", p.code, p.stderr)
	}
	if d := cmp.Diff([]string{"thread.started", "turn.started", "item.completed/reasoning"}, p.kinds()[:3]); d != "" {
		t.Error(d)
	}
	usage := func(p played) float64 { n, _ := p.last().at("usage", "output_tokens").(float64); return n }
	if p.last().text("type") != "turn.completed" || usage(p) == 0 {
		t.Errorf("ended with %v", p.last())
	}
	// The usage of a thread goes on when it is resumed.
	again := playAgent(t, dir, "codex", "go on", codexArgs("resume", p.records[0].text("thread_id"), "-")...)
	if usage(again) <= usage(p) {
		t.Errorf("usage went from %v to %v", usage(p), usage(again))
	}
}

func TestPartialMessages(t *testing.T) {
	dir := created(t, small(t, "", ""), still())
	p := playAgent(t, dir, "claude", "anything", claudeArgs("--include-partial-messages")...)
	want := []string{"system/init", "stream_event/message_start", "stream_event/content_block_start", "stream_event/content_block_delta", "assistant/text"}
	if d := cmp.Diff(want, p.kinds()[:5]); d != "" {
		t.Error(d)
	}
}

func TestResumeGoesOn(t *testing.T) {
	tests := map[string]struct {
		family        string
		first, resume func(id string) []string
		id            func(played) string
	}{
		"claude": {
			"claude",
			func(string) []string { return claudeArgs() },
			func(id string) []string { return claudeArgs("--resume", id) },
			func(p played) string { return p.last().text("session_id") },
		},
		"codex": {
			"codex",
			func(string) []string { return codexArgs("-") },
			func(id string) []string { return codexArgs("resume", id, "-") },
			func(p played) string { return p.records[0].text("thread_id") },
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			const cut = "cut_calls = [4]\n"
			dir := created(t, small(t, cut, cut), still())
			p := playAgent(t, dir, tt.family, "unit tests", tt.first("")...)
			id := tt.id(p)
			if s := books(t, dir).Sessions[tt.family+"/"+id]; p.code != 1 || s.Done != 3 || s.Steps != 5 {
				t.Fatalf("exit %d after %d of %d steps", p.code, s.Done, s.Steps)
			}
			p = playAgent(t, dir, tt.family, "Continue.", tt.resume(id)...)
			if s := books(t, dir).Sessions[tt.family+"/"+id]; p.code != 0 || s.Done != 5 || s.Runs != 2 || tt.id(p) != id {
				t.Errorf("exit %d after %d steps in %d runs of %s", p.code, s.Done, s.Runs, tt.id(p))
			}
			if n := books(t, dir).Accounts[tt.family].Calls; n != 4+2 {
				t.Errorf("%d calls for five steps, one of them cut", n)
			}
			p = playAgent(t, dir, tt.family, "unit tests", tt.first("")...)
			if s := books(t, dir).Sessions[tt.family+"/"+tt.id(p)]; tt.id(p) == id || s.Done != 5 || s.Number != 2 {
				t.Errorf("a fresh session is %+v", s)
			}
			p = playAgent(t, dir, tt.family, "", tt.resume("ffffffff-0000-4000-8000-000000000000")...)
			if p.code != 1 || p.stdout != "" || !strings.Contains(p.stderr, errNoSession.Error()) {
				t.Errorf("an unknown session: exit %d, %q, %q", p.code, p.stdout, p.stderr)
			}
		})
	}
}

func TestHandoffShortensTheWork(t *testing.T) {
	dir := created(t, small(t, "", ""), still())
	p := playAgent(t, dir, "codex", "Mend the unit tests.\n\n<HANDOFF>what was done</HANDOFF>", codexArgs("-")...)
	if s := books(t, dir).Sessions["codex/"+p.records[0].text("thread_id")]; s.Task != "tests" || s.Steps != 3 {
		t.Errorf("%+v", s)
	}
}

func TestBadArguments(t *testing.T) {
	dir := created(t, small(t, "", ""), still())
	tests := map[string][]string{
		"nothing":           {},
		"no such family":    {"gemini", dir},
		"claude talks":      {"claude", dir, "--output-format", "stream-json", "--verbose"},
		"claude in text":    {"claude", dir, "-p"},
		"claude quiet":      {"claude", dir, "-p", "--output-format", "stream-json"},
		"claude resume":     {"claude", dir, "-p", "--output-format=stream-json", "--verbose", "--resume"},
		"codex talks":       {"codex", dir, "--json"},
		"codex in text":     {"codex", dir, "exec", "-"},
		"codex resume":      {"codex", dir, "exec", "--json", "resume"},
		"codex resume dash": {"codex", dir, "exec", "--json", "resume", "-"},
	}
	for name, args := range tests {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := Play(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
			if code != exitUsage || stdout.Len() != 0 || stderr.Len() == 0 {
				t.Errorf("exit %d, %q, %q", code, stdout.String(), stderr.String())
			}
		})
	}
}

// Two runs of one seed at speed 0 write the same bytes, whatever the world does.
func TestDeterminism(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "demo", "world.toml"))
	if err != nil {
		t.Fatal(err)
	}
	world, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	evening := func(w World) string {
		dir := created(t, w, still())
		var all strings.Builder
		for i, prompt := range []string{"unit tests of the cart", "linter findings", "anything else", "linter findings"} {
			p := playAgent(t, dir, "claude", prompt, claudeArgs()...)
			all.WriteString(p.stdout)
			if i == 0 {
				p = playAgent(t, dir, "claude", "", claudeArgs("--resume", p.last().text("session_id"))...)
				all.WriteString(p.stdout)
			}
			all.WriteString(playAgent(t, dir, "codex", prompt, codexArgs("-")...).stdout)
		}
		state, err := os.ReadFile(filepath.Join(dir, "state.json"))
		if err != nil {
			t.Fatal(err)
		}
		return all.String() + string(state) + opened(t, dir).Now().String()
	}
	once := evening(world)
	if d := cmp.Diff(once, evening(world)); d != "" {
		t.Errorf("the second evening differs: %s", d)
	}
	world.Seed++
	if evening(world) == once {
		t.Error("another seed makes no difference")
	}
}

// chunks keeps what each write brought, and when.
type chunks struct {
	all [][]byte
	at  []time.Time
}

func (c *chunks) Write(p []byte) (int, error) {
	c.all, c.at = append(c.all, bytes.Clone(p)), append(c.at, time.Now())
	return len(p), nil
}

func TestTornLinesAreCompleted(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := small(t, "", "")
		w.Work.TornEvery = 2
		if err := Create(dir, w, Params{Epoch: epoch(), Real: time.Now(), Speed: 1}); err != nil {
			t.Fatal(err)
		}
		var c chunks
		if code := Play(t.Context(), append([]string{"claude", dir}, claudeArgs()...), strings.NewReader("x"), &c, os.Stderr); code != 0 {
			t.Fatalf("exit %d", code)
		}
		torn := 0
		for i, chunk := range c.all {
			if !bytes.HasSuffix(chunk, []byte("\n")) {
				if torn++; c.at[i+1].Sub(c.at[i]) < w.Work.TornPause.D() {
					t.Errorf("the second half came after %s", c.at[i+1].Sub(c.at[i]))
				}
			}
		}
		all := recordsOf(t, string(bytes.Join(c.all, nil)))
		if torn == 0 || torn == len(all) {
			t.Errorf("%d of %d lines are torn", torn, len(all))
		}
	})
}

// At speed 0 an agent's work moves the clock, by as much as the steps take, and
// the agent sleeps for none of it.
func TestWorkMovesTheClock(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		if err := Create(dir, small(t, "start = \"3s\"\n", ""), still()); err != nil {
			t.Fatal(err)
		}
		c, began := opened(t, dir), time.Now()
		playAgent(t, dir, "claude", "unit tests", claudeArgs()...)
		took := c.Ahead().Sub(epoch())
		if took < 3*time.Second+5*5*time.Second || took > 3*time.Second+5*15*time.Second {
			t.Errorf("five steps of 5 to 15 s took %s", took)
		}
		if slept := time.Since(began); slept != 0 {
			t.Errorf("slept %s", slept)
		}
	})
}

func TestTerminated(t *testing.T) {
	tests := map[string]struct {
		args []string
		want int
	}{
		"claude": {claudeArgs(), 143},
		"codex":  {codexArgs("-"), 0},
	}
	for family, tt := range tests {
		t.Run(family, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				if err := Create(dir, small(t, "", ""), Params{Epoch: epoch(), Real: time.Now(), Speed: 1}); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
				defer cancel()
				var stdout, stderr bytes.Buffer
				code := Play(ctx, append([]string{family, dir}, tt.args...), strings.NewReader("x"), &stdout, &stderr)
				p := played{records: recordsOf(t, stdout.String())}
				if typ := p.last().text("type"); code != tt.want || typ == "result" || typ == "turn.failed" || len(p.records) < 2 {
					t.Errorf("exit %d after %v: %s", code, p.kinds(), stderr.String())
				}
			})
		})
	}
}
