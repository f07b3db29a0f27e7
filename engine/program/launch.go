package program

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"example.com/layover/engine/run"
)

const (
	// maxFile bounds a program file, in bytes.
	maxFile = 1 << 20
	// maxPrompt bounds one prompt, in bytes.
	maxPrompt = 1 << 20
	// reserve is what the engine keeps free before a deadline.
	reserve = run.Duration(30 * time.Second)
)

// Launch is a program that can be run as it is.
type Launch struct {
	Program run.Program
	// Missing are the agents of the program that are not installed, sorted; every
	// task has another target that is.
	Missing []string
}

// Options are what reading a program needs to know of its surroundings.
type Options struct {
	// Presets are the agents that are known without a description.
	Presets []Preset
	// LookPath finds a command, as os/exec does; nil means that every agent
	// counts as installed.
	LookPath func(command string) (string, error)
	// Dir is what relative paths are relative to. [Load] uses the directory of
	// the program file where it is empty, the others the working directory.
	Dir string
}

// Preset is what must be known of a preset to check a program.
type Preset struct {
	Name string
	// Family is its limit domain; empty means its name.
	Family string
	// Command is the program it starts; empty means its name.
	Command string
	// NoCommand is set if the program file must name its command; its output means
	// something by the rules of that file only.
	NoCommand bool
	// Install tells how to get it, such as "npm install -g x"; it may be empty.
	Install string
}

// Load reads the program file at path. The error is [Faults] if the file could be
// read, and tells why it could not otherwise. It blocks on the file system.
func Load(path string, opts Options) (Launch, error) {
	data, err := readFile(path, maxFile)
	if err != nil {
		return Launch{}, fmt.Errorf("read program: %w", err)
	}
	if opts.Dir == "" {
		opts.Dir = filepath.Dir(path)
	}
	return Parse(path, data, opts)
}

// Parse reads the text of a program file. The name stands in front of every fault
// and gives the program its name if the text does not. The error is [Faults]; the
// launch is empty then.
func Parse(name string, data []byte, opts Options) (Launch, error) {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return Launch{}, fmt.Errorf("read program: %w", err)
	}
	opts.Dir = dir
	r := &reader{opts: opts, file: name, known: map[string][]string{}}
	top, ok := r.decode(data)
	if !ok {
		return Launch{}, r.faults.sorted()
	}
	base := filepath.Base(name)
	l := r.launch(top, wordFrom(strings.TrimSuffix(base, filepath.Ext(base)), "run"))
	if err := r.faults.sorted(); err != nil {
		return Launch{}, err
	}
	return l, nil
}

// wordFrom makes a name of any text by dropping what a name must not have; the
// other is taken where nothing is left.
func wordFrom(s, other string) string {
	keep := func(c rune) rune {
		if notAWord("x"+string(c)+"x") != "" {
			return -1
		}
		return c
	}
	s = strings.TrimLeft(strings.TrimSpace(strings.Map(keep, s)), ". ")
	for len(s) > longestWord-4 { // room for a number
		runes := []rune(s)
		s = strings.TrimSpace(string(runes[:len(runes)-1]))
	}
	if notAWord(s) != "" {
		return other
	}
	return s
}
