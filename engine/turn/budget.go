package turn

import "example.com/layover/engine/run"

// Overspent takes note of a budget that is spent by what was used so far: the
// program's, or without a nil lane that of the lane's task. A budget is spent once.
func Overspent(d *run.Decision, l *run.Lane, used run.Usage) {
	s := d.State
	if l == nil {
		if b := s.Program.Limits.Budget; s.Spent == nil && b.Spent(used) {
			d.Record(0, run.BudgetSpent{Used: used, Budget: b})
		}
		return
	}
	task := s.Program.Tasks[l.Job.Task]
	if l.State.Final() || l.Spent != nil || !task.Spent(used) {
		return
	}
	d.Record(l.ID, run.BudgetSpent{Task: task.Name, Used: used, Budget: task.Budget})
	Broke(d, l)
}

// Broke ends what a lane does whose budget is spent: its attempt, or its wait. What
// it is about to be answered ends it then.
func Broke(d *run.Decision, l *run.Lane) {
	switch a := l.Running(); {
	case a != nil && a.Ending == 0:
		Finish(d, l, a, run.EndingBudget)
	case a == nil && l.Wait != nil && !stopping(d.State, l):
		broke(d, l)
	}
}

// Outspent fails a lane whose job came back with its budget spent.
func Outspent(d *run.Decision, l *run.Lane) {
	d.Record(l.ID, run.TurnStarted{})
	task := d.State.Program.Tasks[l.Job.Task]
	d.Record(l.ID, run.BudgetSpent{Task: task.Name, Used: l.Used(), Budget: task.Budget})
	broke(d, l)
}

// broke fails a lane for want of a budget.
func broke(d *run.Decision, l *run.Lane) {
	why := d.State.BudgetOf(l).String()
	wake(d, l, run.WokenDeadline)
	exhausted(d, l, false)
	d.Record(l.ID, run.Error{Message: why})
	d.Record(l.ID, run.TurnEnded{State: run.LaneFailed, Class: run.ClassFailed, Target: l.Target})
	d.Record(l.ID, run.LaneEnded{State: run.LaneFailed, Class: run.ClassFailed, Why: why})
}

// costLeft is how many dollars a lane's next agent may cost; zero if no budget says.
func costLeft(s *run.State, l *run.Lane) float64 {
	left := s.Program.Limits.CostLeft(s.Usage)
	if own := s.Program.Tasks[l.Job.Task].CostLeft(l.Used()); own > 0 && (left == 0 || own < left) {
		left = own
	}
	return left
}
