package agent

import (
	"math"
	"strconv"
)

// presetClaude has the context that claude itself goes by where nothing else is asked
// for: its model names with [1m] have one of a million tokens, all others one of 200,000
// for every kind of account, also where the model could take more
// (github.com/anthropics/claude-code/issues/84310; modelUsage.contextWindow in its result).
func presetClaude() Preset {
	return Preset{
		Name: "claude", Family: "claude", Dialect: DialectClaude, Executable: "claude",
		Continue: continuePrompt, Priced: true, arguments: claudeArguments,
		context: 200_000, windows: []window{{"[1m]", 1_000_000}},
		Login: []string{
			"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR",
		},
		Files: []LoginFile{{Var: "CLAUDE_CONFIG_DIR", Dir: ".claude", Name: ".credentials.json"}},
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
	if s.MaxCostUSD > 0 && !holds(s.Args, "--max-budget-usd") {
		args = append(args, "--max-budget-usd", strconv.FormatFloat(cents(s.MaxCostUSD), 'f', -1, 64))
	}
	return append(args, s.Args...)
}

// cents rounds an amount of dollars up to a hundredth of a cent: what is left of a
// budget is the difference of sums, and told as it is meant.
func cents(usd float64) float64 { return math.Ceil(usd*1e4-1e-6) / 1e4 }
