package agent

// qwen takes the steps out of a record of qwen, which are those of claude but for what it
// wrote itself in the name of the model.
func (t *Transcript) qwen(rec raw) {
	message := rec.member("message")
	var text raw
	elements(message.member("content"), func(block raw) { text = block.member("text") })
	if used := claudeTotal(message.member("usage")); !ownWords(dialectQwen, text, used) {
		t.claude(rec)
	}
}

// amp takes the steps out of a record of amp, which are those of claude but for the
// prompt: amp repeats it as what the model was told.
func (t *Transcript) amp(rec raw) {
	told := rec.member("type").text() == "user"
	elements(rec.member("message").member("content"), func(block raw) {
		told = told && block.member("type").text() == "text"
	})
	if !told {
		t.claude(rec)
	}
}
