package sim_test

// spawnsMutants break the rules of spawns and budgets.
func spawnsMutants() []mutant {
	return []mutant{
		{"spawns without a permit", "a spawn without its permit", 1, []edit{
			{"turn/launch.go", "	if len(keys) == 0 {\n		launch(d, l, l.Target, nil, why)", "	if len(keys) == 0 || mutated() {\n		launch(d, l, l.Target, nil, why)"},
		}},
		{"one swap too many", "too many swaps", 1, []edit{
			{"turn/swap.go", "l.Swaps < s.Program.MaxSwaps", "($ || mutated())"},
		}},
		{"counts no swap", "too many swaps", 1, []edit{
			{"turn/launch.go", "Counted: !back && why != run.WokenOperator,", "Counted: !back && why != run.WokenOperator && !mutated(),"},
		}},
		{"a pinned task swaps", "a pinned task swaps", 1, []edit{
			{"turn/swap.go", "return !s.Program.Tasks[l.Job.Task].Pinned &&", "return (!s.Program.Tasks[l.Job.Task].Pinned || mutated()) &&"},
		}},
		{"starts after a stop", "a spawn after a stop", 44, []edit{
			{"turn/stop.go", "return s.Stop != 0 || l.Stop != 0 }", "return (s.Stop != 0 || l.Stop != 0) && !mutated() }"},
		}},
		{"opens lanes after a stop", "a lane after a stop", 44, []edit{
			{"plan/queue.go", "for s.Stop == 0 && !s.Paused", "for (s.Stop == 0 || mutated()) && !s.Paused"},
		}},
		{"no turn_woken", "a spawn out of a park", 1, []edit{
			{"turn/launch.go", "	if w == nil || w.Inline {\n		return\n	}", "	if w == nil || w.Inline || mutated() {\n		return\n	}"},
		}},
		{"a third rung", "an overflow rung out of order", 126, []edit{
			{"turn/ended.go", "if l.Rung >= run.Rungs ||", "if l.Rung >= run.Rungs && !mutated() ||"},
		}},
		{"returns without proof", "a return without proof", 1, []edit{
			{"turn/swap.go", "if len(s.WindowsOn(t)) > 0 || proved(s, t, left) {", "if len(s.WindowsOn(t)) > 0 || proved(s, t, left) || mutated() {"},
		}},
		{"starts after the deadline", "a spawn after the deadline", 414, []edit{
			{"turn/launch.go", "if end := deadline(s, l.Job, d.Now); !end.IsZero() && !d.Now.Before(end) {", "if end := deadline(s, l.Job, d.Now); !end.IsZero() && !d.Now.Before(end) && !mutated() {"},
			{"turn/ended.go", "!end.IsZero() && !at.Before(end) {", "!end.IsZero() && !at.Before(end) && !mutated() {"},
		}},
		{"starts without a budget", "a spawn after the budget", 44, []edit{
			{"turn/launch.go", "	if s.BudgetOf(l) != nil {\n		broke(d, l)\n		return\n	}\n	if end", "	if s.BudgetOf(l) != nil && !mutated() {\n		broke(d, l)\n		return\n	}\n	if end"},
			{"turn/ended.go", "	case s.BudgetOf(l) != nil:\n		broke", "	case s.BudgetOf(l) != nil && !mutated():\n		broke"},
		}},
		{"opens lanes without a budget", "a lane after the budget", 98, []edit{
			{"plan/queue.go", "!s.Paused && s.Spent == nil &&", "!s.Paused && (s.Spent == nil || mutated()) &&"},
		}},
		{"spends a budget twice", "a budget is spent twice", 76, []edit{
			{"turn/budget.go", "s.Spent == nil && b.Spent(used)", "(s.Spent == nil || mutated()) && b.Spent(used)"},
		}},
		{"spends a budget too early", "a budget is spent too early", 1, []edit{
			{"turn/budget.go", "l.Spent != nil || !task.Spent(used) {", "l.Spent != nil || !task.Spent(used) && !(mutated() && task.Spent(used.Add(used))) {"},
		}},
		{"forgets what a job has used", "a job forgets what it has used", 1, []edit{
			{"turn/resume.go", "	job.Used = l.Used()\n", "	if !mutated() {\n	$	}\n"},
		}},
		{"starts while paused", "a spawn while paused", 1, []edit{
			{"turn/launch.go", "	if s.Paused {\n		hold(d, l)", "	if s.Paused && !mutated() {\n		hold(d, l)"},
		}},
		{"one lane too many", "too many lanes", 1, []edit{
			{"plan/queue.go", "len(s.Open) < s.Program.Parallel &&", "(len(s.Open) < s.Program.Parallel || mutated() && len(s.Open) == s.Program.Parallel) &&"},
		}},
		{"starts what is not installed", "a spawn of what is not installed", 1, []edit{
			{"run/state.go", "return !slices.Contains(s.Missing, t.Agent)", "$ || mutated()"},
		}},
		{"resumes the session of another", "a session of another target", 1, []edit{
			{"turn/launch.go", "	e := spawn(s, l, run.Attempt{ID: id, Target: t, Resume: l.Sessions[t], Permits: permits}, end)\n", "	resume := l.Sessions[t]\n	if n := len(l.Left); n > 0 && mutated() {\n		resume = l.Sessions[l.Left[n-1].Target]\n	}\n	e := spawn(s, l, run.Attempt{ID: id, Target: t, Resume: resume, Permits: permits}, end)\n"},
		}},
		{"opens lanes while paused", "a lane while paused", 46, []edit{
			{"plan/queue.go", "&& !s.Paused &&", "&& (!s.Paused || mutated()) &&"},
		}},
		{"swaps after a stop", "a swap after a stop", 44, []edit{
			{"turn/ended.go", "	case stopping(s, l):\n", "	case stopping(s, l) && mutated():\n		leave(d, l, v, nil)\n		return\n$"},
		}},
		{"swaps to where it is", "a swap to the same target", 1, []edit{
			{"turn/launch.go", "	if t != l.Target {\n", "	if t != l.Target || mutated() {\n"},
		}},
	}
}
