package run

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// whole compares states by everything in them, the lanes that are due included.
var whole = cmp.Options{cmp.AllowUnexported(State{}), cmpopts.IgnoreFields(Lane{}, "due", "index"), cmpopts.EquateEmpty()}

// differ says how two states differ; the slow way only if they do.
func differ(a, b *State) string {
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return cmp.Diff(a, b, whole)
}

// anyProgram is a program with three tasks and targets of two families.
func anyProgram() Program {
	p := Defaults()
	p.Name, p.Parallel = "any", 3
	p.Order = []Target{{Agent: "claude", Model: "opus"}, {Agent: "claude"}, {Agent: "codex"}}
	p.Agents = map[string]Agent{"claude": {Preset: "claude", Family: "claude"}, "codex": {Preset: "codex", Family: "codex"}}
	for _, name := range []string{"one", "two", "three"} {
		p.Tasks = append(p.Tasks, Task{Name: name, Prompt: "do it", Wait: WaitPark})
	}
	return p
}

// maker makes facts that follow a state, and that may or may not fit it.
type maker struct {
	*rand.Rand
	s    *State
	lane *Lane // what the fact is about; nil if nothing
}

func pick[T any](m maker, from ...T) T { return from[m.IntN(len(from))] }

func (m maker) at() time.Time { return time.Unix(m.Int64N(1200), 0).UTC() }

func (m maker) fact() Fact {
	lane := LaneID(m.IntN(len(m.s.Lanes) + 2))
	if n := len(m.s.Open); n > 0 {
		lane = pick(m, lane, m.s.Open[m.IntN(n)])
	}
	m.lane = m.s.Lane(lane)
	v := reflect.New(reflect.TypeOf(pick(m, Bodies()...))).Elem()
	m.fill(v)
	body := v.Interface().(Body)
	switch b := body.(type) {
	case LaneStarted:
		lane = LaneID(len(m.s.Lanes) + 1)
		if len(m.s.Queue) > 0 {
			b.Job = pick(m, m.s.Queue[0], b.Job)
		}
		body = b
	case AttemptStarted:
		b.Attempt = pick(m, m.s.Attempts+1, b.Attempt)
		body = b
	case ProbeSettled, PermitReleased:
		body = m.permit(body)
	}
	return Fact{Seq: m.s.Seq + 1, At: m.at(), Lane: lane, Body: body}
}

// permit makes it likely that a fact is about a permit that is out.
func (m maker) permit(b Body) Body {
	for _, w := range m.s.Windows {
		if w.Permit == nil {
			continue
		}
		return pick[Body](m, b, ProbeSettled{Key: w.WindowKey, Attempt: w.Permit.Attempt}, PermitReleased{Key: w.WindowKey, Attempt: w.Permit.Attempt})
	}
	return b
}

// fill fills in a value of any type that facts are made of, from so few values
// that facts are often about the same things.
func (m maker) fill(v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(pick(m, time.Time{}, m.at())))
		return
	case Program:
		v.Set(reflect.ValueOf(anyProgram()))
		return
	case Target:
		v.Set(reflect.ValueOf(pick(m, append(anyProgram().Order, Target{})...)))
		return
	case WindowKey:
		v.Set(reflect.ValueOf(WindowKey{Family: pick(m, "claude", "codex"), Model: pick(m, "", "opus"), Sort: pick(m, SortLimit, SortLogin)}))
		return
	case AttemptID:
		v.SetInt(m.Int64N(int64(m.s.Attempts) + 2))
		if m.lane != nil && len(m.lane.Attempts) > 0 && m.IntN(4) > 0 {
			v.SetInt(int64(m.lane.Attempts[len(m.lane.Attempts)-1].ID))
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(m.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(m.Int64N(7))
		if word, ok := v.Interface().(fmt.Stringer); ok && strings.HasPrefix(word.String(), "unknown") {
			v.SetInt(1) // an enum with fewer values
		}
	case reflect.Float64:
		v.SetFloat(float64(m.IntN(5)))
	case reflect.String:
		v.SetString(pick(m, "", "claude", "codex", "start", "patience"))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" {
				m.fill(v.Field(i))
			}
		}
	}
}

// A fact that does not fit is refused and changes nothing, and one that fits gives
// the same state after it was written down and read back, whatever came before.
func TestApplyAllOrNothing(t *testing.T) {
	taken := map[string]int{}
	for seed := range uint64(150) {
		made, read := &State{}, &State{}
		m := maker{Rand: rand.New(rand.NewPCG(seed, 1)), s: made}
		begin := []Body{RunStarted{RunID: "r", Program: anyProgram(), Speed: 1}, IterationStarted{Iteration: 1}}
		for n := range 150 {
			f := m.fact()
			if n < len(begin) {
				f = Fact{Seq: uint64(n) + 1, At: m.at(), Body: begin[n]}
			}
			if err := made.Apply(f); err != nil {
				if diff := differ(read, made); diff != "" {
					t.Fatalf("seed %d: %+v is refused (%v) but changes (-before +after):\n%s", seed, f, err, diff)
				}
				continue
			}
			taken[f.Body.Name()]++
			line, err := f.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			var back Fact
			if err := back.UnmarshalJSON(line); err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			if err := read.Apply(back); err != nil {
				t.Fatalf("seed %d: %s is taken as it was made, not as it was read: %v", seed, line, err)
			}
			if diff := differ(made, read); diff != "" {
				t.Fatalf("seed %d: %s (-made +read):\n%s", seed, line, diff)
			}
		}
	}
	for _, b := range Bodies() {
		if taken[b.Name()] < 3 {
			t.Errorf("%s was taken %d times: the facts are too few", b.Name(), taken[b.Name()])
		}
	}
}

// Facts follow each other without a gap and without a repeat.
func TestApplyRefusesGaps(t *testing.T) {
	s := &State{}
	begin := Fact{Seq: 1, Body: RunStarted{Program: anyProgram()}}
	for _, f := range []Fact{{Seq: 0, Body: Notice{}}, {Seq: 2, Body: begin.Body}} {
		if err := s.Apply(f); err == nil || s.Seq != 0 || s.Phase != 0 {
			t.Errorf("fact %d is taken first", f.Seq)
		}
	}
	if err := s.Apply(begin); err != nil {
		t.Fatal(err)
	}
	for _, seq := range []uint64{1, 3} {
		if err := s.Apply(Fact{Seq: seq, Body: Notice{Message: "hello"}}); err == nil || s.Notice != "" {
			t.Errorf("fact %d is taken after 1", seq)
		}
	}
	s.Skip(Fact{Seq: 2})
	if err := s.Apply(Fact{Seq: 3, Body: Notice{Message: "hello"}}); err != nil || s.Notice != "hello" {
		t.Errorf("after a fact that is not known: %v", err)
	}
}
