package agent

// qwen takes the steps out of a record of qwen, which are those of claude but for what it
// wrote itself in the name of the model.
func (t *Transcript) qwen(record raw) {
	message := record.member("message")
	var text raw
	elements(message.member("content"), func(block raw) { text = block.member("text") })
	if used := claudeTotal(message.member("usage")); !claudeKin[dialectQwen].wrote(text, used) {
		t.claude(record)
	}
}

// amp takes the steps out of a record of amp, which are those of claude but for the
// prompt: amp repeats it as what the model was told.
func (t *Transcript) amp(record raw) {
	told := record.member("type").text() == "user"
	elements(record.member("message").member("content"), func(block raw) {
		told = told && block.member("type").text() == "text"
	})
	if !told {
		t.claude(record)
	}
}
