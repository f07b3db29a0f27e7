package run

import (
	"fmt"
	"slices"
)

// queue is the backing of State.Queue: jobs come back to its head and leave near it,
// so neither moves the rest.
type queue struct {
	jobs []Job
	head int
	// first and last are the places of the first job and after the last.
	first, last int
	groups
}

// enqueue puts a job at the end of the queue.
func (s *State) enqueue(j Job) {
	q := &s.queue
	if len(s.Queue) == 0 { // what was before is done with
		q.jobs, q.head = q.jobs[:0], 0
	}
	q.jobs = append(q.jobs, j)
	s.Queue = q.jobs[q.head:]
	q.add(s.alike(j), Queued{Job: j, Place: q.last})
	q.last++
}

// addTask adds a task to the program, and a job of it to the queue.
func (s *State) addTask(t Task, j Job) error {
	if s.Phase == 0 || j.Task != len(s.Program.Tasks) || j.Requeued != 0 {
		return fmt.Errorf("task %d is not new", j.Task)
	}
	s.Program.Tasks = append(slices.Clip(s.Program.Tasks), t)
	s.queue.learn(s.Program.Tasks)
	s.enqueue(j)
	return nil
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
	s.Queue = q.jobs[q.head:]
	q.first--
	q.add(s.alike(j), Queued{Job: j, Place: q.first})
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
	s.Queue = q.jobs[q.head:]
	q.remove(s.alike(j), j)
	return true
}
