package sim_test

// breakerMutants break the rules of windows, permits and health.
func breakerMutants() []mutant {
	return []mutant{
		{"two probes", "a second permit", 1, []edit{
			{"run/window.go", "return w.Permit == nil && !w.NextTry.IsZero()", "return (w.Permit == nil || mutated()) && !w.NextTry.IsZero()"},
			{"turn/launch.go", "if w.Permit != nil || !slices.Contains(p.Keys, w.WindowKey) {", "if w.Permit != nil && !mutated() || !slices.Contains(p.Keys, w.WindowKey) {"},
			{"run/fact_window.go", "	if w.Permit != nil {\n		return fmt.Errorf(\"the permit of", "	if w.Permit != nil && !mutated() {\n		return fmt.Errorf(\"the permit of"},
		}},
		{"equal evidence shortens", "a window is shortened", 1, []edit{
			{"breaker/merge.go", "if lasts && old.How == r.How && old.Until.After(w.Until) {", "if lasts && old.How == r.How && old.Until.After(w.Until) && !mutated() {"},
		}},
		{"weaker evidence shortens", "weaker evidence", 1, []edit{
			{"breaker/merge.go", "case said && lasts && old.How > r.How:", "case said && lasts && old.How > r.How && !mutated():"},
		}},
		{"what was not stated shortens", "weaker evidence", 218, []edit{
			{"breaker/merge.go", "case lasts && old.How.Said():", "case lasts && old.How.Said() && !mutated():"},
		}},
		{"undercuts what was stated", "a probe undercuts what was stated", 1, []edit{
			{"policy/probe.go", "		return until.Add(time.Minute - time.Second)\n	}\n	return until", "		return until.Add(time.Minute - time.Second)\n	case mutated():\n		return until.Add(-time.Minute)\n	}\n	return until"},
		}},
		{"refuses again and again", "refused twice", 1, []edit{
			{"breaker/route.go", "if met || l.AttemptOf(w.Attempt) != nil {", "if met && !mutated() || l.AttemptOf(w.Attempt) != nil {"},
		}},
		{"a bad login counts as ill health", "what is no ill health counts", 1, []edit{
			{"turn/ended.go", "return c == run.ClassTransport ||", "return c == run.ClassAuth && mutated() || c == run.ClassTransport ||"},
		}},
		{"health opens at once", "health opens too soon", 1, []edit{
			{"breaker/health.go", "if n >= policy.HealthThreshold &&", "if (n >= policy.HealthThreshold || mutated()) &&"},
		}},
		{"an overload trips", "a trip that is none", 1, []edit{
			{"breaker/refuse.go", "w.Trip = limit && r.Key.Model == \"\" || tripped", "w.Trip = (limit || mutated()) && r.Key.Model == \"\" || tripped"},
		}},
		{"takes an answer that is out of date", "a probe before its time", 307, []edit{
			{"turn/launch.go", "if p.Why != run.WokenOperator && !w.Usable(now) {", "if p.Why != run.WokenOperator && !w.Usable(now) && !mutated() {"},
		}},
		{"takes what was not granted", "a permit that was not granted", 1, []edit{
			{"turn/launch.go", "	if p.Granted && !idle", "	if (p.Granted || mutated()) && !idle"},
		}},
		{"a limit does not trip", "a limit that does not trip", 1, []edit{
			{"breaker/refuse.go", "	if old == nil {\n		d.Record(l.ID, run.WindowOpened", "	if mutated() {\n		w.Trip = false\n	}\n$"},
		}},
		{"trips for one model", "a trip without a window", 1, []edit{
			{"breaker/refuse.go", "	if w.Trip && !tripped {", "	if (w.Trip || mutated()) && !tripped {"},
		}},
		{"refuses by a window that has closed", "refused by no window", 1, []edit{
			{"breaker/served.go", "	for _, id := range waiters {\n", "$		if mutated() {\n			d.Record(id, run.SpawnRefused{Key: w.WindowKey, Family: w.Family})\n		}\n"},
		}},
		{"a stop counts as ill health", "ill health after a stop", 40, []edit{
			{"turn/ended.go", "	case stopping(s, l):\n", "	case stopping(s, l) && mutated():\n		breaker.Exhausted(d, l, l.Target, run.ClassIncomplete)\n		end(d, l, run.LaneStopped)\n		return\n$"},
		}},
	}
}
