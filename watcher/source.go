package watcher

import (
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/stream"
	"example.com/layover/watcher/tail"
	"example.com/layover/watcher/tree"
)

// source is a stream that is watched. While its file is read it belongs to whoever reads;
// between two reads to the owner.
type source struct {
	what
	path string
	// log is what the run.json calls it that names it; empty if none does.
	log string
	// number stands for it among those of a watcher.
	number int32
	// found is how the file was found last.
	found    tree.Found
	followed bool
	// first is how much there is to read before it is known as it is now, and done how much
	// of that has been read.
	first, done int64

	options stream.Options
	now     func() time.Time
	// stream is its reader; nil while it rests. At is how far it has come, rest what another
	// one is taken up from, and place how far that has come.
	stream *stream.Stream
	at     tail.Place
	rest   []byte
	place  tail.Place
	// counts are the messages since the owner has last looked.
	counts []message
	// read is when it was read last, as a count of reads.
	read uint64
}

type message struct {
	id uint64
	tokens
}

// Bytes implements [tail.Sink].
func (s *source) Bytes(p []byte) {
	s.wake()
	if s.stream.SetNow(s.found.Modified); s.first < 0 {
		s.stream.SetNow(s.now())
	}
	s.stream.Bytes(p)
}

// Restart implements [tail.Sink].
func (s *source) Restart() {
	s.stream, s.rest, s.counts = nil, nil, nil
	s.wake()
}

// wake gives it a reader that goes on where the last one was put to rest.
func (s *source) wake() {
	if s.stream != nil {
		return
	}
	o := s.options
	o.Counted = func(id uint64, u run.Usage) { s.counts = append(s.counts, message{id, tokensOf(u)}) }
	if s.rest != nil {
		if resumed, err := stream.Resume(o, s.rest); err == nil {
			s.stream = resumed
			return
		}
	}
	s.stream = stream.New(o)
}

// settle puts the reader to rest, unless it is within a line.
func (s *source) settle() bool {
	if s.stream == nil || s.stream.Held() > 0 {
		return s.stream == nil
	}
	s.rest, s.place, s.stream = s.stream.Save(), s.at, nil
	return true
}

// account is what it has told so far.
func (s *source) account() stream.Account {
	if s.stream != nil {
		return s.stream.Account()
	}
	at, err := stream.Resume(s.options, s.rest)
	if err != nil {
		return stream.Account{} // what cannot be read tells nothing
	}
	return at.Account()
}

// recent reports whether the file was written to within a time.
func (s *source) recent(now time.Time, since time.Duration) bool {
	return since <= 0 || now.Sub(s.found.Modified) <= since
}
