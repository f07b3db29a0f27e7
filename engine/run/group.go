package run

import (
	"cmp"
	"slices"
	"time"
)

// Group is the jobs of the queue that differ in nothing that decides whether, and where,
// they may start, but in when their first agents were started. It has one at least.
type Group struct {
	jobs []*Queued // in the order of the queue
	aged []*Queued // the same by FirstSpawn, if the budget of time of their task depends on it
}

// Queued is a job in the queue.
type Queued struct {
	Job
	// Place grows from the head of the queue to its end.
	Place int
}

// First is the job that is nearest to the head of the queue.
func (g *Group) First() Job { return g.jobs[0].Job }

// Jobs lists the jobs in the order of the queue. It must not be changed.
func (g *Group) Jobs() []*Queued { return g.jobs }

// Aged lists the jobs whose budget of time is running, the one that began first before
// the others. It is empty if there is no such budget, and must not be changed.
func (g *Group) Aged() []*Queued { return g.aged }

// alike is what the jobs of a group have in common.
type alike struct {
	kind                            int // of the task
	requeued, stopped, begun, spent bool
	target                          Target // of a pinned task
	notBefore                       time.Time
	// firstSpawn is set on a job that may wait like a new one, but for no longer than
	// its budget of time lets it.
	firstSpawn time.Time
}

func (s *State) alike(j Job) alike {
	kind := s.queue.kinds[j.Task]
	if j.Requeued == 0 {
		return alike{kind: kind}
	}
	t := &s.Program.Tasks[j.Task]
	a := alike{
		kind: kind, requeued: true, stopped: j.Stopped, begun: !j.FirstSpawn.IsZero(),
		spent: t.Spent(j.Used), notBefore: j.NotBefore,
	}
	if t.Pinned {
		a.target = j.Target
	}
	if j.Stopped && t.Deadline > 0 {
		a.firstSpawn = j.FirstSpawn
	}
	return a
}

// Groups lists the groups of the queue in the order of their first jobs. It must not be
// changed.
func (s *State) Groups() []*Group { return s.queue.list }

// groups are those of a queue.
type groups struct {
	kinds  []int // of each task
	firsts []int // the first task of each kind
	timed  []bool
	fresh  []*Group // of each kind, of the jobs that did not come back; nil if there are none
	back   map[alike]*Group
	list   []*Group // see State.Groups
}

// groupsOf finds out which tasks differ in nothing that decides whether, and where,
// their jobs may start.
func groupsOf(tasks []Task) groups {
	q := groups{back: map[alike]*Group{}}
	for n := range tasks {
		q.learn(tasks[:n+1])
	}
	return q
}

// learn finds out what the last of the tasks has in common with those before it.
func (q *groups) learn(tasks []Task) {
	t := tasks[len(tasks)-1]
	same := func(a, b Task) bool {
		return a.Wait == b.Wait && a.Pinned == b.Pinned && a.Deadline == b.Deadline && slices.Equal(a.Order, b.Order)
	}
	k := slices.IndexFunc(q.firsts, func(f int) bool { return same(tasks[f], t) })
	if k < 0 {
		k = len(q.firsts)
		q.firsts, q.timed, q.fresh = append(q.firsts, len(tasks)-1), append(q.timed, t.Deadline > 0), append(q.fresh, nil)
	}
	q.kinds = append(q.kinds, k)
}

// add puts a job into its group, before or after all that are there.
func (q *groups) add(a alike, j Queued) {
	g := q.get(a)
	if g == nil {
		g = &Group{}
		q.set(a, g)
	} else if j.Place < g.jobs[0].Place {
		q.unlist(g)
	}
	at, _ := slices.BinarySearchFunc(g.jobs, j.Place, byPlace)
	g.jobs = slices.Insert(g.jobs, at, &j)
	if a.begun && q.timed[a.kind] {
		i, _ := slices.BinarySearchFunc(g.aged, &j, byAge)
		g.aged = slices.Insert(g.aged, i, &j)
	}
	if at == 0 {
		q.enlist(g)
	}
}

func (q *groups) get(a alike) *Group {
	if !a.requeued {
		return q.fresh[a.kind]
	}
	return q.back[a]
}

func (q *groups) set(a alike, g *Group) {
	if !a.requeued {
		q.fresh[a.kind] = g
	} else if g == nil {
		delete(q.back, a)
	} else {
		q.back[a] = g
	}
}

// remove takes a job out of its group.
func (q *groups) remove(a alike, j Job) {
	g := q.get(a)
	q.unlist(g)
	at := slices.IndexFunc(g.jobs, func(x *Queued) bool { return x.Job == j })
	if i, aged := slices.BinarySearchFunc(g.aged, g.jobs[at], byAge); aged {
		g.aged = slices.Delete(g.aged, i, i+1)
	}
	if at == 0 { // as most leave
		g.jobs[0], g.jobs = nil, g.jobs[1:]
	} else {
		g.jobs = slices.Delete(g.jobs, at, at+1)
	}
	if len(g.jobs) == 0 {
		q.set(a, nil)
		return
	}
	q.enlist(g)
}

func (q *groups) enlist(g *Group) {
	at, _ := q.find(g)
	q.list = slices.Insert(q.list, at, g)
}

func (q *groups) unlist(g *Group) {
	if at, listed := q.find(g); listed {
		q.list = slices.Delete(q.list, at, at+1)
	}
}

func (q *groups) find(g *Group) (at int, listed bool) {
	return slices.BinarySearchFunc(q.list, g.jobs[0].Place, func(x *Group, place int) int { return byPlace(x.jobs[0], place) })
}

func byPlace(j *Queued, place int) int { return cmp.Compare(j.Place, place) }

func byAge(a, b *Queued) int {
	return cmp.Or(a.FirstSpawn.Compare(b.FirstSpawn), byPlace(a, b.Place))
}
