package agent

func presetClaude() Preset {
	return Preset{
		Name: "claude", Family: "claude", Dialect: dialectClaude, Executable: "claude",
		Continue: continuePrompt, arguments: claudeArguments,
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
