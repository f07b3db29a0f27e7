package agent

// presetCopilot has the context that copilot itself goes by where it knows no better
// one: its streams name it as maxPromptTokens and context_token_limit (version 1.0.102).
// It asks before it uses tools unless it is told not to; "args" is the place for that.
func presetCopilot() Preset {
	return Preset{
		Name: "copilot", Family: "copilot", Dialect: DialectCopilot, Executable: "copilot",
		Continue: continuePrompt, arguments: copilotArguments, context: 128_000,
		Login: []string{
			"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_HOME", "GH_HOST", "COPILOT_GH_HOST",
			"COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN",
		},
		Files: []LoginFile{{Var: "COPILOT_HOME", Dir: ".copilot", Name: "config.json"}},
	}
}

// copilotArguments leaves the prompt to the standard input: without -p copilot reads it
// there (`copilot --help`, "piped stdin"). The session is named at the end of a stream
// only, so that an attempt that was killed starts anew.
func copilotArguments(s Start) []string {
	var args []string
	if !holds(s.Args, "--output-format") {
		args = append(args, "--output-format", "json")
	}
	if !holds(s.Args, "--no-color") {
		args = append(args, "--no-color")
	}
	if s.Model != "" && !holds(s.Args, "--model") {
		args = append(args, "--model", s.Model)
	}
	if s.Session != "" {
		args = append(args, "--resume="+s.Session)
	}
	return append(args, s.Args...)
}
