package watcher

import (
	"slices"
	"sync"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/stream"
	"example.com/layover/watcher/tail"
)

// source is a stream that is watched. The owner uses it, and who reads its file: what both
// use is behind the lock.
type source struct {
	what
	path string
	// log is what the run.json calls it that names it; empty if none does.
	log string
	// number stands for it among those of a watcher.
	number int32
	// id, size and modified are those of the file as it was found last.
	id       tail.Identity
	size     int64
	modified time.Time
	followed bool
	// first is how much there is to read before it is known as it is now, and done how much
	// of that has been read.
	first, done int64

	// options are those of the watcher.
	options *Options
	// fresh is what it has told, until the next telling; nil if nothing has changed.
	fresh *stream.Account
	// at is how far its file was read when the owner was told last, and place how far that
	// had come which rest is of.
	at, place tail.Place

	mu sync.Mutex
	// stream is its reader; nil while it rests. Rest is what another one is taken up from.
	stream *stream.Stream
	rest   []byte
	// offset is how many bytes of the file the reader was given.
	offset int64
	// counts are the messages since the owner has last looked; anew is set if the file has
	// begun anew since, before them. Live says that what comes is written now.
	counts     []message
	anew, live bool

	// read is when it was read last, as a count of reads.
	read uint64
}

type message struct {
	id uint64
	tokens
}

// Bytes implements [tail.Sink].
func (s *source) Bytes(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake()
	if s.live {
		s.stream.SetNow(s.options.Now())
	}
	s.stream.Bytes(p)
	s.offset += int64(len(p))
}

// Restart implements [tail.Sink].
func (s *source) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stream, s.rest, s.counts, s.anew, s.offset = nil, nil, nil, true, 0
	s.wake()
}

// reading is how it is read.
func (s *source) reading() stream.Options {
	return stream.Options{Path: s.path, Dialect: s.dialect, Zone: s.options.Zone, Keep: s.options.Keep, Now: s.modified}
}

// wake gives it a reader that goes on where the last one was put to rest.
func (s *source) wake() {
	if s.stream != nil {
		return
	}
	o := s.reading()
	o.Counted = func(id uint64, u run.Usage) { s.counts = append(s.counts, message{id, tokensOf(u)}) }
	if s.rest != nil {
		if resumed, err := stream.Resume(o, s.rest); err == nil {
			s.stream = resumed
			return
		}
	}
	s.stream = stream.New(o)
}

// begin makes it ready to be read from where it was left; live says that what is new was
// written just now.
func (s *source) begin(live bool) tail.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := s.place
	if s.stream != nil {
		from = s.at
	}
	s.offset, s.live = from.Offset, live
	return from
}

// take gives the messages that have come since it was last asked, behind those of into, and
// whether the file began anew before.
func (s *source) take(into []message) (counts []message, anew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts, anew = append(into, s.counts...), s.anew
	s.counts, s.anew = s.counts[:0], false
	return counts, anew
}

// settle puts the reader to rest if it is between two lines, and just as far as the owner
// was told.
func (s *source) settle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = true
	if s.even() {
		s.rest, s.place, s.stream, s.counts = s.stream.Save(), s.at, nil, slices.Clip(s.counts)
		if len(s.counts) == 0 {
			s.counts = nil
		}
	}
	return s.stream == nil
}

func (s *source) even() bool {
	return s.stream != nil && s.stream.Held() == 0 && s.offset == s.at.Offset
}

// kept is what another watcher can go on from; nil if it cannot from anywhere.
func (s *source) kept() ([]byte, tail.Place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.even() {
		return s.stream.Save(), s.at
	}
	return s.rest, s.place
}

// account is what it has told so far.
func (s *source) account() stream.Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stream != nil {
		return s.stream.Account()
	}
	at, err := stream.Resume(s.reading(), s.rest)
	if err != nil {
		return stream.Account{} // what cannot be read tells nothing
	}
	return at.Account()
}

// awake reports whether it has a reader; known whether anything was read of it.
func (s *source) awake() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stream != nil
}

func (s *source) known() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stream != nil || s.rest != nil
}

// inherit takes over what was read of the file under another name.
func (s *source) inherit(was *source, at tail.Place) {
	was.mu.Lock()
	defer was.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stream, s.rest, s.place, s.at = was.stream, was.rest, was.place, at
	was.stream, was.rest, was.place, was.at = nil, nil, tail.Place{}, tail.Place{}
	s.number, was.number = was.number, s.number
}

// recent reports whether the file was written to within a time.
func (s *source) recent(now time.Time, since time.Duration) bool {
	return since <= 0 || now.Sub(s.modified) <= since
}
