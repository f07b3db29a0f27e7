package sim

import (
	"math"

	"example.com/layover/engine/run"
)

// budgets holds when a budget of tokens or money is spent, and what that forbids.
func (r *Rules) budgets(f run.Fact) {
	s, l := r.state, r.state.Lane(f.Lane)
	switch b := f.Body.(type) {
	case run.AttemptStarted:
		own := s.Program.Tasks[l.Job.Task]
		if s.Spent != nil || l.Spent != nil || s.Program.Limits.Spent(s.Usage) || own.Spent(r.used[jobOf(l.Job)]) {
			r.broken("a spawn after the budget", "%s", b.Target)
		}
	case run.LaneStarted:
		if s.Spent != nil && !r.over(f, b) {
			r.broken("a lane after the budget", "of %s", b.Task)
		}
	case run.BudgetSpent:
		budget, before := s.Program.Limits.Budget, s.Spent
		if l != nil {
			budget, before = s.Program.Tasks[l.Job.Task].Budget, l.Spent
		}
		switch {
		case before != nil:
			r.broken("a budget is spent twice", "%s", b)
		case b.Budget != budget || !budget.Spent(b.Used):
			r.broken("a budget is spent too early", "%+v: %s", budget, b)
		}
	case run.TaskRequeued:
		if was := r.used[jobOf(b.Job)]; !same(was, b.Job.Used) {
			r.broken("a job forgets what it has used", "%+v, not %+v", was, b.Job.Used)
		}
	case run.UsageCounted:
		r.use(l.Job, b.Usage)
	case run.UsageIncomplete:
		r.use(l.Job, b.Usage)
	}
}

// over reports whether the budget of a job, of time or other, has ended in the queue:
// then its lane ends at once.
func (r *Rules) over(f run.Fact, b run.LaneStarted) bool {
	if b.Job.Requeued == 0 {
		return false
	}
	return !b.Deadline.IsZero() && !f.At.Before(b.Deadline) || r.state.Program.Tasks[b.Job.Task].Spent(b.Job.Used)
}

// use adds up what the lanes of a job have used.
func (r *Rules) use(j run.Job, u run.Usage) { r.used[jobOf(j)] = r.used[jobOf(j)].Add(u) }

func jobOf(j run.Job) Job { return Job{j.Task, j.Iteration} }

// same reports whether two sums are equal but for the order in which money was added.
func same(a, b run.Usage) bool {
	near := math.Abs(a.CostUSD-b.CostUSD) < 1e-6
	a.CostUSD, b.CostUSD = 0, 0
	return near && a == b
}
