package sim_test

// endsMutants break the rules of ends, hangs and the facts themselves.
func endsMutants() []mutant {
	return []mutant{
		{"changes the state without a fact", "replay gives another state", 1, []edit{
			{"turn/ended.go", "	running := l.Running() == a\n", "$	if mutated() {\n		l.Waited++\n	}\n"},
		}},
		{"changes the state without a fact for a while", "replay gives another state", 1, []edit{
			{"plan/decide.go", "	for i := range max(len(d.Facts)-1, 0) {", "	if mutated() {\n		if s.Counts.Refused %= 1e9; s.Phase == run.PhaseRunning {\n			s.Counts.Refused += 1e9\n		}\n	}\n$"},
		}},
		{"loses a fact", "a fact is out of order", 79, []edit{
			{"plan/decide.go", "return d.Facts, d.Effects", "if mutated() && len(d.Facts) > 3 {\n		return d.Facts[1:], d.Effects\n	}\n	$"},
		}},
		{"forgets to account", "the attempts do not add up", 1, []edit{
			{"turn/ended.go", "	} else {\n		d.Record(l.ID, run.UsageIncomplete{", "	} else if !mutated() {\n		d.Record(l.ID, run.UsageIncomplete{"},
		}},
		{"accounts twice", "accounted twice", 1, []edit{
			{"turn/ended.go", "	breaker.Unsuspect(d, l.ID, a, \"the attempt ended\")", "	if mutated() {\n		d.Record(l.ID, run.UsageIncomplete{Attempt: a.ID})\n	}\n$"},
		}},
		{"forgets a due window", "a due window is not tried", 1, []edit{
			{"run/due.go", "		if len(w.Waiters) > 0 {\n			d = sooner(d, w.NextTry)\n		}\n		ahead(w.Until)\n		ahead(w.NextTry)", "		if len(w.Waiters) > 0 && !mutated() {\n			d = sooner(d, w.NextTry)\n		}\n		if !mutated() {\n			ahead(w.Until)\n			ahead(w.NextTry)\n		}"},
		}},
		{"ends limited without a budget", "the exit status is wrong", 76, []edit{
			{"plan/conclude.go", "	case s.Spent != nil && (len(s.Queue)", "	case s.Spent != nil && !mutated() && (len(s.Queue)"},
		}},
		{"keeps a permit for ever", "a permit does not end", 443, []edit{
			{"breaker/served.go", "		before := w.PermitAt()\n		release(d, w, why)", "		before := w.PermitAt()\n		if mutated() {\n			continue\n		}\n		release(d, w, why)"},
		}},
		{"ends done with work left", "the exit status is wrong", 1, []edit{
			{"plan/conclude.go", "	case len(s.Queue) > 0:\n		return ExitLimited", "	case len(s.Queue) > 0 && !mutated():\n		return ExitLimited"},
		}},
		{"forgets its agents on restart", "nothing is due", 1, []edit{
			{"turn/resume.go", "		d.Do(run.Adopt{Lane: l.ID, Attempt: a.ID})", "		if !mutated() {\n	$\n		}"},
		}},
		{"never probes", "nothing is decided of what is due", 1, []edit{
			{"plan/sweep.go", "		try(d, w)\n", "		if !mutated() {\n	$		}\n"},
		}},
		{"goes on after the end", "a fact after the end", 1, []edit{
			{"plan/sweep.go", "	openLanes(d)\n", "	if mutated() {\n		conclude(d)\n	}\n$"},
		}},
		{"counts an attempt without a fact", "a fact does not fit", 1, []edit{
			{"turn/launch.go", "	id := s.Attempts + 1\n", "	if mutated() {\n		s.Attempts++\n	}\n$"},
		}},
		{"ends an attempt twice", "an attempt ends twice", 1, []edit{
			{"turn/ended.go", "	account(d, l, a)\n", "	if mutated() {\n		d.Record(l.ID, run.AttemptEnded{Attempt: a.ID, Exit: e.Exit, Verdict: v})\n	}\n$"},
		}},
		{"accounts at the first sign", "accounted before its end", 1, []edit{
			{"turn/ended.go", "	d.Record(l.ID, run.AttemptServed{Attempt: a.ID, Sign: sign})\n", "$	if mutated() {\n		d.Record(l.ID, run.UsageIncomplete{Attempt: a.ID})\n	}\n"},
		}},
		{"ends a lane twice", "a lane ends twice", 1, []edit{
			{"turn/settle.go", "	d.Record(l.ID, run.LaneEnded{State: st, Class: class})\n", "$	if mutated() {\n		d.Record(l.ID, run.LaneEnded{State: st, Class: class})\n	}\n"},
		}},
		{"stops a park without turn_woken", "a lane ends out of a park", 203, []edit{
			{"turn/stop.go", "		wake(d, l, run.WokenHardStop)\n", "		if !mutated() {\n	$		}\n"},
		}},
		{"ends a lane at work", "a lane ends while it works", 40, []edit{
			{"turn/stop.go", "	case l.Running() != nil:\n", "	case l.Running() != nil && !(hard && mutated()):\n"},
		}},
		{"blocks what is stopped", "blocked in a stop", 40, []edit{
			{"turn/ended.go", "	case stopping(s, l):\n", "	case stopping(s, l) && mutated():\n		block(d, l, v, nil)\n		return\n$"},
		}},
		{"gives up what is stopped", "given up in a stop", 44, []edit{
			{"turn/ended.go", "	case stopping(s, l):\n", "	case stopping(s, l) && mutated():\n		exhausted(d, l, false)\n		end(d, l, run.LaneStopped)\n		return\n$"},
		}},
		{"counts attempts before a swap", "the reasons do not add up", 1, []edit{
			{"turn/settle.go", "		d.Record(l.ID, run.RetriesExhausted{Attempts: l.Burned,", "		n := l.Burned\n		if mutated() {\n			n = len(l.Attempts)\n		}\n		d.Record(l.ID, run.RetriesExhausted{Attempts: n,"},
		}},
		{"ends with lanes open", "the run ends with lanes open", 1, []edit{
			{"plan/conclude.go", "	if len(s.Open) > 0 ||", "	if len(s.Open) > 0 && !mutated() ||"},
		}},
		{"ends without run_ended", "no run_ended", 1, []edit{
			{"plan/conclude.go", "	d.Record(0, run.RunEnded{Exit: exit, Why: why, ResetsAt: resets, Usage: s.Usage})\n", "	if !mutated() {\n	$	}\n"},
		}},
		{"clears a window and keeps its permit", "a permit does not end", 287, []edit{
			{"breaker/served.go", "		if w.Permit != nil {\n			release(d, w, \"cleared\")", "		if w.Permit != nil && !mutated() {\n			release(d, w, \"cleared\")"},
		}},
		{"a hard stop ends like a soft one", "the exit status is wrong", 44, []edit{
			{"plan/conclude.go", "	case s.Stop == run.StopHard:\n", "	case s.Stop == run.StopHard && !mutated():\n"},
		}},
		{"forgets those that it releases", "a lane hangs", 1, []edit{
			{"breaker/served.go", "		d.Record(id, run.ParkMoved{WakeAt: at, Released: true,", "		if mutated() {\n			at = time.Time{}\n		}\n$"},
		}},
		{"waits for ever", "the run hangs", 75, []edit{
			{"plan/conclude.go", "	case s.Deadline().IsZero() && !o.stated &&", "	case !mutated() && s.Deadline().IsZero() && !o.stated &&"},
		}},
		{"adopts again and again", "the run goes in circles", 1, []edit{
			{"plan/decide.go", "			d.Record(h.Lane, run.AgentAdopted{Attempt: h.Attempt})\n", "$			if mutated() {\n				d.Do(run.Adopt{Lane: h.Lane, Attempt: h.Attempt})\n			}\n"},
		}},
	}
}
