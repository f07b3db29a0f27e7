package agent

import (
	"slices"
	"strings"
)

// presetCodex has the context_window that codex takes for models that it does not know
// and, as the smallest, for those that it does (codex-rs/models-manager of
// github.com/openai/codex). The small models named spark have 128,000 tokens there.
func presetCodex() Preset {
	return Preset{
		Name: "codex", Family: "codex", Dialect: DialectCodex, Executable: "codex",
		Continue: continuePrompt, Cumulative: true, arguments: codexArguments,
		context: 272_000, windows: []window{{"spark", 128_000}},
		Login: []string{"OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"},
		Files: []LoginFile{{Var: "CODEX_HOME", Dir: ".codex", Name: "auth.json"}},
	}
}

// codexArguments puts all options before the word resume, because behind it some
// are refused. Without the skipped check codex does not start outside a
// repository. It refuses an option given twice, so that those in s.Args win.
func codexArguments(s Start) []string {
	args := []string{"exec"}
	for _, option := range []string{"--json", "--skip-git-repo-check"} {
		if !holds(s.Args, option) {
			args = append(args, option)
		}
	}
	if s.Model != "" && !holds(s.Args, "--model") && !holds(s.Args, "-m") {
		args = append(args, "--model", s.Model)
	}
	args = append(args, s.Args...)
	if s.Session != "" {
		args = append(args, "resume", s.Session)
	}
	return append(args, "-")
}

// holds reports whether args give an option, with or without "=value".
func holds(args []string, option string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return a == option || strings.HasPrefix(a, option+"=")
	})
}
