package agent

// presetCursor has the context of all models outside Max Mode (cursor.com/docs/models). It
// asks before it changes anything, and newer versions before they work in a directory at
// all; "args" is the place for what it may do.
func presetCursor() Preset {
	return Preset{
		Name: "cursor", Family: "cursor", Dialect: DialectCursor, Executable: "cursor-agent",
		Continue: continuePrompt, arguments: cursorArguments, context: 200_000,
		Login: []string{"CURSOR_API_KEY", "CURSOR_AUTH_TOKEN", "XDG_CONFIG_HOME"},
		Files: []LoginFile{
			{Var: "XDG_CONFIG_HOME", Dir: ".config", Name: "cursor/auth.json"}, {Dir: ".cursor", Name: "auth.json"},
		},
	}
}

// cursorArguments names no prompt: cursor reads it from the standard input
// (cursor.com/docs/cli/reference/output-format).
func cursorArguments(s Start) []string {
	return plainArguments([]string{"--print", "--output-format", "stream-json"}, s)
}
