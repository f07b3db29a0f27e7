package agent

// presetQwen has the contexts that qwen goes by (packages/core/src/core/tokenLimits.ts of
// github.com/QwenLM/qwen-code). Of the models behind other providers it knows more; those
// here are read as the smallest of them. It asks before it uses tools; "args" is the place
// for what it may do.
//
// A probe asks for no parts of messages: qwen streams its own error messages as if they
// came from the model.
func presetQwen() Preset {
	return Preset{
		Name: "qwen", Family: "qwen", Dialect: DialectQwen, Executable: "qwen",
		Continue: continuePrompt, arguments: qwenArguments,
		context: 131_072, windows: []window{
			{"qwen3-coder-plus", 1_000_000},
			{"qwen3-coder-flash", 1_000_000},
			{"qwen3.", 1_000_000},
			{"coder-model", 1_000_000},
			{"gemini-", 1_000_000},
			{"claude-", 200_000},
			{"qwen", 262_144},
		},
		Login: []string{
			"OPENAI_API_KEY", "OPENAI_BASE_URL", "DASHSCOPE_API_KEY", "BAILIAN_CODING_PLAN_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY",
			"QWEN_HOME",
		},
		Files: []LoginFile{
			{Var: "QWEN_HOME", Dir: ".qwen", Name: "oauth_creds.json"},
			{Var: "QWEN_HOME", Dir: ".qwen", Name: "settings.json"},
			{Var: "QWEN_HOME", Dir: ".qwen", Name: ".env"},
		},
	}
}

// qwenArguments names no prompt: qwen reads it from the standard input.
func qwenArguments(s Start) []string {
	return plainArguments([]string{"--output-format", "stream-json"}, s)
}
