package program

import (
	"fmt"
	"path/filepath"

	"example.com/layover/engine/run"
)

// Flags is a program of one task, as the command line gives it.
type Flags struct {
	Prompt string
	// Order lists the targets, best first; empty means [DefaultOrder].
	Order []string
	// Deadline bounds the run, such as "6h"; empty means none.
	Deadline string
	// Budget bounds what the run uses.
	Budget run.Budget
}

// DefaultOrder is the order of a program that is given by flags without one.
func DefaultOrder() []string { return []string{"claude", "codex"} }

// FromFlags makes a program of flags. The task works in Options.Dir. The error is
// [Faults], whose keys are flags; the launch is empty then.
func FromFlags(f Flags, opts Options) (Launch, error) {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return Launch{}, fmt.Errorf("read flags: %w", err)
	}
	opts.Dir = dir
	r := &reader{opts: opts, known: map[string][]string{}}
	p := run.Defaults()
	p.Name = "run"
	if why := notAPrompt(f.Prompt); why != "" {
		r.fault("--prompt", "--prompt "+why, "")
	}
	if f.Deadline != "" {
		d, message, hint := parseDuration("--deadline", f.Deadline, length{above: reserve})
		if message != "" {
			r.fault("--deadline", message, hint)
		}
		p.Deadline = d
	}
	if c := f.Budget.MaxCostUSD; c != 0 {
		if message := notDollars("--max-cost-usd", c); message != "" {
			r.fault("--max-cost-usd", message, noBound)
		}
	}
	if n := f.Budget.MaxTokens; n < 0 {
		r.fault("--max-tokens", fmt.Sprintf("--max-tokens is negative: %d", n), noBound)
	}
	p.Limits.Budget = f.Budget
	if len(f.Order) == 0 {
		f.Order = DefaultOrder()
	}
	a := &agents{r: r, used: map[string]run.Agent{}}
	p.Order = a.targets("--order", f.Order)
	p.Tasks = []run.Task{{Name: "task-1", Prompt: f.Prompt, Dir: dir, Wait: run.WaitPark}}
	p.Agents = a.used
	a.orders = []bound{{"--order", p.Order}}
	l := Launch{Program: p, Missing: a.installed(&p)}
	if err := r.faults.sorted(); err != nil {
		return Launch{}, err
	}
	return l, nil
}
