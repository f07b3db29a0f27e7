package agent

// presetOpencode has the smallest limit.context that models.dev lists for models meant
// for coding, and those of the families that its users have most; opencode goes by that
// list. Its models are named provider/model. What it prints names its session at once.
func presetOpencode() Preset {
	return Preset{
		Name: "opencode", Family: "opencode", Dialect: DialectOpencode, Executable: "opencode",
		Continue: continuePrompt, Priced: true, arguments: opencodeArgv,
		context: 128_000, windows: []window{{"claude", 200_000}, {"gpt-5", 272_000}, {"gemini", 1_000_000}},
		Login: []string{
			"OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
			"OPENCODE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY",
		},
		Files: []LoginFile{{Var: "XDG_DATA_HOME", Dir: ".local/share", Name: "opencode/auth.json"}},
	}
}

// opencodeArgv leaves the prompt to the standard input, which `opencode run` adds to the
// message of its command line (packages/opencode/src/cli/cmd/run.ts of
// github.com/anomalyco/opencode).
func opencodeArgv(s Start) []string {
	args := []string{"run"}
	if !holds(s.Args, "--format") {
		args = append(args, "--format", "json")
	}
	if s.Model != "" && !holds(s.Args, "--model") && !holds(s.Args, "-m") {
		args = append(args, "--model", s.Model)
	}
	if s.Session != "" {
		args = append(args, "--session", s.Session)
	}
	return append(args, s.Args...)
}
