package stream

import (
	"fmt"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/pack"
	"example.com/layover/engine/run"
)

// savedVersion is that of what streams save. It changes with what visit goes through.
const savedVersion = 2

// Save gives what was learned of the stream, but for what is [Stream.Held], for [Resume].
// It is a few hundred bytes.
func (s *Stream) Save() []byte {
	s.Account() // what it holds may be kept
	return pack.Write(savedVersion, nil, s.visit)
}

// Resume goes on where a stream was when it was saved. The path and the dialect are to be
// the same. The error is [pack.ErrBroken] for anything but what a stream has saved.
func Resume(o Options, saved []byte) (*Stream, error) {
	s := blank(o)
	err := pack.Read(saved, savedVersion, s.visit)
	if err != nil {
		return nil, fmt.Errorf("resume stream: %w", err)
	}
	return s, nil
}

// visit goes through what is saved: nothing of a stream whose dialect is not certain.
func (s *Stream) visit(c *pack.Codec) {
	over, dialect := s.head.over, ""
	if over {
		dialect = s.account.Dialect
	}
	c.Flag(&over)
	pack.Word(c, &dialect)
	if c.Reading() {
		if s.o.Dialect != "" && dialect != s.o.Dialect || !over && dialect != "" {
			c.Fail()
			return
		}
		s.head.over = over
	}
	if dialect == "" {
		return
	}
	s.visitReader(c, dialect)
	visitAccount(c, &s.account)
}

func (s *Stream) visitReader(c *pack.Codec, dialect string) {
	var saved []byte
	if !c.Reading() {
		saved = s.reader.Save()
	}
	if c.Bytes(&saved); !c.Reading() {
		return
	}
	r, err := agent.Resume(dialect, s.reference(), saved)
	if err != nil {
		c.Fail()
		return
	}
	s.reader, s.stale = r, true
	s.account.Dialect, s.account.Family = dialect, agent.FamilyOf(dialect)
}

// visitAccount goes through what the reader does not know.
func visitAccount(c *pack.Codec, a *Account) {
	pack.Text(c, &a.Model)
	pack.Text(c, &a.Dir)
	c.Time(&a.ServedAt)
	pack.Text(c, &a.Suspect)
	c.Time(&a.SuspectedAt)
	l := &a.Limit
	pack.Number(c, &l.Class)
	pack.Number(c, &l.Scope)
	pack.Text(c, &l.Model)
	c.Time(&l.Reset)
	pack.Number(c, &l.How)
	pack.Text(c, &l.Message)
	pack.Text(c, &a.Activity.Doing)
	pack.Text(c, &a.Activity.Message)
	r := &a.Activity.Retry
	pack.Number(c, &r.Attempt)
	pack.Number(c, &r.Max)
	pack.Number(c, &r.Delay)
	pack.Number(c, &r.Status)
	pack.List(c, &a.Readings, run.MaxReadings, func(c *pack.Codec, r *run.Reading) {
		pack.Text(c, &r.Limit)
		c.Float(&r.Used)
		pack.Number(c, &r.Window)
		c.Time(&r.Resets)
		c.Time(&r.At)
	})
}
