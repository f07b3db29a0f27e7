package turn

import (
	"time"

	"example.com/layover/engine/run"
)

// TakeUp goes on with an open lane of a run that has a new owner: its agent is
// adopted, or started if that was never done; what it had asked is asked again. A
// wait keeps its instant.
func TakeUp(d *run.Decision, l *run.Lane) {
	a := l.Running()
	if n := len(l.Attempts); n > 0 && !l.Attempts[n-1].EndedAt.IsZero() && !l.Attempts[n-1].Counted {
		account(d, l, &l.Attempts[n-1]) // the decision about its end was cut off
	}
	switch {
	case a == nil && l.Wait == nil && stopping(d.State, l):
		Look(d, l)
		return
	case a == nil && l.Wait == nil: // others may have asked for the same permit
		acquire(d, l, run.WokenDue)
		return
	case a == nil:
		Resume(d, l)
		return
	case a.SpawnedAt.IsZero():
		d.Do(spawn(d.State, l, *a, l.Deadline))
	default:
		d.Do(run.Adopt{Lane: l.ID, Attempt: a.ID})
	}
	if a.Ending != 0 {
		d.Do(run.End{Lane: l.ID, Attempt: a.ID, Why: a.Ending})
	} else if l.Spent != nil {
		Broke(d, l)
	}
}

// Requeue puts the task of a stopped lane back at the head of the queue.
func Requeue(d *run.Decision, l *run.Lane) {
	job := again(l)
	job.Stopped = true
	d.Record(l.ID, run.TaskRequeued{Job: job})
}

// again is the job of a lane as it comes back to the queue.
func again(l *run.Lane) run.Job {
	job := l.Job
	job.Requeued, job.Stopped = job.Requeued+1, false
	job.Used = l.Used()
	job.From, job.Target, job.Session, job.NotBefore = l.ID, l.Target, l.Sessions[l.Target], time.Time{}
	return job
}
