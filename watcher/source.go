package watcher

import (
	"sync"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/watcher/stream"
	"example.com/layover/watcher/tail"
	"example.com/layover/watcher/tree"
)

// source is a stream that is watched. The owner uses it, and who reads its file: what both
// use is behind the lock. There may be many thousands, nearly all of them at rest.
type source struct {
	what
	path string
	// log is what the run.json calls it that names it; empty if none does.
	log string
	// number stands for it among those of a watcher.
	number   int32
	followed bool
	// first is how much there is still to read before it is known as it is now; negative
	// once it has been read to its end.
	first int64
	// read is when it was read last, as a count of reads.
	read uint64
	// options are those of the watcher.
	options *Options
	// fresh is what it has told, until the next telling; nil if nothing has changed.
	fresh *stream.Account

	mu sync.Mutex
	// id, size and modified are those of the file as it was found last.
	id       tail.Identity
	size     int64
	modified time.Time
	// reading is what it is read by; nil while it rests. Rest is what another one goes on
	// from, and place how far that had come.
	reading *reading
	rest    []byte
	place   tail.Place
}

// reading is what a stream is read by.
type reading struct {
	*stream.Stream
	// at is how far the file was read when the owner was told last.
	at tail.Place
	// offset is how many bytes of the file it was given.
	offset int64
	// counts are the messages since the owner has last looked; anew is set if the file has
	// begun anew since, before them. Live says that what comes is written now.
	counts     []message
	anew, live bool
}

type message struct {
	id uint64
	tokens
}

// Bytes implements [tail.Sink].
func (s *source) Bytes(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.wake()
	if r.live {
		r.SetNow(s.options.Now())
	}
	r.Bytes(p)
	r.offset += int64(len(p))
}

// Restart implements [tail.Sink].
func (s *source) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.reading != nil && s.reading.live
	s.reading, s.rest, s.place = nil, nil, tail.Place{}
	r := s.wake()
	r.anew, r.live = true, live
}

// wake gives it what it is read by, which goes on where the last one was put to rest.
func (s *source) wake() *reading {
	if s.reading != nil {
		return s.reading
	}
	r := &reading{at: s.place, offset: s.place.Offset}
	o := s.streamed()
	o.Counted = func(id uint64, u run.Usage) { r.counts = append(r.counts, message{id, tokensOf(u)}) }
	if s.rest != nil {
		if resumed, err := stream.Resume(o, s.rest); err == nil {
			r.Stream = resumed
		}
	}
	if r.Stream == nil {
		r.Stream = stream.New(o)
	}
	s.reading = r
	return r
}

// streamed is how it is read.
func (s *source) streamed() stream.Options {
	return stream.Options{Path: s.path, Dialect: s.dialect, Zone: s.options.Zone, Keep: s.options.Keep, Now: s.modified}
}

// found takes how the file was found, and reports whether something is new in it.
func (s *source) found(f tree.Found) (news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.size, s.modified = f.ID, f.Size, f.Modified
	at := s.place
	if s.reading != nil {
		at = s.reading.at
	}
	return at.Identity != f.ID || at.Offset != f.Size || at.Size != f.Size || !at.Modified.Equal(f.Modified)
}

// written takes that something was written just now.
func (s *source) written(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.modified = now
}

// begin makes it ready to be read from where it was left; live says that what is new was
// written just now.
func (s *source) begin(live bool) tail.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.wake()
	r.offset, r.live = r.at.Offset, live
	return r.at
}

// took takes how far the file was read, and gives the messages that have come since it was
// last asked, behind those of into, and whether the file began anew before.
func (s *source) took(at tail.Place, into []message) (counts []message, anew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.wake()
	r.at = at
	counts, anew = append(into, r.counts...), r.anew
	r.counts, r.anew = r.counts[:0], false
	return counts, anew
}

// settle puts it to rest if it is between two lines, and just as far as the owner was told;
// it reports whether it rests.
func (s *source) settle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reading == nil {
		return true
	}
	if s.reading.live = true; !s.even() {
		return false
	}
	s.rest, s.place, s.reading = s.reading.Save(), s.reading.at, nil
	return true
}

// even reports whether what it has told can be kept, and where that was.
func (s *source) even() bool {
	r := s.reading
	return r != nil && r.Held() == 0 && r.offset == r.at.Offset && len(r.counts) == 0 && !r.anew
}

// kept is what another watcher can go on from; nil if it cannot from anywhere.
func (s *source) kept() ([]byte, tail.Place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.even() {
		return s.reading.Save(), s.reading.at
	}
	return s.rest, s.place
}

// account is what it has told so far.
func (s *source) account() stream.Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reading != nil {
		return s.reading.Account()
	}
	at, err := stream.Resume(s.streamed(), s.rest)
	if err != nil {
		return stream.Account{} // what cannot be read tells nothing
	}
	return at.Account()
}

// awake reports whether it does not rest.
func (s *source) awake() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reading != nil
}

// known reports whether anything was read of it.
func (s *source) known() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reading != nil || s.rest != nil
}

// resume lets it go on from what an earlier watcher has kept.
func (s *source) resume(old saved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number, s.rest, s.place = old.Number, old.Rest, old.Place
}

// recent reports whether the file was written to within a time.
func (s *source) recent(now time.Time, since time.Duration) bool {
	return since <= 0 || now.Sub(s.modified) <= since
}
