// Command corpus writes sessions of Claude Code and Codex, as they are kept on disk, for
// measurements; see watch.sh.
//
//	go run ./testdata/bench/corpus DIR BYTES FILES
//
// A fiftieth of the sessions of Claude Code goes on in another file, which begins with what
// the first one holds, as after a fork.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"example.com/layover/engine/agent/corpus"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("want DIR BYTES FILES")
	}
	size, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return err
	}
	files, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	truth, err := corpus.Write(args[0], corpus.Options{Bytes: size, Files: files, Seed: 1, Limits: .0001, Decoys: .0005, Sessions: true})
	if err != nil {
		return err
	}
	all, err := filepath.Glob(filepath.Join(args[0], "claude", "projects", "*", "*.jsonl"))
	if err != nil {
		return err
	}
	for i := 0; i+1 < len(all); i += 50 {
		if err := fork(all[i], all[i+1]); err != nil {
			return err
		}
	}
	fmt.Printf("%d bytes, %d lines, %d files\n", truth.Bytes, truth.Lines, files)
	return nil
}

// fork has a session begin with what another one holds.
func fork(from, to string) error {
	head, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	head = head[:min(len(head), 1<<20)]
	head = head[:bytes.LastIndexByte(head, '\n')+1]
	rest, err := os.ReadFile(to)
	if err != nil {
		return err
	}
	return os.WriteFile(to, append(head, rest...), 0o600)
}
