package scripted

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// order is what the arguments and the standard input of an agent ask for.
type order struct {
	resume  string
	session string
	model   string
	partial bool
	prompt  string
}

// errUsage is the error of arguments that the real program would refuse.
var errUsage = errors.New("bad arguments")

// valued lists the options that take a value, by dialect, where that is not told
// by an equals sign.
func valued(dialect string) []string {
	if dialect == "codex" {
		return []string{
			"-m", "--model", "-c", "--config", "-C", "--cd", "-s", "--sandbox", "-p", "--profile", "-i", "--image",
			"-a", "--ask-for-approval", "--color", "-o", "--output-last-message", "--output-schema", "--add-dir",
			"--enable", "--disable",
		}
	}
	return []string{
		"--resume", "-r", "--model", "--output-format", "--input-format", "--permission-mode", "--session-id", "--max-turns",
		"--append-system-prompt", "--system-prompt", "--settings", "--fallback-model", "--max-budget-usd", "--effort",
		"--allowedTools", "--allowed-tools", "--disallowedTools", "--disallowed-tools", "--mcp-config", "--add-dir",
	}
}

// parse reads the arguments of a program. They must ask for what Layover asks for:
// one prompt, answered in lines of JSON.
func parse(dialect string, args []string) (order, error) {
	options, words := split(args, valued(dialect))
	if dialect == "codex" {
		return parseCodex(options, words)
	}
	return parseClaude(options, words)
}

// split parts options, with their values, from the other words.
func split(args, valued []string) (map[string]string, []string) {
	options := map[string]string{}
	var words []string
	for i := 0; i < len(args); i++ {
		name, value, equals := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--":
			return options, append(words, args[i+1:]...)
		case !strings.HasPrefix(args[i], "-") || args[i] == "-":
			words = append(words, args[i])
		case equals:
			options[name] = value
		case slices.Contains(valued, args[i]) && i+1 < len(args):
			options[args[i]] = args[i+1]
			i++
		default:
			options[args[i]] = ""
		}
	}
	return options, words
}

func parseClaude(options map[string]string, words []string) (order, error) {
	has := func(name string) bool { _, ok := options[name]; return ok }
	if !has("-p") && !has("--print") {
		return order{}, fmt.Errorf("%w: neither -p nor --print is given", errUsage)
	}
	if options["--output-format"] != "stream-json" || !has("--verbose") {
		return order{}, fmt.Errorf("%w: --output-format stream-json and --verbose are needed", errUsage)
	}
	o := order{
		resume: options["--resume"] + options["-r"], session: options["--session-id"], model: options["--model"],
		partial: has("--include-partial-messages"), prompt: strings.Join(words, " "),
	}
	if o.resume == "" && (has("--resume") || has("-r")) {
		return order{}, fmt.Errorf("%w: --resume needs a session", errUsage)
	}
	return o, nil
}

func parseCodex(options map[string]string, words []string) (order, error) {
	if len(words) == 0 || (words[0] != "exec" && words[0] != "e") {
		return order{}, fmt.Errorf("%w: exec is not given", errUsage)
	}
	if _, ok := options["--json"]; !ok {
		return order{}, fmt.Errorf("%w: --json is not given", errUsage)
	}
	o := order{model: options["-m"] + options["--model"]}
	words = words[1:]
	if len(words) > 0 && words[0] == "resume" {
		if len(words) < 2 || words[1] == "-" {
			return order{}, fmt.Errorf("%w: resume needs a session", errUsage)
		}
		o.resume, words = words[1], words[2:]
	}
	if len(words) > 0 && words[0] != "-" {
		o.prompt = words[0]
	}
	return o, nil
}
