package runfile

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.com/layover/engine/run"
)

// spawn is an attempt with its lane.
type spawn struct {
	lane *run.Lane
	*run.Attempt
}

// agents lists the attempts that have a process or had one, and those that could
// not be started, by id; it tells how many ended ones it left out.
func agents(s *run.State, o Options) ([]Agent, int) {
	var going, ended []spawn
	omitted := 0
	oldest := func() {
		if n := len(ended) - Keep; n > 0 {
			slices.SortFunc(ended, func(a, b spawn) int {
				return cmp.Or(a.EndedAt.Compare(b.EndedAt), cmp.Compare(a.ID, b.ID))
			})
			ended, omitted = slices.Delete(ended, 0, n), omitted+n
		}
	}
	for _, l := range s.Lanes {
		for i := range l.Attempts {
			switch a := &l.Attempts[i]; {
			case !a.EndedAt.IsZero():
				if ended = append(ended, spawn{l, a}); len(ended) == 4*Keep {
					oldest() // a long run has many: keep the list short on the way
				}
			case !a.SpawnedAt.IsZero():
				going = append(going, spawn{l, a})
			}
		}
	}
	oldest()
	all := append(going, ended...)
	slices.SortFunc(all, func(a, b spawn) int { return cmp.Compare(a.ID, b.ID) })
	var out []Agent
	for _, a := range all {
		out = append(out, agent(s, a, o))
	}
	return out, omitted
}

func agent(s *run.State, sp spawn, o Options) Agent {
	a := sp.Attempt
	out := Agent{
		ID: agentID(a), Type: valid(s.Program.Agents[a.Target.Agent].Preset), Status: status(a),
		CWD:       valid(s.Program.Tasks[sp.lane.Job.Task].Dir),
		SpawnedAt: instant(a.SpawnedAt), FinishedAt: instant(a.EndedAt),
		Session: valid(a.Session), PID: a.PID, PGID: a.PID, PIDStart: valid(a.PIDStart),
		RequestedModel: valid(a.Target.Model), EffectiveModel: valid(a.Model),
	}
	if out.Type == "" {
		out.Type = valid(a.Target.Agent)
	}
	out.ExitCode = code(a)
	if o.Logs != nil && a.Worker != "" {
		stdout, stderr := o.Logs(a.Worker)
		out.StdoutLog, out.StderrLog = valid(stdout), valid(stderr)
	}
	out.Command = argv(a.Command, s.Program.Tasks[sp.lane.Job.Task].Prompt)
	return out
}

// agentID is the last part of the name of the worker's directory.
func agentID(a *run.Attempt) string {
	if i := strings.LastIndex(a.Worker, "__"); i >= 0 {
		return valid(a.Worker[i+2:])
	}
	if a.Worker != "" {
		return valid(a.Worker)
	}
	return "attempt_" + strconv.Itoa(int(a.ID))
}

func status(a *run.Attempt) Status {
	switch {
	case a.EndedAt.IsZero():
		return StatusRunning
	case a.Class == run.ClassSuccess:
		return StatusDone
	case a.Ending != 0, a.Exit.Signal != "", a.Class == run.ClassCancelled, a.Class == run.ClassDeadline:
		return StatusKilled
	}
	return StatusFailed
}

// code is the exit status of an agent whose end was seen, or nil.
func code(a *run.Attempt) *int {
	unknown := a.Exit.Lost || (a.Exit.Code == -1 && a.Exit.Signal == "")
	if a.EndedAt.IsZero() || a.SpawnedAt.IsZero() || unknown {
		return nil
	}
	return new(a.Exit.Code)
}

// longest is the length in bytes from which on an argument is taken for text
// rather than for a flag or a path.
const longest = 256

// argv copies a command and puts a mark where an argument holds a prompt.
func argv(command []string, prompt string) []string {
	var out []string
	for _, arg := range command {
		if len(arg) > longest || strings.Contains(arg, "\n") || holds(arg, prompt) {
			arg = "…"
		}
		out = append(out, valid(arg))
	}
	return out
}

// holds reports whether an argument is the prompt, or has it inside. A very short
// prompt says nothing inside a longer argument.
func holds(arg, prompt string) bool {
	return (prompt != "" && arg == prompt) || (len(prompt) > 8 && strings.Contains(arg, prompt))
}
