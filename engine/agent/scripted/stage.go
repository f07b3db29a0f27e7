package scripted

import (
	"context"
	"fmt"
	"time"
)

// stage is the world as one agent lives in it: the house and the agent's own time.
// With a running clock its time is the clock's. At speed 0 it starts at the
// clock's and is moved on by the agent's own steps alone.
type stage struct {
	house
	at time.Time
}

func enter(dir string) (*stage, error) {
	h, err := openHouse(dir)
	if err != nil {
		return nil, err
	}
	s := &stage{house: h}
	if h.Clock.Speed > 0 {
		s.at = h.Clock.now(time.Now())
		return s, nil
	}
	s.at, err = h.tape().read()
	return s, err
}

// leave makes the agent's time known to the others: the clock of a world of speed
// 0 is moved on to it.
func (s *stage) leave() error {
	if s.Clock.Speed > 0 {
		return nil
	}
	_, err := s.tape().advance(s.at)
	return err
}

// spend lets simulated time pass. With a running clock it blocks until then or
// until ctx is done, which is its only error.
func (s *stage) spend(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.Clock.Speed == 0 {
		s.at = s.at.Add(d)
		return nil
	}
	due := s.at.Add(d)
	t := time.NewTimer(s.Clock.real(due.Sub(s.Clock.now(time.Now()))))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
	}
	s.at = s.Clock.now(time.Now())
	if s.at.Before(due) {
		s.at = due
	}
	return nil
}

// ask puts one call to the provider and writes down what became of it.
func (s *stage) ask(p Provider) (Answer, error) {
	var ans Answer
	err := s.update(func(b *Books) error {
		ans, b.Accounts[p.Family] = p.Answer(b.Accounts[p.Family], s.at, s.Clock.Epoch)
		return nil
	})
	return ans, err
}

// begin starts a fresh session for a prompt. An id that is asked for must be new.
func (s *stage) begin(family, prompt, id string) (Session, error) {
	task := s.World.task(prompt)
	fresh := Session{ID: id, Task: task.Name, Runs: 1}
	fresh.Steps = s.World.stepsFor(task, s.World.takesOver(prompt))
	err := s.update(func(b *Books) error {
		b.Fresh[family+"/"+task.Name]++
		fresh.Number = b.Fresh[family+"/"+task.Name]
		if fresh.ID == "" {
			fresh.ID = s.World.uuid(4, "session", family, task.Name, fresh.Number)
		}
		if _, there := b.Sessions[family+"/"+fresh.ID]; there {
			return fmt.Errorf("%w: %s", errSessionTaken, fresh.ID)
		}
		b.Sessions[family+"/"+fresh.ID] = fresh
		return nil
	})
	return fresh, err
}

// resume goes on with a session. It fails with errNoSession if there is none.
func (s *stage) resume(family, id string) (Session, error) {
	var old Session
	err := s.update(func(b *Books) error {
		var there bool
		if old, there = b.Sessions[family+"/"+id]; !there {
			return fmt.Errorf("%w: %s", errNoSession, id)
		}
		old.Runs++
		b.Sessions[family+"/"+id] = old
		return nil
	})
	return old, err
}

// note writes down how far a session has come.
func (s *stage) note(family string, session Session) error {
	return s.update(func(b *Books) error {
		b.Sessions[family+"/"+session.ID] = session
		return nil
	})
}
