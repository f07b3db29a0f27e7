package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"example.com/layover/engine/run"
)

// maxProber bounds the file of a permit that is read, in bytes.
const maxProber = 4 << 10

// permit is one that is out. Lock is nil if it is a parent's.
type permit struct {
	path, stem, holder string
	lock               *flock.Flock
}

// prober is the content of a permit's file: who holds its lock.
type prober struct {
	PID   int       `json:"pid"`
	Start string    `json:"starttime,omitempty"`
	Run   string    `json:"run_id,omitempty"`
	Since time.Time `json:"since"`
	ID    string    `json:"id"`
}

// TryPermit takes the permits of all keys, or none, without waiting. Those that
// this ledger holds already count as had. If another process has one, holder says
// who; if one cannot be had at all, it says why, and the fault is reported.
func (l *Ledger) TryPermit(keys []run.WindowKey) (granted bool, holder string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := map[run.WindowKey]*permit{}
	order := slices.Clone(keys)
	slices.SortFunc(order, func(a, b run.WindowKey) int { return strings.Compare(nameOf(a, ""), nameOf(b, "")) })
	for _, k := range slices.Compact(order) {
		if l.held[k] != nil {
			continue
		}
		p, holder, err := l.take(k)
		if err != nil {
			l.report(fmt.Errorf("permit of %q: %w", k, err))
			holder = "nobody: its file cannot be locked"
		}
		if p == nil {
			for _, p := range taken {
				l.give(p)
			}
			return false, holder
		}
		taken[k] = p
	}
	for k, p := range taken {
		l.held[k] = p
	}
	return true, ""
}

// Release gives a permit back; one that is not held is left alone.
func (l *Ledger) Release(key run.WindowKey) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.held[key]; p != nil {
		delete(l.held, key)
		l.give(p)
	}
}

// take takes one permit, or says who has it.
func (l *Ledger) take(k run.WindowKey) (*permit, string, error) {
	p := &permit{path: l.path(k, permitExt), stem: stemOf(nameOf(k, l.account(k.Family))), holder: l.id}
	lock, err := l.try(p.path)
	if err != nil {
		return nil, "", err
	}
	if lock == nil {
		other := readProber(p.path)
		if id := l.inherited[p.stem]; id != "" && id == other.ID {
			p.holder = id
			return p, "", nil
		}
		return nil, other.String(), nil
	}
	p.lock = lock
	me := prober{PID: os.Getpid(), Start: l.start, Run: l.run, Since: l.now().UTC(), ID: l.id}
	if err := me.write(p.path); err != nil { // it is held even so
		l.report(fmt.Errorf("permit of %q: %w", k, err))
	}
	return p, "", nil
}

func (l *Ledger) give(p *permit) {
	if err := p.free(); err != nil {
		l.report(fmt.Errorf("give permit back: %w", err))
	}
}

// free gives a permit back; its file stays, as its lock would not be one if it
// could vanish. If it did all the same, the one there now is another's.
func (p *permit) free() error {
	if p.lock == nil {
		return nil
	}
	same, err := ours(p.lock, p.path)
	if same {
		err = os.Truncate(p.path, 0)
	}
	return errors.Join(err, p.lock.Close())
}

// write puts a prober into a permit's file, whose lock the caller holds.
func (x prober) write(path string) error {
	data, err := json.Marshal(x)
	if err != nil {
		return err
	}
	f, err := openFile(path, os.O_WRONLY|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	return errors.Join(err, f.Close())
}

// readProber reads who holds a permit; zero if that is not written (yet).
func readProber(path string) prober {
	data, _, err := readFile(path)
	if err != nil || len(data) > maxProber {
		return prober{}
	}
	var x prober
	if json.Unmarshal(data, &x) != nil {
		return prober{}
	}
	return x
}

// String says who it is, in plain letters whatever the file holds.
func (x prober) String() string {
	if x.PID <= 0 {
		return "another process"
	}
	s := fmt.Sprintf("process %d", x.PID)
	if plain(x.Run) {
		s = "run " + x.Run + " (" + s + ")"
	}
	if !x.Since.IsZero() {
		s += " since " + x.Since.UTC().Format(time.RFC3339)
	}
	return s
}

// plain reports whether a text is the id of something.
func plain(s string) bool {
	return s != "" && len(s) <= 64 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' && r != '-'
	})
}
