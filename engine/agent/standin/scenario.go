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
	// means that no time ends it; the last stage never ends.
	For time.Duration
	// Times is how many requests the stage answers; the next one starts with the request
	// that follows. Zero means any number.
	Times int
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

// progress is how far an account has come. The zero value is at its start.
type progress struct {
	stage int
	since time.Time // when the stage started; zero before the first request
	asked int       // requests that the stage has answered
}

// next takes a request at now, and gives the stage that answers it and when that ends by
// its time; zero if it does not.
func (p *progress) next(stages []Stage, now time.Time) (Stage, time.Time) {
	if len(stages) == 0 {
		return Stage{Answer: OK}, time.Time{}
	}
	if p.since.IsZero() {
		p.since = now
	}
	for p.stage < len(stages)-1 {
		s := stages[p.stage]
		switch end := s.end(p.since); {
		case !end.IsZero() && !now.Before(end):
			p.since = end
		case s.Times > 0 && p.asked >= s.Times:
			p.since = now
		default:
			p.asked++
			return s, end
		}
		p.stage, p.asked = p.stage+1, 0
	}
	return stages[p.stage], stages[p.stage].end(p.since)
}

// end is when a stage ends by its time; zero if it does not.
func (s Stage) end(since time.Time) time.Time {
	if s.For == 0 {
		return time.Time{}
	}
	return since.Add(s.For)
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
