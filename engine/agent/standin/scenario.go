package standin

import "time"

// Scenario is what every account does over time, by the account's name. An
// account that is not in it answers [OK].
type Scenario map[string][]Stage

// Stage is how an account answers for a while.
type Stage struct {
	Answer Answer
	// For is how long the stage lasts. The first stage of an account starts with
	// its first request, each other one with the end of the stage before it. Zero
	// means that the stage never ends; the last stage never ends either. One
	// nanosecond makes a stage of one request.
	For time.Duration
}

// stageAt gives the answer of an account, elapsed after its first request, and
// how long after that request the stage ends; zero if it never ends.
func stageAt(stages []Stage, elapsed time.Duration) (Answer, time.Duration) {
	var end time.Duration
	for _, s := range stages {
		if s.For == 0 {
			return s.Answer, 0
		}
		if end += s.For; elapsed < end {
			return s.Answer, end
		}
	}
	if len(stages) == 0 {
		return OK, 0
	}
	return stages[len(stages)-1].Answer, 0
}
