//go:build unix

package proc

import (
	"encoding/json"
	"os"
	"syscall"
)

// startGuard starts a guard in a session of its own. What it answers can be read
// from ready.
func startGuard(self []string, o orders, lock *os.File) (process *os.Process, ready *os.File, err error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, nil, err
	}
	stdin, err := input(text)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = stdin.Close() }()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = null.Close() }()
	ready, stdout, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = stdout.Close() }()
	named := append([]string{os.Args[0]}, self[1:]...) // in a list of processes it shows as ours
	process, err = os.StartProcess(self[0], named, &os.ProcAttr{
		Env:   []string{}, // it needs none, and the agent's is in the orders
		Files: []*os.File{stdin, stdout, null, lockFD: lock},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		_ = ready.Close()
		return nil, nil, err
	}
	return process, ready, nil
}
