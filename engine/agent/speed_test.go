package agent

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"example.com/layover/engine/agent/corpus"
	"example.com/layover/engine/run"
)

// speedRounds is how often each of the programs reads.
const speedRounds = 5

// BenchmarkSpeed reads the corpus in turns with wc, rg and encoding/json, on one core, and
// prints the median times and their ratios to that of wc. It fails for no time: whoever
// runs it looks at the ratios.
func BenchmarkSpeed(b *testing.B) {
	dir, _ := writeCorpus(b)
	var files, names []string
	eachCorpusFile(b, dir, func(path, name string) { files, names = append(files, path), append(names, name) })
	command := func(name string, args ...string) func() error {
		return func() error { return exec.Command(name, append(args, files...)...).Run() }
	}
	runners := []struct {
		name string
		do   func() error
	}{
		{"wc -l", command("wc", "-l")},
		{"rg -j1 -c, five needles", command("rg", "-j1", "-c", "-F", "-e", "rate_limit", "-e", "usage limit", "-e", "hit your", "-e", `"result"`, "-e", "api_error")},
		{"Reader", func() error { return readAll(files, names) }},
		{"encoding/json", func() error { return readPlainly(files) }},
	}
	times := map[string][]time.Duration{}
	for range speedRounds {
		for _, r := range runners {
			if r.name == "encoding/json" && len(times[r.name]) == 1 {
				continue // it takes long, and is far off
			}
			start := time.Now()
			if err := r.do(); errors.Is(err, exec.ErrNotFound) {
				continue
			} else if err != nil {
				b.Fatalf("%s: %v", r.name, err)
			}
			times[r.name] = append(times[r.name], time.Since(start))
		}
	}
	median := func(name string) float64 {
		all := times[name]
		if len(all) == 0 {
			return 0
		}
		slices.Sort(all)
		return all[len(all)/2].Seconds()
	}
	for _, r := range runners {
		b.Logf("%-24s %7.3f s  %6.2f times wc -l", r.name, median(r.name), median(r.name)/median("wc -l"))
	}
}

func readAll(files, names []string) error {
	chunk := make([]byte, ReadSize)
	seen := 0
	for i, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		r, err := NewReader(corpus.KindOf(names[i]), Reference{})
		if err != nil {
			return err
		}
		for {
			n, err := f.Read(chunk)
			r.Feed(chunk[:n], func(run.Sight) { seen++ })
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return err
			}
		}
		r.End(End{}, nil)
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// readPlainly is what one would write first.
func readPlainly(files []string) error {
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var record struct {
				Type    string
				Subtype string
				IsError bool `json:"is_error"`
				Message struct {
					ID    string
					Model string
					Usage map[string]any
				}
				Info    map[string]any  `json:"rate_limit_info"`
				Payload json.RawMessage `json:"payload"`
			}
			_ = json.Unmarshal(lines.Bytes(), &record) // some results are plain text
		}
		if err := errors.Join(lines.Err(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}
