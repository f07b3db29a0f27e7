package run

import "time"

// Sight is what one line of a running agent's stream shows. It never decides a
// verdict: only the terminal record does. The zero value shows nothing.
type Sight struct {
	// Served is the sign that a real model answered ("text", "tool", "tokens",
	// "allowed"); empty if the line shows none (design.md §6).
	Served string
	// Session and Model are set when the line names them.
	Session, Model string
	// Dir is set when the line names another directory of work than those before it.
	Dir Untrusted
	// Suspect tells why the line makes the family suspected; empty if it does not.
	Suspect string
	// Limit is set if the line says that a limit refused a call: a rejected event, a
	// retry notice after status 429, or an error of that kind. One alone is no verdict.
	Limit bool
	// Gauges tell how full the usage windows of the account are; a gauge without a name
	// is none.
	Gauges [2]Gauge
	// Retry is the agent's own retry notice, if the line is one.
	Retry Retry
	// Doing is the tool that the agent uses, with the argument that tells most.
	Doing Untrusted
	// Message is the last line of what the agent has said. If it stands without Doing,
	// no tool has been used since.
	Message Untrusted
	// Usage is what the attempt has used so far; zero if the line does not tell.
	Usage Usage
	// Steps is how many steps the line ends; Idle how many of them used no tokens.
	Steps, Idle int
	// Terminal is set on a terminal record.
	Terminal bool
}

// Passing reports whether it shows nothing but what the agent does and says.
func (s Sight) Passing() bool { return s == Sight{Doing: s.Doing, Message: s.Message} }

// Retry is an agent's notice that it tries again by itself.
type Retry struct {
	// Attempt counts from one; zero means that there is no notice.
	Attempt int `json:"attempt"`
	// Max is how often the agent means to try; zero if it does not say.
	Max int `json:"max,omitempty"`
	// Delay is how long it waits first; zero if it does not say.
	Delay time.Duration `json:"delay_ns,omitempty"`
	// Status is the HTTP status that made it retry; zero if it does not say.
	Status int `json:"status,omitempty"`
}
