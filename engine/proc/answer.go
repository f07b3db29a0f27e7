//go:build unix

package proc

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// ErrLocked is matched by the error of [StartGuarded] when another guard holds
// the lock.
var ErrLocked = errors.New("the lock is held")

// ErrNoAnswer is matched by the error of [StartGuarded] when the guard ended before it
// could say anything, as it does where the system has no room for another process.
var ErrNoAnswer = errors.New("the guard gave no answer")

// maxAnswer bounds a guard's answer in bytes.
const maxAnswer = 64 << 10

const kindNotFound = "not_found"

// answer is the one line that a guard gives: who it is and whom it guards, or why
// it does not. The former is also what it writes into its lock.
type answer struct {
	PID        int    `json:"pid,omitempty"`
	Start      string `json:"start,omitempty"`
	Agent      int    `json:"agent,omitempty"`
	AgentStart string `json:"agent_start,omitempty"`
	// Boot names the time between two starts of the machine; after the next one
	// the numbers mean others. Empty where start times need no such name.
	Boot  string `json:"boot,omitempty"`
	Error string `json:"error,omitempty"`
	Kind  string `json:"kind,omitempty"`
	// Errno is the system's number of the error; zero if it has none.
	Errno int `json:"errno,omitempty"`
}

func (a answer) guard() identity { return identity{pid: a.PID, start: a.Start} }
func (a answer) agent() identity { return identity{pid: a.Agent, start: a.AgentStart} }

// refuse makes the answer of a guard that starts nothing.
func refuse(err error) answer {
	a := answer{Error: err.Error()}
	if errors.Is(err, ErrNotFound) {
		a.Kind = kindNotFound
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		a.Errno = int(errno)
	}
	return a
}

// line is the answer as it is sent.
func (a answer) line() []byte {
	b, err := json.Marshal(a)
	if err != nil {
		return []byte("{}\n") // cannot be: the fields are numbers and strings
	}
	return append(b, '\n')
}

// readAnswer reads the one line of a guard.
func readAnswer(r io.Reader) (answer, error) {
	line, err := bufio.NewReader(io.LimitReader(r, maxAnswer)).ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		return answer{}, ErrNoAnswer
	}
	if err != nil {
		return answer{}, fmt.Errorf("the guard's answer: %w", err)
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		return answer{}, errors.New("the guard's answer is no JSON")
	}
	if a.Error != "" {
		return answer{}, &refusedError{a}
	}
	if a.PID <= 0 || a.Agent <= 0 {
		return answer{}, errors.New("the guard's answer names no process")
	}
	return a, nil
}

// recorded reads what a guard wrote into its lock. It gives nothing where that is
// missing, damaged, or older than the machine's last start.
func recorded(lock *os.File) answer {
	a, err := readAnswer(io.NewSectionReader(lock, 0, maxAnswer))
	if err != nil || a.Boot != bootID() {
		return answer{}
	}
	return a
}

// refusedError is a refusal as it reached us; it matches what it matched there.
type refusedError struct{ answer }

// Error implements error.
func (e *refusedError) Error() string { return e.answer.Error }

// Unwrap gives the cause, as far as it has a name.
func (e *refusedError) Unwrap() error {
	switch {
	case e.Kind == kindNotFound:
		return ErrNotFound
	case e.Errno > 0:
		return syscall.Errno(e.Errno)
	}
	return nil
}
