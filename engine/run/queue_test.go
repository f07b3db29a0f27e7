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
		}
	}), 1, 6).Draw(t, "tasks")
}

// The queue is a list that jobs are put to the end and the head of and taken out of
// anywhere, and its distinct jobs are those that have been begun and the first of each
// sort of the others.
func TestTheQueueIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks := sortsOf(t)
		s := &State{}
		s.queue.sortTasks(tasks)
		var want []Job
		iteration := 0
		any := func(t *rapid.T, requeued int) Job {
			return Job{
				Task:      rapid.IntRange(0, len(tasks)-1).Draw(t, "task"),
				Iteration: rapid.IntRange(1, max(iteration, 1)).Draw(t, "iteration"),
				Requeued:  rapid.IntRange(requeued, 2).Draw(t, "requeued"),
			}
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
				jobs, fresh := distinct(tasks, want)
				if got := slices.Collect(s.Distinct()); !slices.Equal(s.Queue, want) || !slices.Equal(got, jobs) {
					t.Fatalf("queue %+v\nwant %+v\ndistinct %+v\nwant %+v", s.Queue, want, got, jobs)
				}
				left := 0 // the look ends after so many
				for _, n := range s.queue.fresh {
					left += min(n, 1)
				}
				if left != len(fresh) {
					t.Fatalf("%d sorts are left, want %d", left, len(fresh))
				}
			},
		})
	})
}

// distinct is what [State.Distinct] gives, by a look at all; fresh counts the jobs of
// each sort that have not been begun.
func distinct(tasks []Task, queue []Job) (jobs []Job, fresh map[string]int) {
	fresh = map[string]int{}
	for _, j := range queue {
		t := tasks[j.Task]
		sort := fmt.Sprint(t.Wait, t.Pinned, t.Deadline, t.Order)
		if j.Requeued == 0 {
			fresh[sort]++
		}
		if j.Requeued > 0 || fresh[sort] == 1 {
			jobs = append(jobs, j)
		}
	}
	return jobs, fresh
}

// Whoever looks for one job only need not be given the others.
func TestDistinctEndsWhenItIsToldTo(t *testing.T) {
	s := &State{}
	s.queue.sortTasks([]Task{{Name: "a"}, {Name: "b", Pinned: true}})
	s.enqueue(Job{Task: 0, Iteration: 1})
	s.enqueue(Job{Task: 1, Iteration: 1})
	s.requeue(Job{Task: 1, Iteration: 1, Requeued: 1})
	var got []Job
	for j := range s.Distinct() {
		if got = append(got, j); len(got) == 2 {
			break
		}
	}
	if diff := cmp.Diff([]Job{{Task: 1, Iteration: 1, Requeued: 1}, {Task: 0, Iteration: 1}}, got); diff != "" {
		t.Fatal(diff)
	}
}
