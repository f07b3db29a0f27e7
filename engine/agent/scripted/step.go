package scripted

import (
	"fmt"
	"strings"
	"time"
)

// step is what one served call makes an agent do.
type step struct {
	// index counts the steps of the session from zero.
	index int
	// lasts is how long it takes, from the call to its last line.
	lasts time.Duration
	// final is set on the step that ends the work: it only says something.
	final bool
	// says is what the model says first; it may be empty unless final is set.
	says string
	// command is set if the step runs one, file if it edits one.
	command, output   string
	file, before, now string
	tokens            Tokens
}

// Tokens counts what calls took.
type Tokens struct {
	Input      int `json:"input"`
	CacheRead  int `json:"cache_read"`
	CacheWrite int `json:"cache_write"`
	Output     int `json:"output"`
	Reasoning  int `json:"reasoning"`
}

func (t Tokens) plus(u Tokens) Tokens {
	return Tokens{
		Input: t.Input + u.Input, CacheRead: t.CacheRead + u.CacheRead, CacheWrite: t.CacheWrite + u.CacheWrite,
		Output: t.Output + u.Output, Reasoning: t.Reasoning + u.Reasoning,
	}
}

// usd is the price of tokens; reading a cache costs a tenth of input.
func (p Provider) usd(t Tokens) float64 {
	in := float64(t.Input) + float64(t.CacheWrite)*1.25 + float64(t.CacheRead)*0.1
	return (in*p.InputUSD + float64(t.Output)*p.OutputUSD) / 1e6
}

// step draws the next step of a session.
func (w World) step(family string, s Session) step {
	t := w.named(s.Task)
	key := func(what string) []any { return []any{what, family, s.Task, s.Number, s.Done} }
	n := step{
		index: s.Done,
		lasts: w.spread(t.Step.D(), w.Work.Jitter, key("length")...),
		final: s.Done >= s.Steps-1,
		tokens: Tokens{
			Input:      w.between(4, 40, key("input")...),
			CacheRead:  9000 + 1800*s.Done + w.between(0, 900, key("read")...),
			CacheWrite: w.between(300, 1900, key("write")...),
			Output:     w.between(60, 700, key("output")...),
			Reasoning:  w.between(0, 40, key("reasoning")...),
		},
	}
	switch {
	case n.final:
		n.says = fmt.Sprintf("Done with %s: the change is in and the checks pass.", s.Task)
	case w.chance(key("edits")...) < 0.4:
		n.file = pick(t.Files, s.Done)
		n.before = "\treturn nil, err\n"
		n.now = fmt.Sprintf("\treturn nil, fmt.Errorf(\"%s: %%w\", err)\n", base(n.file))
	default:
		n.command = pick(t.Commands, s.Done)
		n.output = outputOf(n.command, w.between(100, 990, key("took")...))
	}
	if !n.final && s.Done%2 == 0 {
		n.says = pick(t.Says, s.Done/2)
	}
	return n
}

// pick takes a list in turn.
func pick(list []string, i int) string { return list[i%len(list)] }

func base(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	stem, _, _ := strings.Cut(name, ".")
	return stem
}

// outputOf makes up what a command prints. No command is ever run.
func outputOf(command string, millis int) string {
	switch {
	case strings.HasPrefix(command, "go test"):
		return fmt.Sprintf("ok  \texample.com/shop/internal/cart\t0.%03ds\nok  \texample.com/shop/internal/parse\t1.%03ds\n", millis, 999-millis)
	case strings.HasPrefix(command, "git status"):
		return " M internal/parse/lexer.go\n?? internal/parse/lexer_test.go\n"
	case strings.HasPrefix(command, "git diff"):
		return fmt.Sprintf(" internal/parse/lexer.go | %d ++++++---\n 1 file changed\n", millis%40+3)
	case strings.HasPrefix(command, "rg ") || strings.HasPrefix(command, "grep "):
		return fmt.Sprintf("internal/parse/lexer.go:%d:func (l *lexer) next() token {\n", millis)
	default:
		return ""
	}
}
