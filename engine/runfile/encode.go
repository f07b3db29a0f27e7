package runfile

import (
	"bytes"
	"fmt"

	"example.com/layover/engine/run"
)

// Options say what a state does not know. The zero value leaves all of it out.
type Options struct {
	// ParentPID and ParentStart are the process that owns the run.
	ParentPID   int
	ParentStart string
	// Logs gives the paths of the stdout and stderr files of a worker directory;
	// nil leaves them out.
	Logs func(worker string) (stdout, stderr string)
}

// Encode writes the run.json of a state, ending in a newline. The same state and
// options give the same bytes, and [Decode] gives what [Of] gives.
func Encode(s *run.State, o Options) ([]byte, error) {
	if s == nil {
		return nil, fmt.Errorf("write run.json: no state")
	}
	return Of(s, o).JSON(), nil
}

// JSON writes the file, ending in a newline.
func (f *File) JSON() []byte {
	out := bytes.NewBuffer(make([]byte, 0, 1024+512*len(f.Agents)))
	write(&codec{out: out}, f, (*File).visit)
	out.WriteByte('\n')
	return run.PlainJSON(out.Bytes())
}
