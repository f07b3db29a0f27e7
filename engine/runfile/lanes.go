package runfile

import (
	"slices"

	"example.com/layover/engine/run"
)

// lanes fills in the lanes and their turns: all that are open, and the last of
// those that have ended. What older turns consumed is summed up in one turn of
// index zero, so that the sum over the turns is that of the run.
func (f *File) lanes(s *run.State) {
	open := 0
	for _, l := range s.Lanes {
		if !l.State.Final() {
			open++
		}
	}
	omit := max(0, len(s.Lanes)-open-Keep)
	f.Layover.OmittedLanes = omit
	var older run.Usage
	for _, l := range s.Lanes {
		if l.State.Final() && omit > 0 {
			omit--
			older = older.Add(l.Usage)
			continue
		}
		f.Turns = append(f.Turns, turn(int(l.ID), l.Usage))
		f.Layover.Lanes = append(f.Layover.Lanes, lane(s, l))
	}
	if f.Layover.OmittedLanes > 0 {
		f.Turns = append([]Turn{turn(0, older)}, f.Turns...)
	}
}

func turn(index int, u run.Usage) Turn {
	return Turn{
		Index:            index,
		PromptTokens:     max(0, u.Input+u.CacheRead+u.CacheWrite),
		CompletionTokens: max(0, u.Output),
	}
}

func lane(s *run.State, l *run.Lane) Lane {
	out := Lane{
		ID: int(l.ID), Task: valid(s.Program.Tasks[l.Job.Task].Name), Iteration: l.Job.Iteration,
		State: l.State, WakeAt: instant(s.WakeAt(l)),
		Target: run.Target{Agent: valid(l.Target.Agent), Model: valid(l.Target.Model)},
	}
	for i := range slices.Backward(l.Attempts) {
		if a := &l.Attempts[i]; !a.SpawnedAt.IsZero() {
			out.Agent = agentID(a)
			break
		}
	}
	return out
}
