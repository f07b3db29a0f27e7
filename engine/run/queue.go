package run

import (
	"iter"
	"slices"
)

// queue is the backing of State.Queue: jobs come back to its head and leave near it,
// so neither moves the rest.
type queue struct {
	jobs []Job
	head int
	// kinds says of each task which sort of work it is, and fresh counts the jobs of
	// each sort that have not been begun.
	kinds, fresh []int
}

// sortTasks finds out which tasks differ in nothing that decides whether, and where,
// they may start.
func (q *queue) sortTasks(tasks []Task) {
	same := func(a, b Task) bool {
		return a.Wait == b.Wait && a.Pinned == b.Pinned && a.Deadline == b.Deadline && slices.Equal(a.Order, b.Order)
	}
	var first []Task
	for _, t := range tasks {
		k := slices.IndexFunc(first, func(f Task) bool { return same(f, t) })
		if k < 0 {
			k = len(first)
			first = append(first, t)
		}
		q.kinds = append(q.kinds, k)
	}
	q.fresh = make([]int, len(first))
}

// count changes how many jobs of a sort have not been begun.
func (q *queue) count(j Job, by int) {
	if j.Requeued == 0 {
		q.fresh[q.kinds[j.Task]] += by
	}
}

// enqueue puts a job at the end of the queue.
func (s *State) enqueue(j Job) {
	if len(s.Queue) == 0 { // what was before is done with
		s.queue.jobs, s.queue.head = s.queue.jobs[:0], 0
	}
	s.queue.jobs = append(s.queue.jobs, j)
	s.queue.count(j, 1)
	s.Queue = s.queue.jobs[s.queue.head:]
}

// requeue puts a job at the head of the queue.
func (s *State) requeue(j Job) {
	q := &s.queue
	if q.head == 0 {
		room := 8 + len(q.jobs)/2
		q.jobs, q.head = append(make([]Job, room, room+len(q.jobs)), q.jobs...), room
	}
	q.head--
	q.jobs[q.head] = j
	q.count(j, 1)
	s.Queue = q.jobs[q.head:]
}

// dequeue takes a job out of the queue; it reports false if it is not there.
func (s *State) dequeue(j Job) bool {
	i := slices.Index(s.Queue, j)
	if i < 0 {
		return false
	}
	q := &s.queue
	copy(s.Queue[1:i+1], s.Queue[:i])
	q.jobs[q.head] = Job{}
	q.head++
	q.count(j, -1)
	s.Queue = q.jobs[q.head:]
	return true
}

// Distinct gives the jobs of the queue in their order, but of those that have not been
// begun only the first of each sort: the others differ from it in nothing that decides
// whether, and where, they may start. It costs no more than the number of jobs it
// gives, in the usual case.
func (s *State) Distinct() iter.Seq[Job] {
	return func(yield func(Job) bool) {
		left := 0
		for _, n := range s.queue.fresh {
			left += min(n, 1)
		}
		var met []bool
		for _, j := range s.Queue {
			if j.Requeued == 0 {
				if left == 0 {
					return
				}
				if met == nil {
					met = make([]bool, len(s.queue.fresh))
				}
				k := s.queue.kinds[j.Task]
				if met[k] {
					continue
				}
				met[k] = true
				left--
			}
			if !yield(j) {
				return
			}
		}
	}
}
