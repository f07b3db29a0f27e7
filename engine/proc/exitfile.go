//go:build unix

package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// maxExit bounds the exit file in bytes.
const maxExit = 64 << 10

// A Cause is why a guard ended an agent.
const (
	CauseDeadline = "deadline"
	CauseStall    = "stall"
	CauseOutput   = "output"
	// CauseStop is that somebody asked for it.
	CauseStop = "stop"
	// CauseOwnerDied is that the run has had no owner for too long.
	CauseOwnerDied = "owner_died"
)

// exitRecord is what a guard writes at the end.
type exitRecord struct {
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
	// Time is when the agent itself ended; the rest of its tree may have taken
	// longer.
	Time  time.Time `json:"time"`
	Cause string    `json:"cause"`
	Left  int       `json:"left,omitempty"`
}

// readExit reads an exit file.
func readExit(path string) (exitRecord, error) {
	f, err := openPrivate(path, os.O_RDONLY)
	if err != nil {
		return exitRecord{}, err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxExit))
	if err != nil {
		return exitRecord{}, err
	}
	return parseExit(text)
}

func parseExit(text []byte) (exitRecord, error) {
	var r exitRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return exitRecord{}, fmt.Errorf("exit file: %w", err)
	}
	if r.Time.IsZero() {
		return exitRecord{}, errors.New("exit file: it has no time")
	}
	return r, nil
}

// write makes the record the file at path, whole or not at all, on the disk.
func (r exitRecord) write(path string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, ".exit-*")
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(dir)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
