package sim_test

// waitsMutants break the rules of waits and bounds.
func waitsMutants() []mutant {
	return []mutant{
		{"no wake reserve", "a park beyond the reserve", 33, []edit{
			{"policy/park.go", "d, bounded = b.Deadline.Sub(b.Now)-WakeReserve, true", "$\n		if mutated() {\n			d += WakeReserve\n		}"},
		}},
		{"waits though another is free", "waits though another is free", 95, []edit{
			{"plan/sweep.go", "if !breaker.AnyFree(s, d.Now) {", "if !breaker.AnyFree(s, d.Now) || mutated() {"},
		}},
		{"lets all that wait rest", "waits though another is free", 95, []edit{
			{"turn/look.go", "return r.Patient && ", "return mutated() || r.Patient && "},
		}},
		{"wakes all at once", "released too soon", 1, []edit{
			{"breaker/served.go", "		at = at.Add(policy.Stagger)", "		if !mutated() {\n	$\n		}"},
		}},
		{"retries what must not wait", "a wait that must not be", 1, []edit{
			{"turn/ended.go", "if modeOf(s, l.Job) == run.WaitNever || taken >= ladder.MaxRetries {", "if modeOf(s, l.Job) == run.WaitNever && !mutated() || taken >= ladder.MaxRetries {"},
		}},
		{"parks what must not park", "a park that must not be", 1, []edit{
			{"turn/wait.go", "		return short(wait, stated)\n	}", "		return short(wait, stated) || mutated()\n	}"},
		}},
		{"retries once too often", "too many retries", 1, []edit{
			{"turn/ended.go", "taken >= ladder.MaxRetries {", "taken >= ladder.MaxRetries && !mutated() {"},
		}},
		{"waits inline for hours", "an inline wait is too long", 1, []edit{
			{"turn/wait.go", "plan.inline = short(r.wait, r.stated)", "plan.inline = short(r.wait, r.stated) || r.stated && mutated()"},
		}},
		{"sums planned time", "waited otherwise than by the clock", 1, []edit{
			{"turn/launch.go", "	waited := max(d.Now.Sub(w.Since), 0)", "$\n	if mutated() {\n		waited = w.WakeAt.Sub(w.Since)\n	}"},
		}},
		{"forgets who had asked before a restart", "a lane does nothing", 163, []edit{
			{"turn/resume.go", "		acquire(d, l, run.WokenDue)\n		return", "		if !mutated() {\n			acquire(d, l, run.WokenDue)\n		}\n		return"},
		}},
		{"a park outlives its budget", "a park outlives its budget", 33, []edit{
			{"run/due.go", "		d = sooner(d, w.Ceiling)", "		if !mutated() {\n	$\n		}"},
		}},
		{"parks beyond its allowance", "a park beyond its allowance", 33, []edit{
			{"turn/wait.go", "		if plan.at.After(plan.ceiling) {", "		if plan.at.After(plan.ceiling) && !mutated() {"},
		}},
		{"parks for nothing", "a park without a length", 31, []edit{
			{"turn/ended.go", "	plan := waitPlan{at: d.Now.Add(fit(wait, b)), how", "	at := d.Now.Add(fit(wait, b))\n	if mutated() {\n		at = d.Now\n	}\n	plan := waitPlan{at: at, how"},
		}},
		{"parks for less than was stated", "a park undercuts what was stated", 34, []edit{
			{"policy/park.go", "		wait = max(wait, p.Hint)\n", "		if !mutated() {\n	$		}\n"},
		}},
		{"waits inline for less than was stated", "an inline wait undercuts what was stated", 69, []edit{
			{"turn/ended.go", "	enter(d, l, waitPlan{inline: true, at: v.Reset, how", "	at := v.Reset\n	if mutated() {\n		at = at.Add(-time.Second)\n	}\n	enter(d, l, waitPlan{inline: true, at: at, how"},
		}},
		{"wakes before it is due", "woken before it is due", 104, []edit{
			{"turn/look.go", "		woken = gate == nil && reached(w.WakeAt, d.Now)", "		woken = gate == nil && (reached(w.WakeAt, d.Now) || mutated())"},
		}},
		{"calls a stop the end of the allowance", "woken by another than the stop", 74, []edit{
			{"turn/look.go", "		wake(d, l, run.WokenStop)\n", "		if mutated() {\n			wake(d, l, run.WokenDeadline)\n		}\n$"},
		}},
		{"leaves a stream after a stop", "ended for a swap that must not be", 518, []edit{
			{"turn/look.go", "return !stopping(s, l) && !s.Paused }", "return !stopping(s, l) && !s.Paused || mutated() }"},
		}},
		{"gives a probe too long", "a permit is kept too long", 1, []edit{
			{"turn/launch.go", "	for _, k := range permits {\n		d.Record(l.ID, run.PermitGranted{Key: k, Attempt: id, Lapses: d.Now.Add(policy.ProbeTimeout)})\n", "	lapses := d.Now.Add(policy.ProbeTimeout)\n	if mutated() {\n		lapses = lapses.Add(time.Minute)\n	}\n	for _, k := range permits {\n		d.Record(l.ID, run.PermitGranted{Key: k, Attempt: id, Lapses: lapses})\n"},
		}},
		{"does not hear that a probe is served", "a probe is served in vain", 1, []edit{
			{"turn/ended.go", "	breaker.Served(d, l, a)\n", "	if !mutated() {\n	$	}\n"},
		}},
		{"retries without a least wait", "a retry out of bounds", 1, []edit{
			{"policy/park.go", "	return base + time.Duration(draw*", "	if mutated() {\n		return time.Duration(draw * float64(envelope))\n	}\n$"},
		}},
		{"forgets what a lane has waited", "a park beyond max_park", 72, []edit{
			{"policy/park.go", "	if !b.Stated {\n", "	if mutated() {\n		b.Waited = 0\n	}\n$"},
		}},
		{"probes an allowance once an hour", "a window is tried out of bounds", 33, []edit{
			{"policy/probe.go", "		return grow(usageBase, usageCap, tries)\n", "		if mutated() {\n			return grow(usageBase, 4*usageCap, tries)\n		}\n$"},
		}},
		{"probes a throttle without a pause", "a window is tried out of bounds", 1, []edit{
			{"policy/probe.go", "	return min(throttleMax, max(", "	if mutated() {\n		return time.Second\n	}\n$"},
		}},
		{"lets an attempt go on beyond its deadline", "an attempt outlives its deadline", 1, []edit{
			{"turn/look.go", "	case !l.Deadline.IsZero() && !d.Now.Before(l.Deadline):", "	case !l.Deadline.IsZero() && !d.Now.Before(l.Deadline) && !mutated():"},
		}},
		{"stops at a later boundary", "a stop takes too long", 74, []edit{
			{"policy/park.go", "	b := since.Add((after.Sub(since)/Chunk + 1) * Chunk)\n", "$	if mutated() {\n		b = b.Add(4 * Chunk)\n	}\n"},
		}},
	}
}
