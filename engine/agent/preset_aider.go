package agent

// presetAider has a context that most models exceed: aider names none, and takes those
// of its models from elsewhere. It has no sessions, so that each attempt starts anew. It
// asks before it creates files or runs commands unless it is told not to; "args" is the
// place for that.
func presetAider() Preset {
	return Preset{
		Name: "aider", Family: "aider", Dialect: DialectAider, Executable: "aider",
		Continue: continuePrompt, arguments: aiderArguments, context: 128_000,
		Login: []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "GEMINI_API_KEY", "DEEPSEEK_API_KEY"},
	}
}

// aiderArguments names the standard input as the file with the prompt
// (aider.chat/docs/config/options.html, --message-file). Its colours and bars would
// only have to be taken away again.
func aiderArguments(s Start) []string {
	args := []string{"--message-file", "/dev/stdin", "--no-pretty"}
	if s.Model != "" && !holds(s.Args, "--model") {
		args = append(args, "--model", s.Model)
	}
	return append(args, s.Args...)
}
