package agent

func presetClaude() Preset {
	return Preset{
		Name: "claude", Family: "claude", Dialect: dialectClaude, Executable: "claude",
		Continue: continuePrompt, arguments: claudeArguments,
		Login: []string{
			"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR",
		},
	}
}

func claudeArguments(s Start) []string {
	args := []string{"-p", "--output-format", "stream-json", "--verbose"}
	if s.Probe {
		args = append(args, "--include-partial-messages")
	}
	if s.Model != "" {
		args = append(args, "--model", s.Model)
	}
	if s.Session != "" {
		args = append(args, "--resume", s.Session)
	}
	return append(args, s.Args...)
}
