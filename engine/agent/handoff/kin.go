package handoff

import (
	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/record"
)

// qwen takes the steps out of a record of qwen, which are those of claude but for what it
// wrote itself in the name of the model.
func (t *Transcript) qwen(rec record.Raw) {
	message := rec.Member("message")
	var text record.Raw
	record.Elements(message.Member("content"), func(block record.Raw) { text = block.Member("text") })
	if used := agent.ClaudeTotal(message.Member("usage")); !agent.OwnWords(agent.DialectQwen, text, used) {
		t.claude(rec)
	}
}

// amp takes the steps out of a record of amp, which are those of claude but for the
// prompt: amp repeats it as what the model was told.
func (t *Transcript) amp(rec record.Raw) {
	told := rec.Member("type").Text() == "user"
	record.Elements(rec.Member("message").Member("content"), func(block record.Raw) {
		told = told && block.Member("type").Text() == "text"
	})
	if !told {
		t.claude(rec)
	}
}
