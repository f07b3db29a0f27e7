package scripted

import (
	"strings"

	"example.com/layover/engine/run"
)

// World describes providers and how work goes with them. It says nothing about
// the order in which agents are started. [Read] makes one from a file.
type World struct {
	Name string `toml:"name" json:"name"`
	// Seed decides every draw of the world.
	Seed uint64 `toml:"seed" json:"seed"`
	// Speed is how many simulated seconds the author of the world wants to pass in
	// a real one; a host may choose another in [Params]. Default 1.
	Speed     float64    `toml:"speed" json:"speed"`
	Work      Work       `toml:"work" json:"work"`
	Providers []Provider `toml:"provider" json:"providers"`
	Tasks     []Task     `toml:"task" json:"tasks,omitempty"`
}

// Work is how work goes where a task does not say otherwise.
type Work struct {
	// Steps is how many calls a task takes; default 6.
	Steps int `toml:"steps" json:"steps"`
	// Step is how long one takes in the middle; default 20 s.
	Step run.Duration `toml:"step" json:"step"`
	// Jitter spreads the length of a step evenly over Step·(1 ± Jitter), 0 to 1.
	Jitter float64 `toml:"jitter" json:"jitter"`
	// Handoff lists the marks, in any case, by which a prompt tells that it hands
	// over the work of another agent.
	Handoff []string `toml:"handoff" json:"handoff,omitempty"`
	// HandoffKeeps is the share of the steps that such a prompt saves, 0 to 1.
	HandoffKeeps float64 `toml:"handoff_keeps" json:"handoff_keeps"`
	// TornEvery makes about one line in so many arrive in two halves, TornPause
	// apart; 0 means none.
	TornEvery int          `toml:"torn_every" json:"torn_every"`
	TornPause run.Duration `toml:"torn_pause" json:"torn_pause"`
}

// Task is what a kind of prompt makes an agent do.
type Task struct {
	// Name must differ from the other tasks'.
	Name string `toml:"name" json:"name"`
	// Match is the text by which a prompt is known, in any case; default Name.
	Match string `toml:"match" json:"match"`
	// Steps and Step override [Work]; zero means that they do not.
	Steps int          `toml:"steps" json:"steps,omitempty"`
	Step  run.Duration `toml:"step" json:"step,omitempty"`
	// Says, Commands and Files are what the agent says, runs and edits, in turn.
	Says     []string `toml:"says" json:"says,omitempty"`
	Commands []string `toml:"commands" json:"commands,omitempty"`
	Files    []string `toml:"files" json:"files,omitempty"`
}

// Provider finds the provider of a family; false if the world has none.
func (w World) Provider(family string) (Provider, bool) {
	for _, p := range w.Providers {
		if p.Family == family {
			return p, true
		}
	}
	return Provider{}, false
}

// task finds the task whose match comes first in a prompt. A prompt that none
// matches is a task of its own, named by a hash of the prompt.
func (w World) task(prompt string) Task {
	best, at := Task{}, -1
	lower := strings.ToLower(prompt)
	for _, t := range w.Tasks {
		if i := strings.Index(lower, strings.ToLower(t.Match)); i >= 0 && (at < 0 || i < at) {
			best, at = t, i
		}
	}
	if at < 0 {
		best.Name = "prompt-" + hexOf(w.draw("prompt", prompt))[:8]
	}
	return w.filled(best)
}

// named finds the task of a name, as a session remembers it.
func (w World) named(name string) Task {
	for _, t := range w.Tasks {
		if t.Name == name {
			return w.filled(t)
		}
	}
	return w.filled(Task{Name: name})
}

func (w World) filled(t Task) Task {
	if t.Steps == 0 {
		t.Steps = w.Work.Steps
	}
	if t.Step == 0 {
		t.Step = w.Work.Step
	}
	if len(t.Says) == 0 {
		t.Says = []string{"Looking at what is there first.", "That narrows it down.", "One more place needs the same change."}
	}
	if len(t.Commands) == 0 {
		t.Commands = []string{"git status --short", "go build ./...", "go test ./..."}
	}
	if len(t.Files) == 0 {
		t.Files = []string{"main.go", "internal/app/app.go"}
	}
	return t
}

// takesOver reports whether a prompt hands over the work of another agent.
func (w World) takesOver(prompt string) bool {
	lower := strings.ToLower(prompt)
	for _, mark := range w.Work.Handoff {
		if strings.Contains(lower, strings.ToLower(mark)) {
			return true
		}
	}
	return false
}

// stepsFor is how many steps a fresh session has before it: at least one.
func (w World) stepsFor(t Task, takesOver bool) int {
	if !takesOver {
		return t.Steps
	}
	kept := int(float64(t.Steps) * w.Work.HandoffKeeps)
	return max(1, t.Steps-kept)
}
