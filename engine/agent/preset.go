package agent

import (
	"path/filepath"
	"slices"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// Preset is how one agent program is started, resumed and read. A copy may be
// changed freely.
type Preset struct {
	// Name is the agent's name in a program's order.
	Name string
	// Family is the limit domain that it belongs to by default.
	Family string
	// Dialect is that of its stream, for [NewReader].
	Dialect string
	// Executable is the name or path of its command; empty if the program must name it.
	Executable string
	// Continue is the prompt that a resumed session gets instead of its task.
	Continue string
	// Cumulative is set if the usage in its stream is that of the whole session, so
	// that a resumed attempt tells what earlier ones used once more.
	Cumulative bool
	// Priced is set if the agent states what it cost.
	Priced bool
	// Login names the variables of the environment that tell its accounts apart.
	Login []string
	// Files are where its login is kept.
	Files []LoginFile

	arguments func(s Start) []string
	context   int      // in tokens; see Context
	windows   []window // the contexts of other models, by what their names hold
}

// LoginFile is a file that an agent writes when somebody logs in.
type LoginFile struct {
	// Var is the variable of the environment that names its directory; where it is not
	// set that is Dir in the home directory.
	Var, Dir string
	Name     string
}

// Path is where the file is, or would be; empty if the environment names no home.
func (f LoginFile) Path(getenv func(string) string) string {
	if dir := getenv(f.Var); dir != "" {
		return filepath.Join(dir, f.Name)
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, f.Dir, f.Name)
	}
	return ""
}

// Start is what one attempt is to be started with.
type Start struct {
	// Session resumes that session of the agent's own; empty starts a new one.
	Session string
	// Model is asked for; empty leaves the choice to the agent.
	Model string
	// Prompt is the task. A resumed session gets the preset's Continue instead.
	Prompt string
	// Handoff is what others have done that the agent does not know, as
	// [Transcript.Note] gives it. It stands behind the prompt, or behind the Continue of a
	// resumed session; empty for nothing.
	Handoff string
	// Args are passed on as they are.
	Args []string
	// Probe asks for early signs that a model answers, where the agent has them.
	Probe bool
	// Dir is the directory to work in.
	Dir string
	// MaxCostUSD is what the attempt may cost, in dollars; zero for no bound. It is
	// passed on to agents that can keep to it.
	MaxCostUSD float64
}

// Command is a process to be started. The prompt is in Stdin, never in Argv.
type Command struct {
	Argv  []string
	Stdin []byte
	// Env is added to the environment, as "NAME=value".
	Env []string
	// Dir is the working directory. A session can be resumed only in its own.
	Dir string
}

func builtin() []Preset {
	return []Preset{
		presetClaude(), presetCodex(), presetGemini(), presetQwen(), presetCursor(), presetAmp(), presetOpencode(), presetCopilot(),
		presetGrok(), presetAider(), presetGeneric(),
	}
}

// Presets lists the names of all presets.
func Presets() []string {
	all := builtin()
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	return names
}

// Lookup returns the preset of that name; false if there is none.
func Lookup(name string) (Preset, bool) {
	for _, p := range builtin() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}

// Missing lists the agents of a program that lookPath, such as exec.LookPath, does not
// find, sorted.
func Missing(p run.Program, lookPath func(string) (string, error)) []string {
	var missing []string
	for name, a := range p.Agents {
		preset, _ := Lookup(a.Preset)
		if len(a.Command) > 0 {
			preset.Executable = a.Command[0]
		}
		if !preset.Installed(lookPath) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}

// Installed reports whether lookPath, such as exec.LookPath, finds the command.
func (p Preset) Installed(lookPath func(string) (string, error)) bool {
	_, err := lookPath(p.Executable)
	return err == nil
}

// Command gives the process that starts or resumes the agent. A session id comes
// from the agent's own output: one that could be taken for an option is ignored,
// and the task is started anew.
func (p Preset) Command(s Start) Command {
	s.Session = record.PlainName(s.Session)
	prompt := s.Prompt
	if s.Session != "" {
		prompt = p.Continue
	}
	if s.Handoff != "" {
		prompt += "\n\n" + s.Handoff
	}
	return Command{Argv: append([]string{p.Executable}, p.arguments(s)...), Stdin: []byte(prompt), Dir: s.Dir}
}

// continuePrompt goes on with work that broke off, whatever broke it off.
const continuePrompt = "Your last turn was interrupted before it was finished. Look at what is already done, then continue with the task from there."
