package agent

// presetAmp has the smallest context that amp is known to state, as max_tokens of a
// message: it depends on the mode, and on what amp keeps for the answer
// (ampcode.com/news/streaming-json).
func presetAmp() Preset {
	return Preset{
		Name: "amp", Family: "amp", Dialect: DialectAmp, Executable: "amp",
		Continue: continuePrompt, arguments: ampArguments, context: 168_000,
		Login: []string{"AMP_API_KEY", "AMP_URL", "XDG_DATA_HOME"},
		Files: []LoginFile{{Var: "XDG_DATA_HOME", Dir: ".local/share", Name: "amp/secrets.json"}},
	}
}

// ampArguments names no prompt: amp reads it from the standard input. Models cannot be
// chosen but by a mode, which stands in the model's place. A session is a thread.
func ampArguments(s Start) []string {
	var args []string
	if s.Session != "" {
		args = []string{"threads", "continue", s.Session}
	}
	args = append(args, "--execute", "--stream-json")
	if s.Model != "" && !holds(s.Args, "--mode") && !holds(s.Args, "-m") {
		args = append(args, "--mode", s.Model)
	}
	return append(args, s.Args...)
}
