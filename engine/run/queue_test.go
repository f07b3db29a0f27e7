package run

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sortsOf are tasks of which some differ in nothing that decides whether, and where,
// they may start.
func sortsOf(t *rapid.T) []Task {
	claude, codex := Target{Agent: "claude"}, Target{Agent: "codex"}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Task {
		return Task{
			Name:     rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"),
			Wait:     rapid.SampledFrom([]WaitMode{WaitPark, WaitInline}).Draw(t, "wait"),
			Pinned:   rapid.Bool().Draw(t, "pinned"),
			Deadline: Duration(rapid.SampledFrom([]time.Duration{0, time.Hour}).Draw(t, "deadline")),
			Order:    rapid.SampledFrom([][]Target{nil, {claude, codex}, {codex, claude}}).Draw(t, "order"),
			Budget:   Budget{MaxTokens: rapid.SampledFrom([]int64{0, 2}).Draw(t, "tokens")},
		}
	}), 1, 6).Draw(t, "tasks")
}

// The queue is a list that jobs are put to the end and the head of and taken out of
// anywhere, and its groups are those that a look at all of its jobs finds.
func TestTheQueueIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks := sortsOf(t)
		s := &State{Program: Program{Tasks: tasks}, queue: queue{groups: groupsOf(tasks)}}
		var want []Job
		iteration := 0
		any := func(t *rapid.T, requeued int) Job {
			j := Job{
				Task:      rapid.IntRange(0, len(tasks)-1).Draw(t, "task"),
				Iteration: rapid.IntRange(1, max(iteration, 1)).Draw(t, "iteration"),
				Requeued:  rapid.IntRange(requeued, 2).Draw(t, "requeued"),
			}
			if j.Requeued == 0 {
				return j
			}
			instant := func(name string) time.Time {
				if n := rapid.IntRange(0, 3).Draw(t, name); n > 0 {
					return time.Unix(int64(n), 0)
				}
				return time.Time{}
			}
			j.Stopped, j.FirstSpawn, j.NotBefore = rapid.Bool().Draw(t, "stopped"), instant("first spawn"), instant("not before")
			j.Used.Output = rapid.Int64Range(0, 2).Draw(t, "used")
			j.Target = Target{Agent: rapid.SampledFrom([]string{"claude", "codex"}).Draw(t, "target")}
			j.Session = rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "session")
			return j
		}
		t.Repeat(map[string]func(*rapid.T){
			"an iteration": func(t *rapid.T) {
				iteration++
				for i := range tasks {
					j := Job{Task: i, Iteration: iteration}
					s.enqueue(j)
					want = append(want, j)
				}
			},
			"one comes back": func(t *rapid.T) {
				j := any(t, 1) // none comes back that has not been begun
				s.requeue(j)
				want = append([]Job{j}, want...)
			},
			"one leaves": func(t *rapid.T) {
				if len(want) == 0 {
					t.Skip("none is there")
				}
				j := rapid.SampledFrom(want).Draw(t, "job")
				if !s.dequeue(j) {
					t.Fatalf("%+v is not there", j)
				}
				i := slices.Index(want, j)
				want = append(slices.Clone(want[:i]), want[i+1:]...)
			},
			"whoever it is": func(t *rapid.T) {
				j := any(t, 0)
				i := slices.Index(want, j)
				if s.dequeue(j) != (i >= 0) {
					t.Fatalf("%+v is at %d", j, i)
				}
				if i >= 0 {
					want = append(slices.Clone(want[:i]), want[i+1:]...)
				}
			},
			"": func(t *rapid.T) {
				if !slices.Equal(s.Queue, want) {
					t.Fatalf("queue %+v\nwant %+v", s.Queue, want)
				}
				if diff := cmp.Diff(grouped(tasks, want), groupsIn(s)); diff != "" {
					t.Fatal(diff)
				}
			},
		})
	})
}

// group is what is known of a [Group].
type group struct{ Jobs, Aged []Job }

func groupsIn(s *State) []group {
	jobs := func(from []*Queued) []Job {
		var all []Job
		for _, j := range from {
			all = append(all, j.Job)
		}
		return all
	}
	var all []group
	for _, g := range s.Groups() {
		all = append(all, group{jobs(g.Jobs()), jobs(g.Aged())})
	}
	return all
}

// grouped is what [State.Groups] gives, by a look at all jobs.
func grouped(tasks []Task, queue []Job) []group {
	var all []group
	at := map[string]int{}
	for _, j := range queue {
		t := tasks[j.Task]
		name := fmt.Sprint(t.Wait, t.Pinned, t.Deadline, t.Order, j.Requeued > 0, j.Stopped, j.FirstSpawn.IsZero(), j.NotBefore.Unix(), t.Spent(j.Used))
		if t.Pinned {
			name += j.Target.Agent
		}
		if j.Stopped && t.Deadline > 0 {
			name += j.FirstSpawn.String()
		}
		i, met := at[name]
		if !met {
			i, at[name] = len(all), len(all)
			all = append(all, group{})
		}
		g := &all[i]
		g.Jobs = append(g.Jobs, j)
		if t.Deadline > 0 && !j.FirstSpawn.IsZero() {
			g.Aged = append(g.Aged, j)
		}
	}
	for _, g := range all {
		slices.SortStableFunc(g.Aged, func(a, b Job) int { return a.FirstSpawn.Compare(b.FirstSpawn) })
	}
	return all
}

// A lane may bring a task along that the program did not have; its job passes through the
// queue like any other.
func TestALaneBringsItsTask(t *testing.T) {
	at := time.Date(2026, 3, 1, 22, 0, 0, 0, time.UTC)
	program := Program{Iterations: 1, Tasks: make([]Task, 1, 8)}
	s := &State{}
	apply := func(lane LaneID, b Body) error { return s.Apply(Fact{Seq: s.Seq + 1, At: at, Lane: lane, Body: b}) }
	if err := apply(1, LaneStarted{Job: Job{}, New: &Task{}}); err == nil {
		t.Error("a run that has not started has a lane")
	}
	for lane, b := range []Body{
		RunStarted{Program: program},
		LaneStarted{Job: Job{Task: 1, Iteration: 1}, New: &Task{Name: "b"}},
		IterationStarted{Iteration: 1},
		LaneStarted{Job: Job{Task: 2, Iteration: 1}, New: &Task{Name: "c", Pinned: true}},
	} {
		id := LaneID(0)
		if _, opens := b.(LaneStarted); opens {
			id = LaneID((lane + 1) / 2)
		}
		if err := apply(id, b); err != nil {
			t.Fatal(err)
		}
	}
	for name, job := range map[string]Job{"known": {Task: 1}, "beyond": {Task: 4}, "back": {Task: 3, Requeued: 1}} {
		if err := apply(3, LaneStarted{Job: job, New: &Task{}}); err == nil {
			t.Errorf("the task that is %s is new", name)
		}
	}
	if len(s.Lanes) != 2 || s.Label(s.Lanes[1]) != "c" || len(s.Program.Tasks) != 3 || len(program.Tasks[:3][1].Name) > 0 {
		t.Errorf("%d lanes of tasks %+v", len(s.Lanes), s.Program.Tasks)
	}
	if d := cmp.Diff([]Job{{Task: 0, Iteration: 1}, {Task: 1, Iteration: 1}}, s.Queue); d != "" {
		t.Error(d)
	}
	if got := fmt.Sprint(s.queue.kinds, s.queue.firsts); got != "[0 0 1] [0 2]" {
		t.Errorf("kinds and their firsts are %s", got)
	}
}
