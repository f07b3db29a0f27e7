package standin

import (
	"bytes"
	"slices"
	"time"
)

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
	// Commands are what [Work] runs, in their order. None may hold another, or what
	// JSON escapes.
	Commands []string
	// Most is how long a conversation may be, in bytes of its JSON; a longer one is
	// answered by [TooLong]. Zero means that any may be.
	Most int
	// Enough are texts of which a conversation holds one that [Work] answers with a
	// short text.
	Enough []string
}

// stageAt gives the stage of an account, elapsed after its first request, and how long
// after that request it ends; zero if it never ends.
func stageAt(stages []Stage, elapsed time.Duration) (Stage, time.Duration) {
	var end time.Duration
	for _, s := range stages {
		if s.For == 0 {
			return s, 0
		}
		if end += s.For; elapsed < end {
			return s, end
		}
	}
	if len(stages) == 0 {
		return Stage{Answer: OK}, 0
	}
	return stages[len(stages)-1], 0
}

// reply is what a request is answered with.
type reply struct {
	answer Answer
	// reset is the end of a limit, and wait how long that is from now, in whole seconds;
	// both are zero if it has none.
	reset time.Time
	wait  time.Duration
	// command is what the model runs; empty for a short text. The id of its call ends
	// with step: claude takes two calls with one id for the same.
	command string
	step    int
}

// reply decides what a stage answers a request.
func (s Stage) reply(body []byte, conversation int, told bool) reply {
	r := reply{answer: s.Answer}
	switch {
	case s.Most > 0 && conversation > s.Most:
		r.answer = TooLong
	case s.Answer == Tool && !told:
		r.command, r.step = "echo hello", 1
	case s.Answer == Work && slices.ContainsFunc(s.Enough, func(text string) bool { return bytes.Contains(body, []byte(text)) }):
	case s.Answer == Work:
		i := slices.IndexFunc(s.Commands, func(c string) bool { return !bytes.Contains(body, []byte(c)) })
		if i >= 0 {
			r.command, r.step = s.Commands[i], i+1
		}
	}
	return r
}
