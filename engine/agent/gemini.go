package agent

import (
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

const DialectGemini = "gemini"

// gemini reads `gemini --output-format stream-json` (packages/core/src/output/types.ts of
// github.com/google-gemini/gemini-cli). It tries again without a word in its stream.
type gemini struct {
	against
	session, model string
	kept           bool // a model has called a tool or answered: a session without that is not kept
	usage          run.Usage
	message        record.Speech // that of the model, while its parts come
	fault          string        // of the last record of the type error
	last           []byte        // the stamp of the last record, a JSON text
	end            geminiEnd
}

// geminiEnd is the terminal record; its line is zero if none came.
type geminiEnd struct {
	line          int
	now           time.Time
	failed        bool
	kind, message string
}

func newGemini(ref Reference) *gemini { return &gemini{against: against{ref}} }

var _ dialect = (*gemini)(nil)

// What is read of the records of gemini.
const (
	geminiType record.Field = iota + 1
	geminiStamp
	geminiSession
	geminiModel
	geminiRole
	geminiContent
	geminiTool
	geminiMessage
	geminiStatus
	geminiFaultType
	geminiFaultMessage
	geminiTotal
	geminiInput
	geminiOutput
	geminiCached
	geminiArgument // the first of mainArguments
)

var geminiWanted = record.WantsOnce(func() map[string]record.Field {
	paths := map[string]record.Field{
		"type": geminiType, "timestamp": geminiStamp, "session_id": geminiSession, "model": geminiModel, "role": geminiRole,
		"content": geminiContent, "tool_name": geminiTool, "message": geminiMessage, "status": geminiStatus,
		"error.type": geminiFaultType, "error.message": geminiFaultMessage, "stats.total_tokens": geminiTotal,
		"stats.input_tokens": geminiInput, "stats.output_tokens": geminiOutput, "stats.cached": geminiCached,
	}
	for i, name := range mainArguments {
		paths["parameters."+name] = geminiArgument + record.Field(i)
	}
	return paths
})

func (*gemini) wanted() *record.Want { return geminiWanted() }

func (*gemini) stamp() record.Field { return geminiStamp }

func (g *gemini) read(v *record.Values, line int) (s run.Sight) {
	if stamp := v.Fields[geminiStamp]; len(stamp) > 0 && len(stamp) < record.MaxName {
		g.last = append(g.last[:0], stamp...)
	}
	talking := false
	switch string(v.Fields[geminiType].Word()) {
	case "init":
		g.session, g.kept = record.PlainName(v.Fields[geminiSession].Text()), false
		g.model = record.ModelName(v.Fields[geminiModel].Text())
		s.Model = g.model
	case "message":
		if !v.Is(geminiRole, "assistant") {
			break
		}
		s.Served, talking = servedText, true
		v.Act = g.message.Add(v.Fields[geminiContent])
	case "tool_use":
		s.Served = servedTool
		v.Act = record.Act{Verb: v.Fields[geminiTool], Object: firstText(v, geminiArgument, len(mainArguments))}
	case "error":
		g.fault = record.Whole(v.Fields[geminiMessage].Text(), record.MaxErrorText)
	case "result":
		g.ended(v, line, &s)
	default:
		return s
	}
	if !talking {
		g.message.End()
	}
	if (s.Served == servedTool || s.Terminal && s.Served != "") && !g.kept && g.session != "" {
		g.kept, s.Session, s.Model = true, g.session, g.model
	}
	return s
}

func (g *gemini) ended(v *record.Values, line int, s *run.Sight) {
	g.end = geminiEnd{line: line, now: g.ref.at(v.Fields[geminiStamp].Text()), failed: !v.Is(geminiStatus, "success")}
	if g.end.failed {
		g.end.kind = record.Cut(v.Fields[geminiFaultType].Text(), record.MaxName)
		g.end.message = record.Whole(v.Fields[geminiFaultMessage].Text(), record.MaxErrorText)
		if g.end.message == "" {
			g.end.message = g.fault // some results have no reason of their own
		}
	}
	g.usage = geminiUsage(v)
	s.Terminal, s.Usage, s.Steps = true, g.usage, 1
	// Of a failed one they may be those of questions beside the work, which a smaller model
	// answered.
	if g.usage.Output > 0 && !g.end.failed {
		s.Served = servedTokens
	}
	if g.usage.Tokens() == 0 {
		s.Idle = 1
	}
}

// geminiUsage is what the process has used. Cached input is a part of the input; the
// total includes thoughts, which are in neither count.
func geminiUsage(v *record.Values) run.Usage {
	in, out := v.Fields[geminiInput].Count(), v.Fields[geminiOutput].Count()
	u := run.Usage{
		CacheRead: v.Fields[geminiCached].Count(),
		Output:    max(out, v.Fields[geminiTotal].Count()-in),
	}
	u.Input = max(0, in-u.CacheRead)
	u.Unpriced = u.Tokens() // it never states a cost
	return u
}

func (g *gemini) terminal(end End) (t terminal, ok bool) {
	t = terminal{model: g.model, usage: g.usage}
	if g.kept {
		t.session = g.session
	}
	const prefix = "gemini.result."
	switch {
	case g.end.line == 0:
		t.verdict, ok = g.waiting(end)
		return t, ok
	case !g.end.failed:
		t.verdict = plain(run.ClassSuccess, prefix+"success", g.end.line, "")
		return t, true
	case g.end.kind == "FatalCancellationError":
		t.verdict = plain(run.ClassCancelled, prefix+"cancelled", g.end.line, g.end.message)
		return t, true
	case g.end.kind == "FatalTurnLimitedError":
		t.verdict = plain(run.ClassFailed, prefix+"max_turns", g.end.line, g.end.message)
		return t, true
	}
	ref := g.ref
	ref.Now = g.end.now
	f := readGoogleFault(g.end.message)
	p := problem{text: strings.TrimSpace(f.text + "\n" + f.words), status: f.status, model: g.asked()}
	if p.status == 0 {
		p.status = end.meaning(g).status
	}
	if g.end.kind == "FatalAuthenticationError" {
		p.tag = "authentication_failed"
	}
	found := p.classify()
	if found.class == run.ClassRateLimited && f.model != "" {
		found.scope, found.model = run.ScopeModel, f.model
	}
	t.verdict = found.verdict(prefix, g.end.line, g.end.message)
	if v := &t.verdict; found.class == run.ClassRateLimited {
		v.Reset, v.How = reset.Text(g.end.message, ref.clock())
	}
	return t, true
}

// asked is the model that the stream names, or the one that was asked for.
func (g *gemini) asked() string {
	if g.model != "" {
		return g.model
	}
	return g.ref.Model
}

// exit tells what an exit status says of an agent that ended without a result: its own
// (packages/core/src/utils/errors.ts), or the last byte of the HTTP status that it died of.
func (*gemini) exit(code int) exitMeaning {
	switch code {
	case 41:
		return exitMeaning{class: run.ClassAuth}
	case 42, 44, 52, 53, 54, 55:
		return exitMeaning{class: run.ClassFailed}
	}
	for _, status := range []int{400, 401, 403, 404, 429, 499, 500, 503} {
		if code == status&0xff {
			return exitMeaning{class: run.ClassFailed, status: status}
		}
	}
	return exitMeaning{}
}
