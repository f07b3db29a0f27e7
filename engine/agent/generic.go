package agent

import (
	"strconv"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

const DialectGeneric = "generic"

// generic reads any command: that it ended without a fault is success. What it prints
// means something by the operator's rules only, and only if it failed.
type generic struct {
	against
	tail []spoken
	size int
}

// spoken is a line of words.
type spoken struct {
	line int
	text string
}

func newGeneric(ref Reference) *generic { return &generic{against: against{ref}} }

var (
	_ dialect   = (*generic)(nil)
	_ plainText = (*generic)(nil)
)

func (*generic) wanted() *record.Want { return record.Wants(nil) }

func (*generic) read(*record.Values, int) run.Sight { return run.Sight{} }

// words keeps the last lines.
func (g *generic) words(text string, line int) run.Sight {
	g.tail = append(g.tail, spoken{line, text})
	for g.size += len(text); g.size > record.MaxErrorText && len(g.tail) > 1; g.tail = g.tail[1:] {
		g.size -= len(g.tail[0].text)
	}
	return run.Sight{Message: record.DoingText("", text)}
}

func (g *generic) terminal(end End) (terminal, bool) {
	var t terminal
	switch exit := "generic.exit." + strconv.Itoa(end.Exit.Code); {
	case end.Cause != "":
		return t, false // it was ended: whatever its exit says, the work is not done
	case end.clean():
		t.verdict = plain(run.ClassSuccess, exit, 0, "")
	case !end.failed():
		return t, false
	default:
		said := g.said(end)
		var last spoken
		if len(said) > 0 {
			last = said[len(said)-1]
		}
		t.verdict = plain(run.ClassFailed, exit, last.line, last.text)
		if v, ok := judgeByRules(g.ref, said); ok {
			t.verdict = v
		}
	}
	return t, true
}

// said is the last part of what the command printed: of its output, then of its errors,
// which have no line numbers.
func (g *generic) said(end End) []spoken {
	all := g.tail[:len(g.tail):len(g.tail)]
	for _, text := range shownLines(end.lastWords()) {
		all = append(all, spoken{0, text})
	}
	return all
}
