package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

// good is a program without faults, to which tables of tests add some.
const (
	// generic ends within an agent that may have rules, and rule begins one.
	generic = good + "[agents.w]\npreset = 'generic'\ncommand = ['x']\n"
	rule    = "[[agents.w.rule]]\n"
)

const good = "order = ['claude']\n[[task]]\nprompt = 'x'\n"

// nines is a number that is longer than any number can be.
var nines = strings.Repeat("9", 400)

func TestFaults(t *testing.T) {
	dir := tree(t, map[string]string{
		"empty.md": " \n", "latin.md": "caf\xe9", "nul.md": "a\x00b",
		"huge.md": strings.Repeat("x", maxPrompt+1), "sub/x": "",
	})
	tests := map[string]struct{ text, want string }{
		"syntax":           {"a = 1\nb = \n", `p.toml:2: expected value but found '\n' instead (nothing else was checked)`},
		"key twice":        {"name = 'a'\nname = 'b'\n", `p.toml:2: Key 'name' has already been defined. (nothing else was checked)`},
		"unknown":          {"patiense = '1m'\n" + good, `p.toml:1: unknown key "patiense" (did you mean "patience"?)`},
		"unknown far":      {"colour = 1\n" + good, `p.toml:1: unknown key "colour"`},
		"misplaced":        {good + "max_retries = 1\n", `p.toml:4: unknown key "max_retries" (it belongs in [retry])`},
		"misplaced budget": {"max_tokens = 1\n" + good, `p.toml:1: unknown key "max_tokens" (it belongs in [[task]])`},
		"misplaced top":    {good + "parallel = 1\n", `p.toml:4: unknown key "parallel" (it belongs at the top, before the first [table])`},
		"unknown table":    {good + "[breakers]\nx = 1\n", `p.toml:4: unknown key "breakers" (did you mean "breaker"?)`},
		"unknown section":  {good + "[limits]\n\nstall_timout = '1s'\n", `p.toml:6: unknown key "stall_timout" (did you mean "stall_timeout"?)`},
		"type":             {"name = 5\n" + good, `p.toml:1: name must be a string, not a number`},
		"type date":        {"name = 2026-01-01\n" + good, `p.toml:1: name must be a string, not a date or time`},
		"type bool":        {"handoff = 'no'\n" + good, `p.toml:1: handoff must be true or false, not a string`},
		"no handoff":       {"handoff = false\nhandoff_summary = true\n" + good, `p.toml:2: handoff_summary needs a handoff, but handoff is false`},
		"type whole":       {"parallel = 2.0\n" + good, `p.toml:1: parallel must be a whole number, not a number`},
		"type table":       {"retry = 3\n" + good, `p.toml:1: retry must be a table, not a number (write [retry] above its keys)`},
		"type argv":        {"until = 'test -f x'\n" + good, `p.toml:1: until must be a list of strings, not a string (write it as a list, such as ["program", "argument"])`},
		"type element":     {"until = [\n'test',\n5]\n" + good, `p.toml:3: until must be a list of strings, but holds a number (write it as a list, such as ["program", "argument"])`},
		"no argv":          {"until = []\n" + good, `p.toml:1: until names no program`},
		"duration":         {"deadline = '8 hours'\n" + good, `p.toml:1: deadline is "8 hours", which is no duration (such as "90s", "10m" or "8h")`},
		"duration type":    {"deadline = 8\n" + good, `p.toml:1: deadline must be a duration in quotes, not a number (such as "90s" or "8h")`},
		"task in reserve":  {good + "deadline = '30s'\n", `p.toml:4: deadline is "30s", but must be longer than 30s (so much is kept free before it, and nothing new is started then)`},
		"duration minus":   {"deadline = '-8h'\n" + good, `p.toml:1: deadline is negative: "-8h"`},
		"duration zero":    {"deadline = '0s'\n" + good, `p.toml:1: deadline is "0s", but must be longer than nothing`},
		"off elsewhere":    {"max_park = 'off'\n" + good, `p.toml:1: max_park cannot be "off" (such as "90s", "10m" or "8h")`},
		"negative":         {good + "[limits]\nmax_tokens = -1\n", `p.toml:5: max_tokens is negative: -1`},
		"negative cost":    {good + "[limits]\nmax_cost_usd = -0.5\n", `p.toml:5: max_cost_usd is negative: -0.5 (leave it out for no bound)`},
		"endless cost":     {good + "[limits]\nmax_cost_usd = inf\n", `p.toml:5: max_cost_usd is not a finite number (leave it out for no bound)`},
		"no cost":          {good + "max_cost_usd = 0\n", `p.toml:4: max_cost_usd is 0, but must be at least 0.001 (leave it out for no bound)`},
		"trace of a cost":  {good + "max_cost_usd = 1e-12\n", `p.toml:4: max_cost_usd is 1e-12, but must be at least 0.001 (leave it out for no bound)`},
		"absurd cost":      {good + "max_cost_usd = 1e300\n", `p.toml:4: max_cost_usd is 1e+300, but must be at most 1000000000 (leave it out for no bound)`},
		"huge cost":        {good + "max_cost_usd = " + nines + ".0\n", `p.toml:4: 999999… (400 digits).0 is out of range for float64 (nothing else was checked)`},
		"huge tokens":      {good + "max_tokens = " + nines + "\n", `p.toml:4: 999999… (400 digits) is out of range for int64 (nothing else was checked)`},
		"huge duration":    {"deadline = '" + nines + "h'\n" + good, `p.toml:1: deadline is "999999… (400 digits)h", which is no duration (such as "90s", "10m" or "8h")`},
		"no tokens":        {good + "max_tokens = 0\n", `p.toml:4: max_tokens is 0, but must be at least 1`},
		"cost type":        {good + "max_cost_usd = '5'\n", `p.toml:4: max_cost_usd must be a number, not a string`},
		"part of a token":  {good + "max_tokens = 0.5\n", `p.toml:4: max_tokens must be a whole number, not a number`},
		"no parallel":      {"parallel = 0\n" + good, `p.toml:1: parallel is 0, but must be at least 1`},
		"much parallel":    {"parallel = 100_000\n" + good, `p.toml:1: parallel is 100000, but must be at most 1000`},
		"no iterations":    {"iterations = 0\n" + good, `p.toml:1: iterations is 0, but must be at least 1`},
		"no cooldown":      {good + "[breaker]\nrate_limit_default_cooldown_s = 0\n", `p.toml:5: rate_limit_default_cooldown_s is 0, but must be at least 1`},
		"long cooldown":    {good + "[breaker]\nrate_limit_default_cooldown_s = 9_000_000_000_000_000_000\n", `p.toml:5: rate_limit_default_cooldown_s is 9000000000000000000, but must be at most 316224000`},
		"on death":         {"on_death = 'finis'\n" + good, `p.toml:1: on_death is "finis", but must be "finish" or "end" (did you mean "finish"?)`},
		"wait":             {good + "wait = 'later'\n", `p.toml:4: wait is "later", but must be "park", "inline" or "never"`},
		"name shown":       {"name = 'a\\u001b[2J'\n" + good, `p.toml:1: name "a\\u001b[2J" contains a slash or a character that cannot be shown`},
		"name escape":      {"name = \"a\\u001b[2J\"\n" + good, `p.toml:1: name "a\x1b[2J" contains a slash or a character that cannot be shown`},
		"name hidden":      {"name = '.git'\n" + good, `p.toml:1: name ".git" begins with a dot, or begins or ends with a space`},
		"name long":        {"name = '" + strings.Repeat("n", 65) + "'\n" + good, `p.toml:1: name "` + strings.Repeat("n", 65) + `" is longer than 64 bytes`},
		"nul":              {"until = [\"a\\u0000\"]\n" + good, `p.toml:1: until contains a NUL character`},
		"deep":             {"a = " + strings.Repeat("[", 9999) + "\n", `p.toml:1: nested too deep (nothing else was checked)`},
		"deep key":         {"\n" + strings.Repeat("a.", 9999) + "a = 1\n", `p.toml:2: nested too deep (nothing else was checked)`},

		"order missing":   {"[[task]]\nprompt = 'x'\n", `p.toml:1: no order (list what to run on, best first: order = ["claude", "codex"])`},
		"order empty":     {"order = []\n[[task]]\nprompt = 'x'\n", `p.toml:1: order is empty (list what to run on, best first: order = ["claude", "codex"])`},
		"order of a task": {good + "order = []\n", `p.toml:4: order is empty (list what to run on, best first: order = ["claude", "codex"])`},
		"order type":      {"order = 'claude'\n[[task]]\nprompt = 'x'\n", `p.toml:1: order must be a list of strings, not a string (write it as a list: order = ["claude", "codex"])`},
		"order twice":     {"order = ['claude', 'claude']\n[[task]]\nprompt = 'x'\n", `p.toml:1: order names "claude" twice`},
		"no target":       {good + "order = [':opus']\n", `p.toml:4: ":opus" is no target (write "claude" or "claude:opus")`},
		"empty target":    {good + "order = ['']\n", `p.toml:4: "" is no target (write "claude" or "claude:opus")`},
		"model":           {good + "order = ['claude:o pus']\n", `p.toml:4: model of "claude:o pus" contains a space or a character that cannot be shown`},
		"agent":           {good + "order = [\n'codex',\n'cluade']\n", `p.toml:6: unknown agent "cluade" (did you mean "claude"?)`},
		"agent far":       {good + "order = ['zed']\n", `p.toml:4: unknown agent "zed" (there are: claude, codex, gemini, generic)`},
		"preset":          {good + "[agents.work]\npreset = 'cladue'\n", `p.toml:5: unknown preset "cladue" (did you mean "claude"?)`},
		"preset missing":  {good + "[agents.kodex]\nargs = ['x']\n", `p.toml:4: agent "kodex" is no preset and names none (did you mean "codex"?)`},
		"agent table":     {good + "[agents]\nclaude = 'x'\n", `p.toml:5: claude must be a table, not a string (write [agents.claude] above its keys)`},
		"agent key":       {good + "[agents.claude]\narg = ['x']\n", `p.toml:5: unknown key "arg" (did you mean "args"?)`},
		"agent command":   {good + "[agents.claude]\ncommand = ['']\n", `p.toml:5: command names no program`},
		"agent name":      {good + "[agents.\"a/b\"]\npreset = 'claude'\n", `p.toml:4: agent name "a/b" contains a slash or a character that cannot be shown`},
		"family":          {good + "[agents.claude]\nfamily = ''\n", `p.toml:5: family "" is empty`},

		"no command":        {good + "[agents.w]\npreset = 'generic'\n", `p.toml:4: agent "w" has no command, which preset generic needs (add command = ["program", "argument"])`},
		"no command at all": {"order = ['generic']\n[[task]]\nprompt = 'x'\n", `p.toml:1: agent "generic" has no command (add [agents.generic] with command = ["program", "argument"])`},
		"command twice":     {good + "[agents.w]\npreset = 'generic'\ncommand = 'x'\n", `p.toml:6: command must be a list of strings, not a string (write it as a list, such as ["program", "argument"])`},
		"rule elsewhere":    {good + "[agents.claude]\n[[agents.claude.rule]]\nmatch = 'x'\nclass = 'auth'\n", `p.toml:5: rule is not for preset claude, whose output is known`},
		"rule, one bracket": {generic + "[agents.w.rule]\nmatch = 'x'\nclass = 'auth'\n", `p.toml:7: rule must be a list of tables (write [[agents.NAME.rule]] instead of [agents.NAME.rule])`},
		"rule text":         {generic + "rule = 'x'\n", `p.toml:7: rule must be a list of tables, not a string (write [[agents.NAME.rule]] above its keys)`},
		"rule texts":        {generic + "rule = ['x']\n", `p.toml:7: rule must be a list of tables, but holds a string (write [[agents.NAME.rule]] above its keys)`},
		"rule key":          {generic + rule + "match = 'x'\nclass = 'auth'\nmodel = 'y'\n", `p.toml:10: unknown key "model"`},
		"no match":          {generic + rule + "class = 'auth'\n", `p.toml:7: rule has neither match nor regexp (add match = "a part of the line")`},
		"both matches":      {generic + rule + "match = 'x'\nregexp = 'x'\nclass = 'auth'\n", `p.toml:9: rule has both match and regexp (remove one of them)`},
		"empty match":       {generic + rule + "match = ' '\nclass = 'auth'\n", `p.toml:8: match is empty`},
		"long match":        {generic + rule + "match = '" + strings.Repeat("x", 1001) + "'\nclass = 'auth'\n", `p.toml:8: match is longer than 1000 bytes`},
		"match number":      {generic + rule + "match = 429\nclass = 'auth'\n", `p.toml:8: match must be a string, not a number`},
		"bad regexp":        {generic + rule + "regexp = '(x'\nclass = 'auth'\n", "p.toml:8: regexp cannot be read: missing closing ): `(x` (write it in single quotes, where \\ stands for itself)"},
		"any regexp":        {generic + rule + "regexp = 'x*'\nclass = 'auth'\n", `p.toml:8: regexp matches any line`},
		"long regexp":       {generic + rule + "regexp = '" + strings.Repeat("x", 1001) + "'\nclass = 'auth'\n", `p.toml:8: regexp is longer than 1000 bytes`},
		"no class":          {generic + rule + "match = 'x'\n", `p.toml:7: rule has no class (it is one of "rate_limited", "overloaded", "transport", "context_overflow", "auth", "billing" or "failed")`},
		"success by rule":   {generic + rule + "match = 'x'\nclass = 'success'\n", `p.toml:9: class is "success", but must be "rate_limited", "overloaded", "transport", "context_overflow", "auth", "billing" or "failed"`},
		"kind":              {generic + rule + "match = 'x'\nclass = 'rate_limited'\nkind = 'auth'\n", `p.toml:10: kind is "auth", but must be "usage" or "throttle"`},
		"kind of no limit":  {generic + rule + "match = 'x'\nclass = 'auth'\nkind = 'usage'\n", `p.toml:10: kind is for class rate_limited only`},
		"reset of no limit": {generic + rule + "match = 'x'\nclass = 'auth'\nreset = true\n", `p.toml:10: reset is for class rate_limited only`},

		"no tasks":     {"order = ['claude']\n", `p.toml:1: no tasks (add a [[task]] table with a prompt)`},
		"empty tasks":  {"order = ['claude']\ntask = []\n", `p.toml:2: no tasks (add a [[task]] table with a prompt)`},
		"one bracket":  {"order = ['claude']\n[task]\nprompt = 'x'\n", `p.toml:2: task must be a list of tables (write [[task]] instead of [task])`},
		"task text":    {"order = ['claude']\ntask = 'x'\n", `p.toml:2: task must be a list of tables, not a string (write [[task]] above its keys)`},
		"task texts":   {"order = ['claude']\ntask = ['x']\n", `p.toml:2: task must be a list of tables, but holds a string (write [[task]] above its keys)`},
		"task twice":   {good + "name = 'a'\n[[task]]\nprompt='y'\nname = 'a'\n", `p.toml:7: task name "a" is taken already (see line 4)`},
		"no prompt":    {good + "[[task]]\nname = 'a'\n", `p.toml:4: task has neither prompt nor prompt_file (add prompt = "what to do")`},
		"both prompts": {good + "prompt_file = 'x'\n", `p.toml:4: task has both prompt and prompt_file (remove one of them)`},
		"empty prompt": {"order = ['claude']\n[[task]]\nprompt = ' '\n", `p.toml:3: prompt is empty`},
		"nul prompt":   {"order = ['claude']\n[[task]]\nprompt = \"\\u0000\"\n", `p.toml:3: prompt contains a NUL character`},
		"no file":      {"order = ['claude']\n[[task]]\nprompt_file = 'x.md'\n", `p.toml:3: prompt_file "x.md" does not exist (write the prompt there; the path counts from the program file's directory)`},
		"tilde":        {"order = ['claude']\n[[task]]\nprompt_file = '~/x.md'\n", `p.toml:3: prompt_file "~/x.md" does not exist (~ and $ are not expanded, write the path in full)`},
		"file empty":   {"order = ['claude']\n[[task]]\nprompt_file = 'empty.md'\n", `p.toml:3: prompt_file "empty.md" is empty`},
		"file latin":   {"order = ['claude']\n[[task]]\nprompt_file = 'latin.md'\n", `p.toml:3: prompt_file "latin.md" is not UTF-8`},
		"file nul":     {"order = ['claude']\n[[task]]\nprompt_file = 'nul.md'\n", `p.toml:3: prompt_file "nul.md" contains a NUL character`},
		"file huge":    {"order = ['claude']\n[[task]]\nprompt_file = 'huge.md'\n", `p.toml:3: prompt_file "huge.md" is larger than 1048576 bytes`},
		"file dir":     {"order = ['claude']\n[[task]]\nprompt_file = 'sub'\n", `p.toml:3: prompt_file "sub" is a directory`},
		"file device":  {"order = ['claude']\n[[task]]\nprompt_file = '/dev/zero'\n", `p.toml:3: prompt_file "/dev/zero" is not a regular file`},
		"dir missing":  {good + "dir = 'none'\n", `p.toml:4: dir "none" does not exist`},
		"dir file":     {good + "dir = 'empty.md'\n", `p.toml:4: dir "empty.md" is not a directory`},
		"dir empty":    {good + "dir = ''\n", `p.toml:4: dir is empty (write "." for the directory of the program file)`},

		"none installed": {"order = [\n'codex']\n[[task]]\nprompt = 'x'\n", `p.toml:1: codex is not installed, and the order names no other agent (install codex with npm install -g codex-cli, or put an agent into the order that is installed: claude)`},
		"none for a task": {
			good + "order = ['codex', 'codex:mini', 'gemini']\n",
			`p.toml:4: none of codex, gemini is installed (install codex with npm install -g codex-cli, or put gem into your PATH, or put an agent into the order that is installed: claude)`,
		},
		"own command": {
			good + "order = ['w']\n[agents.w]\npreset = 'claude'\ncommand = ['wclaude']\n",
			`p.toml:4: w is not installed, and the order names no other agent (set command of [agents.w], "wclaude" was not found, or put an agent into the order that is installed: claude)`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse("p.toml", []byte(tt.text), Options{Presets: presets(), LookPath: installed("claude"), Dir: dir})
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if got.Program.Tasks != nil || got.Missing != nil {
				t.Errorf("a launch came with the faults: %+v", got)
			}
		})
	}
}

func TestFaultsAreListedTogether(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "many.toml"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse("many.toml", text, Options{Presets: presets(), LookPath: installed("claude"), Dir: t.TempDir()})
	if err == nil {
		t.Fatal("no faults")
	}
	golden.RequireEqual(t, []byte(err.Error()+"\n"))
}

func TestMissingOfUnusedOrderIsNoFault(t *testing.T) {
	text := "order = ['codex']\n[[task]]\nprompt = 'x'\norder = ['claude']\n"
	got, err := Parse("p.toml", []byte(text), Options{Presets: presets(), LookPath: installed("claude")})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Missing) != 1 || got.Missing[0] != "codex" {
		t.Errorf("missing %q", got.Missing)
	}
}

func TestProgramFileTooLarge(t *testing.T) {
	dir := tree(t, map[string]string{"p.toml": strings.Repeat("#", maxFile+1)})
	path := filepath.Join(dir, "p.toml")
	_, err := Load(path, Options{})
	if err == nil || err.Error() != "read program: read "+path+": is larger than 1048576 bytes" {
		t.Errorf("got %v", err)
	}
}
