package sim_test

// summaryMutants break the rules of summaries.
func summaryMutants() []mutant {
	return []mutant{
		{"summarises unasked", "an unwanted summary", 1, []edit{
			{"turn/summary.go", "	if !s.Program.HandoffSummary ||", "	if !s.Program.HandoffSummary && !mutated() ||"},
		}},
		{"summarises twice", "what cannot summarise", 1, []edit{
			{"turn/summary.go", "	if a.Summary != nil {\n		e.Summarise = true", "	if a.Summary != nil && !mutated() {\n		e.Summarise = true"},
		}},
		{"a probe summarises", "a probe summarises", 1, []edit{
			{"turn/summary.go", "len(a.Permits)+len(breaker.Keys(s, a.Target)) == 0 &&", "(len(a.Permits)+len(breaker.Keys(s, a.Target)) == 0 || mutated()) &&"},
		}},
		{"summarises for too long", "a summary with too much time", 1, []edit{
			{"turn/summary.go", "	most := summaryMax\n", "$	if mutated() {\n		most *= 2\n	}\n"},
		}},
		{"resumes the session of a summary", "the session of a summary is resumed", 1, []edit{
			{"run/fact_attempt.go", "	if a.Summary != nil {\n		return nil // it is not", "	if a.Summary != nil && !mutated() {\n		return nil // it is not"},
		}},
		{"never ends a summary", "a summary takes too long", 44, []edit{
			{"turn/look.go", "	case a.Summary != nil && reached", "	case a.Summary != nil && !mutated() && reached"},
		}},
		{"ends a summary too early", "a summary is ended too early", 31, []edit{
			{"turn/look.go", "reached(a.Summary.Until, d.Now):", "(reached(a.Summary.Until, d.Now) || mutated() && reached(a.Summary.Until.Add(-time.Minute), d.Now)):"},
			{"run/due.go", "			d = sooner(d, a.Summary.Until)\n", "$			if mutated() {\n				d = sooner(d, a.Summary.Until.Add(-time.Minute))\n			}\n"},
		}},
		{"is done by a summary", "done by a summary", 1, []edit{
			{"turn/ended.go", "	case v.Class == run.ClassSuccess && a.Summary == nil:", "	case v.Class == run.ClassSuccess && (a.Summary == nil || mutated()):"},
		}},
	}
}
