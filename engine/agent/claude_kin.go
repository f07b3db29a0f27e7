package agent

import (
	"bytes"
	"strconv"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

const (
	DialectQwen = "qwen"
	DialectAmp  = "amp"
)

// kin tells how the stream of an agent differs from that of claude, whose shape it has.
type kin struct {
	name string
	// partial is set if messages that stream in are those of a model.
	partial bool
	// inclusive is set if the input that it states includes what came from a cache.
	inclusive bool
	// whole is set if a result states the usage of the whole process.
	whole bool
	// bare is set if its messages have neither a model nor an id.
	bare bool
	// ownError begins the messages that it writes in the name of the model when a call has
	// failed, as they stand in a record; empty if it writes none.
	ownError string
}

// claudeKin are the agents whose streams have the shape of claude's.
//
// Of qwen the streamed parts of a message tell nothing: it streams its own error messages in
// the same way (packages/core/src/utils/errorParsing.ts of github.com/QwenLM/qwen-code).
var claudeKin = map[string]kin{
	DialectClaude: {name: DialectClaude, partial: true},
	DialectQwen:   {name: DialectQwen, inclusive: true, whole: true, ownError: `"[API Error: `},
	DialectAmp:    {name: DialectAmp, inclusive: true, bare: true},
}

// messageID is the id of a message, or for a message without any one of its own, by its
// file and line.
func (k kin) messageID(v *record.Values, line int, file string) []byte {
	if id := v.Fields[claudeID].Word(); len(id) > 0 || !k.bare {
		return id
	}
	return strconv.AppendInt(append([]byte(file), 0), int64(line), 10)
}

// stated is a usage that the agent states, with the cached part of the input apart.
func (k kin) stated(u run.Usage) run.Usage {
	if k.inclusive {
		u.Input = max(0, u.Input-u.CacheRead-u.CacheWrite)
	}
	return u
}

// wrote reports a text that the agent itself has written: no model used a token for it.
func (k kin) wrote(text record.Raw, used run.Usage) bool {
	return k.ownError != "" && used.Tokens() == 0 && bytes.HasPrefix(text, []byte(k.ownError))
}

// OwnWords reports a text that the agent of a dialect itself has written in the name of
// the model.
func OwnWords(dialect string, text record.Raw, used run.Usage) bool {
	return claudeKin[dialect].wrote(text, used)
}
