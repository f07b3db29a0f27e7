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
		{"undercuts what a text names", "a probe undercuts what was stated", 1, []edit{
			{"policy/probe.go", "	switch {\n	case fromText && until.Sub(now) > farReset:", "	if mutated() && fromText {\n		return until.Add(-20 * time.Minute)\n	}\n$"},
		}},
		{"probes a text on its minute", "a probe undercuts what was stated", 1, []edit{
			{"policy/probe.go", "	case fromText && until.Equal(until.Truncate(time.Minute)):", "	case fromText && until.Equal(until.Truncate(time.Minute)) && !mutated():"},
		}},
		{"probes a far text every hour", "a probe undercuts what was stated", 1, []edit{
			{"policy/probe.go", "		return now.Add(farRecheck)", "		if mutated() {\n			return now.Add(farRecheck / 2)\n		}\n$"},
		}},
		{"waits for days for what a text names", "a reset that may be misread is not tried", 1, []edit{
			{"policy/probe.go", "fromText && until.Sub(now) > farReset:", "$\n		if mutated() {\n			return until\n		}"},
		}},
		{"believes less than was stated", "a window undercuts what was stated", 1, []edit{
			{"breaker/merge.go", "		w.Until, w.How = r.Reset, r.How\n", "$		if mutated() {\n			w.Until = w.Until.Add(-20 * time.Minute)\n		}\n"},
		}},
		{"a call let in before clears a stated limit", "a window is cleared without proof", 1, []edit{
			{"breaker/served.go", "func disproved(w *run.Window) bool {\n", "$	if mutated() {\n		return true\n	}\n"},
		}},
		{"a call let in before clears what was stated since", "a window is cleared without proof", 1402, []edit{
			{"breaker/served.go", "a.StartedAt.Before(w.SaidAt))", "a.StartedAt.Before(w.SaidAt) && !mutated())"},
		}},
		{"clears what was opened after the sign", "a window is cleared without proof", 1, []edit{
			{"breaker/served.go", "		if !holds && !w.OpenedAt.Before(a.ServedAt) {", "		if !holds && !w.OpenedAt.Before(a.ServedAt) && !mutated() {"},
		}},
		{"clears the windows of other models", "a window is cleared without proof", 1, []edit{
			{"breaker/served.go", "	for _, w := range s.WindowsOn(a.Target) {\n		holds :=", "	on := s.WindowsOn(a.Target)\n	if mutated() {\n		on = append([]*run.Window(nil), s.Windows...)\n	}\n	for _, w := range on {\n		holds :="},
		}},
		{"a login probes itself", "a login tries itself", 1, []edit{
			{"breaker/refuse.go", "	if old := d.State.Window(w.WindowKey); old != nil {\n		w.OpenedAt", "	if mutated() {\n		w.NextTry = d.Now.Add(time.Minute)\n	}\n$"},
		}},
		{"a login probes itself in the name of the operator", "a login tries itself", 1, []edit{
			{"turn/ended.go", "	case run.ClassAuth, run.ClassBilling:\n", "$		ask := run.AskPermit{Lane: l.ID, Target: l.Target, Keys: breaker.Keys(s, l.Target), Why: run.WokenOperator}\n		if mutated() && d.Ask(ask) {\n			return\n		}\n"},
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
