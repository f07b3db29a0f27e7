package agent

// presetGemini has the context that gemini goes by for every model of its own
// (packages/core/src/core/tokenLimits.ts of github.com/google-gemini/gemini-cli). It asks
// before it uses tools, and does not in a directory that it was not told to trust; "args"
// is the place for that.
func presetGemini() Preset {
	return Preset{
		Name: "gemini", Family: "gemini", Dialect: DialectGemini, Executable: "gemini",
		Continue: continuePrompt, arguments: geminiArguments,
		context: 1_048_576, windows: []window{{"gemma", 256_000}},
		Login: []string{
			"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "GOOGLE_GEMINI_BASE_URL",
			"GEMINI_CLI_HOME",
		},
		Files: []LoginFile{
			{Var: "GEMINI_CLI_HOME", Name: ".gemini/oauth_creds.json"},
			{Var: "GEMINI_CLI_HOME", Name: ".gemini/gemini-credentials.json"},
			{Var: "GEMINI_CLI_HOME", Name: ".gemini/.env"},
		},
	}
}

// geminiArguments names no prompt: where the standard input is no terminal gemini reads
// it from there. It resumes a session by its id, though its help names a number.
func geminiArguments(s Start) []string {
	return plainArguments([]string{"--output-format", "stream-json"}, s)
}

// plainArguments are options that many agents have in common: the model, unless s.Args
// name one, and the session.
func plainArguments(args []string, s Start) []string {
	if s.Model != "" && !holds(s.Args, "--model") && !holds(s.Args, "-m") {
		args = append(args, "--model", s.Model)
	}
	if s.Session != "" {
		args = append(args, "--resume", s.Session)
	}
	return append(args, s.Args...)
}
