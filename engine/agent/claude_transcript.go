package agent

import (
	"bytes"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// dialectClaudeTranscript is the format in which claude keeps its sessions on disk.
const dialectClaudeTranscript = "claude-transcript"

// claudeTranscript reads ~/.claude/projects/*/*.jsonl. No record ends a turn: the last
// message of the main thread tells by its stop_reason whether it has ended. Records of
// agents below it, which have isSidechain set, say nothing of it but what they have used. A
// file that has no others is of such an agent, whose main thread they are.
type claudeTranscript struct {
	against
	session, model string
	dir            place
	main           bool // a record of the main thread was read
	asked          bool // so was a prompt or an answer
	usage          tally
	retries        int
	end            transcriptEnd
	classifier
}

// transcriptEnd is what the last message says; its line is zero if a turn is under way.
type transcriptEnd struct {
	line      int
	now       time.Time
	reason    string // why the model stopped; empty if it did not answer
	text, tag string // of the complaint that stands for an answer
	status    int
}

// interruption begins the record, as it stands there, by which claude says that its user has
// broken off the turn.
const interruption = `"[Request interrupted by user`

// interrupted is the reason of an end by that. No model gives it.
const interrupted = "interrupted"

// Beside those of claude's stream, by the same names, these are read.
const (
	transcriptSide record.Field = claudeArgument + 16 + iota
	transcriptFault
	transcriptMeta
	transcriptStop
)

func claudeTranscriptPaths() map[string]record.Field {
	paths := map[string]record.Field{
		"type": claudeType, "subtype": claudeSubtype, "sessionId": claudeSession, "cwd": claudeDir, "timestamp": claudeStamp, "error": claudeTag,
		"error.status": claudeStatus, "apiErrorStatus": claudeAPIStatus, "retryInMs": claudeDelay, "retryAttempt": claudeAttempt,
		"maxRetries": claudeMaxRetries, "isSidechain": transcriptSide, "isApiErrorMessage": transcriptFault, "isMeta": transcriptMeta,
		"message.stop_reason": transcriptStop, "message.model": claudeModel, "message.id": claudeID,
	}
	claudeMessagePaths(paths, "message.usage.", "message.content[].")
	return paths
}

func newClaudeTranscript(ref Reference) *claudeTranscript {
	return &claudeTranscript{against: against{ref}}
}

var _ dialect = (*claudeTranscript)(nil)

var claudeTranscriptWanted = record.WantsOnce(claudeTranscriptPaths)

func (*claudeTranscript) wanted() *record.Want { return claudeTranscriptWanted() }

func (*claudeTranscript) stamp() record.Field { return claudeStamp }

func (c *claudeTranscript) read(v *record.Values, line int) (s run.Sight) {
	kind := string(v.Fields[claudeType].Word())
	switch below := v.Fields[transcriptSide].Flag(); {
	case below && c.main:
		if kind == "assistant" && !v.Is(claudeModel, Synthetic) {
			if _, moved := c.count(v); moved {
				s.Usage = c.total()
			}
		}
		return s
	case !below && !c.main && (kind == "user" || kind == "assistant"):
		c.main = true
	}
	s.Dir = c.dir.moved(v.Fields[claudeDir])
	if !v.Is(claudeSession, c.session) {
		if id := record.PlainName(v.Fields[claudeSession].Text()); id != "" {
			c.session, s.Session = id, id
		}
	}
	switch kind {
	case "user":
		if !v.Fields[transcriptMeta].Flag() {
			c.asked, c.end = true, transcriptEnd{}
		}
		if v.Is(claudeBlockType, "text") && bytes.HasPrefix(v.Fields[claudeBlockText], []byte(interruption)) {
			c.end, s.Terminal = transcriptEnd{line: line, reason: interrupted}, true
		}
	case "system":
		if v.Is(claudeSubtype, "api_error") {
			c.retry(v, &s)
		}
	case "assistant":
		c.asked = true
		c.assistant(v, line, &s)
	}
	if s.Served != "" {
		c.retries = 0
	}
	return s
}

func (c *claudeTranscript) retry(v *record.Values, s *run.Sight) {
	s.Retry = retryNotice(v.Fields[claudeAttempt].Count(), v.Fields[claudeMaxRetries].Count(), v.Fields[claudeStatus].Count())
	if ms, ok := v.Fields[claudeDelay].Number(); ok {
		s.Retry.Delay = millis(ms)
	}
	if s.Limit = s.Retry.Status == 429; s.Limit {
		c.retries++
		s.Suspect = suspectRetries(c.retries)
	}
}

func (c *claudeTranscript) assistant(v *record.Values, line int, s *run.Sight) {
	end := transcriptEnd{line: line}
	if v.Fields[transcriptFault].Flag() || v.Is(claudeModel, Synthetic) {
		end.now = claudeNow(v, c.ref)
		end.text, end.tag = record.Whole(v.Fields[claudeBlockText].Text(), record.MaxErrorText), v.Fields[claudeTag].Text()
		end.status = int(v.Fields[claudeAPIStatus].Count())
		c.end = end
		s.Terminal = true
		if s.Limit = c.finding().class == run.ClassRateLimited; s.Limit {
			s.Suspect = "a call was rejected"
		}
		return
	}
	if !v.Is(claudeModel, c.model) {
		c.model = record.ModelName(v.Fields[claudeModel].Text())
		s.Model = c.model
	}
	used := claudeUsage(v)
	if s.Served = claudeBlock(v); s.Served == "" && used.Output > 0 {
		s.Served = servedTokens
	}
	fresh, moved := c.count(v)
	if fresh {
		s.Steps = 1
		if used.Tokens() == 0 {
			s.Idle = 1
		}
	}
	if moved {
		s.Usage = c.total()
	}
	switch reason := v.Fields[transcriptStop].Word(); string(reason) {
	case "", "tool_use", "pause_turn":
		c.end = transcriptEnd{}
	default:
		end.reason = string(reason)
		c.end, s.Terminal = end, true
	}
}

func (c *claudeTranscript) begun() bool { return c.asked }

// count takes what a message has used.
func (c *claudeTranscript) count(v *record.Values) (fresh, moved bool) {
	return c.usage.add(v.Fields[claudeID].Word(), claudeUsage(v), c.ref.Counted)
}

func (c *claudeTranscript) total() run.Usage {
	u := c.usage.sum
	u.Unpriced = u.Tokens()
	return u
}

func (c *claudeTranscript) finding() finding {
	p := problem{text: c.end.text, status: c.end.status, tag: c.end.tag, model: c.model}
	return c.classify(p)
}

func (c *claudeTranscript) terminal(End) (terminal, bool) {
	t := terminal{session: c.session, model: c.model, usage: c.total()}
	switch {
	case c.end.line == 0:
		return t, false
	case c.end.reason == "model_context_window_exceeded":
		t.verdict = plain(run.ClassContextOverflow, "claude.transcript."+c.end.reason, c.end.line, "")
		return t, true
	case c.end.reason == interrupted:
		t.verdict = plain(run.ClassCancelled, "claude.transcript."+interrupted, c.end.line, "")
		return t, true
	case c.end.reason != "":
		t.verdict = plain(run.ClassSuccess, "claude.transcript.stop", c.end.line, c.end.reason)
		return t, true
	}
	found := c.finding()
	t.verdict = found.verdict("claude.transcript.", c.end.line, c.end.text)
	if v := &t.verdict; found.class == run.ClassRateLimited {
		ref := c.ref
		ref.Now = c.end.now
		v.Reset, v.How = reset.Text(c.end.text, ref.clock())
		if v.Scope == run.ScopeModel && v.Model == "" {
			v.Model = c.model
		}
	}
	return t, true
}
