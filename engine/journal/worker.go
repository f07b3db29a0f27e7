package journal

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxLabel bounds the part of a worker's name that tells its lane, in bytes.
const maxLabel = 40

// Worker is the directory of one agent. Its fields are paths; what they name need
// not be there yet.
type Worker struct {
	// Name is the name of the directory below workers; Dir is its path.
	Name, Dir string
	Lock      string
	Stdout    string
	Stderr    string
	Exit      string
	Prompt    string
	Handoff   string
}

// Worker makes the directory of an agent, or gives the one that is there. The label
// may be any text: what is not fit for a name is replaced. The hex part is twelve
// hexadecimal digits of the caller's, unique within the run.
func (j *Journal) Worker(label, hex string) (Worker, error) {
	if len(hex) != 12 || !isHex(hex) {
		return Worker{}, fmt.Errorf("make a worker: %q is not twelve hexadecimal digits", hex)
	}
	w := workerAt(j.dir, clean(label)+"__agent_"+hex)
	if err := new(directories).ensure(w.Dir); err != nil {
		return Worker{}, err
	}
	return w, nil
}

// OpenWorker gives the paths of a worker of this run; see [OpenWorker].
func (j *Journal) OpenWorker(name string) (Worker, error) { return OpenWorker(j.dir, name) }

// OpenWorker gives the paths of a worker by its name, as the facts of the run
// whose directory is dir tell it. It fails on a name that no worker has, and where
// there is no such directory.
func OpenWorker(dir, name string) (Worker, error) {
	label, hex, ok := cutName(name)
	if !ok || label != clean(label) || len(hex) != 12 || !isHex(hex) {
		return Worker{}, fmt.Errorf("%q is not the name of a worker", name)
	}
	w := workerAt(dir, name)
	if err := checkDir(w.Dir); err != nil {
		return Worker{}, fmt.Errorf("open worker: %w", err)
	}
	return w, nil
}

// Workers lists the directories of the agents that are there, by their names. What
// is no such directory is left out.
func (j *Journal) Workers() ([]Worker, error) {
	path := filepath.Join(j.dir, WorkersDir)
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	var all []Worker
	for _, e := range entries {
		if w, err := OpenWorker(j.dir, e.Name()); err == nil {
			all = append(all, w)
		}
	}
	return all, nil
}

func cutName(name string) (label, hex string, ok bool) {
	const mark = "__agent_"
	i := strings.LastIndex(name, mark)
	if i < 0 {
		return "", "", false
	}
	return name[:i], name[i+len(mark):], true
}

func workerAt(dir, name string) Worker {
	d := filepath.Join(dir, WorkersDir, name)
	return Worker{
		Name: name, Dir: d,
		Lock:    filepath.Join(d, "lock"),
		Stdout:  filepath.Join(d, "stdout.jsonl"),
		Stderr:  filepath.Join(d, "stderr.log"),
		Exit:    filepath.Join(d, "exit.json"),
		Prompt:  filepath.Join(d, "prompt.md"),
		Handoff: filepath.Join(d, "handoff.md"),
	}
}

// WriteFile writes a private file of that name into the directory, or replaces the
// one there, and returns when it is on the disk. It fails on a name that is a path.
func (w Worker) WriteFile(name string, data []byte) error {
	if !isName(name) {
		return fmt.Errorf("write a file of worker %s: %q is not a name", w.Name, name)
	}
	path := filepath.Join(w.Dir, name)
	if err := replaceFile(path, data); err != nil {
		return unwritable(path, err)
	}
	return nil
}

// ReadFile reads a file of that name in the directory, [MaxLine] bytes at most. It
// fails on a name that is a path, and on what is no regular file.
func (w Worker) ReadFile(name string) ([]byte, error) {
	if !isName(name) {
		return nil, fmt.Errorf("read a file of worker %s: %q is not a name", w.Name, name)
	}
	f, err := openFile(filepath.Join(w.Dir, name), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, MaxLine))
}

// isName reports whether a text names a file in a directory.
func isName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}

// clean makes a name of any text: small letters, digits, dots, dashes and
// underscores, neither empty nor hidden.
func clean(label string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(label) {
		if b.Len() == maxLabel {
			break
		}
		fit := (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.'
		switch {
		case fit && (b.Len() > 0 || (c != '.' && c != '-')):
			b.WriteRune(c)
		case !fit && b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if b.Len() == 0 {
		return "task"
	}
	return b.String()
}
