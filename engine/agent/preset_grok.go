package agent

// presetGrok is Grok Build. It has the context of Grok Build 0.1 and of the models
// before it (vercel.com/ai-gateway/models/grok-build-0.1, docs.x.ai/docs/models). It
// asks before it uses tools, and ends as cancelled, unless it is told not to; "args" is
// the place for that.
func presetGrok() Preset {
	return Preset{
		Name: "grok", Family: "grok", Dialect: DialectGrok, Executable: "grok",
		Continue: continuePrompt, Priced: true, arguments: grokArguments, context: 256_000,
		Login: []string{"XAI_API_KEY", "GROK_HOME"},
		Files: []LoginFile{{Var: "GROK_HOME", Dir: ".grok", Name: "auth.json"}},
	}
}

// grokArguments names the standard input as the file with the prompt: grok does not read
// it by itself (user-guide/14-headless-mode.md of github.com/xai-org/grok-build). The
// session is named at the end of a stream only, so that an attempt that was killed
// starts anew.
func grokArguments(s Start) []string {
	args := []string{"--prompt-file", "/dev/stdin"}
	if !holds(s.Args, "--output-format") {
		args = append(args, "--output-format", "streaming-json")
	}
	return plainArguments(args, s)
}
