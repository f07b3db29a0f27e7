package engine

import (
	"io"
	"slices"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/handoff"
	"example.com/layover/engine/run"
)

const (
	// handoffReads bounds what is read of agents' output for one handoff, in bytes: the
	// newest of it, by its weight. The owner reads it, and must not be long about it.
	handoffReads = 16 << 20
	// handoffScans bounds what is looked through for that, in bytes.
	handoffScans = 8 * handoffReads
	// resumedShare is the part of a handoff's room that is left for an agent that resumes
	// a session, which holds its own work already: one in so many.
	resumedShare = 2
)

// handover is what an agent is told of what was done that it does not know.
type handover struct {
	// note is the record of it; empty if nothing was done. Summary is set if it holds one.
	note    string
	summary bool
	// left is how much of the record is left out, in bytes, and older holds the newest
	// of that if it is wanted.
	left  int
	older *handoff.Transcript
}

// handoff writes down for an agent what was done that it does not know. What cannot be
// read is left out: the agent finds it in its directory.
func (h *Host) handoff(e run.Spawn, p agent.Preset, prompt string) handover {
	if len(e.Work) == 0 {
		return handover{}
	}
	whole := p.Room(e.Target.Model, len(prompt))
	room := whole
	if e.Resume != "" {
		room /= resumedShare
	}
	summary := h.summary(e)
	spare := 0 // the room of a summary that is still to be written
	if e.Summarise {
		spare = handoff.SummaryMax
	}
	r := h.reading(e, room-handoff.NoteFrame, whole-handoff.NoteFrame, summary != "")
	r.t.Summarise(summary)
	r.t.Fit(min(r.room, int(e.Keep*float64(e.Given+r.since))) - len(summary) - spare)
	made := handover{note: r.t.Note(r.by, e.Resume != ""), summary: summary != "", older: r.older}
	for e.Most > 0 && len(made.note)+spare > e.Most && r.t.Size() > 0 {
		r.t.Fit(r.t.Size() - (len(made.note) + spare - e.Most))
		made.note = r.t.Note(r.by, e.Resume != "")
	}
	made.left = r.t.LeftOut()
	if e.Summarise || e.Ask && made.left > 0 {
		h.read = r
	}
	return made
}

// reading is work that was read for a handoff. As long as a summary is asked for and
// written it is kept, so that the same is not read again; one is kept at most.
type reading struct {
	lane run.LaneID
	work []run.Source
	room int

	t     *handoff.Transcript
	older *handoff.Transcript // what the transcript has dropped, if that is wanted
	since int                 // the size of the work of the conversation so far
	by    []handoff.Worked
}

// reading reads the work that is handed over, or gives what was read before of it. That
// may have lost already what a summary takes the place of.
func (h *Host) reading(e run.Spawn, room, whole int, summarised bool) *reading {
	kept := h.read
	h.read = nil
	if (e.Summarise || summarised) && kept != nil && kept.lane == e.Lane && kept.room == room && slices.Equal(kept.work, e.Work) {
		return kept
	}
	r := &reading{lane: e.Lane, work: e.Work, room: room, t: handoff.NewTranscript(room, h.ports.Redact)}
	if e.Ask || e.Summarise {
		r.older = r.t.Older(whole)
	}
	for _, s := range h.sources(e.Work) {
		size := 0
		r.t.NotRead(s.size - s.share)
		if s.share > 0 {
			size = h.transcribe(r.t, s)
		}
		if s.attempt.ID >= e.Since {
			r.since += size
		}
		r.by = append(r.by, s.worked())
	}
	return r
}

// summaryReads bounds what is read of the output of an agent for its summary, in bytes.
const summaryReads = 1 << 20

// summary is what an agent was asked to write of the work that does not fit; empty if
// there is none, or it cannot be read.
func (h *Host) summary(e run.Spawn) string {
	_, a := h.state.LaneOfAttempt(e.Lane, e.Summary)
	if a == nil {
		return ""
	}
	t := handoff.NewTranscript(summaryReads, h.ports.Redact)
	if s := h.source(a); s.size > 0 {
		s.share = min(s.size, summaryReads)
		s.torn = s.share < s.size
		h.transcribe(t, s)
	}
	return t.Answer(handoff.SummaryMax)
}

// source is an attempt whose work is handed over.
type source struct {
	attempt *run.Attempt
	dialect string
	path    string
	size    int64
	share   int64 // how much of it is read, from its end
	torn    bool  // whether that begins within a line
	cause   string
}

// sources finds the output of attempts, the oldest first, and says how much of each is
// read.
func (h *Host) sources(work []run.Source) []source {
	var all []source
	weight, bytes := int64(handoffReads), int64(handoffScans)
	for _, w := range slices.Backward(work) {
		_, a := h.state.LaneOfAttempt(w.Lane, w.Attempt)
		if a == nil {
			continue
		}
		s := h.source(a)
		weight -= h.choose(&s, weight, min(s.size, bytes))
		bytes -= min(s.size, bytes)
		if s.share < s.size {
			weight = 0 // nothing is read that is older than what is not
		}
		all = append(all, s)
	}
	slices.Reverse(all)
	return all
}

// choose says how much of a source is read: the newest lines of its last bytes that weigh
// no more than most. It gives what they weigh.
func (h *Host) choose(s *source, most, bytes int64) (weight int64) {
	if bytes == 0 || most <= 0 {
		return 0
	}
	stream, err := h.openAt(s.path, s.size-bytes)
	if err != nil {
		h.ports.Log.Error("handoff", "file", s.path, "error", err)
		return 0
	}
	defer stream.Close()
	from, weight, err := handoff.Recent(io.LimitReader(stream, bytes), bytes < s.size, most)
	if err != nil {
		h.ports.Log.Error("handoff", "file", s.path, "error", err)
		return 0
	}
	s.share = bytes - from
	return weight
}

// source finds the output of an attempt.
func (h *Host) source(a *run.Attempt) source {
	s := source{attempt: a, cause: handoff.EndedBy(a.Class, a.Ending)}
	preset, _ := agent.Lookup(h.state.Program.Agents[a.Target.Agent].Preset)
	s.dialect = preset.Dialect
	if worker, err := h.ports.Store.OpenWorker(a.Worker); err == nil {
		s.path = worker.Stdout
		s.size = h.sizeOf(s.path)
	}
	return s
}

// transcribe reads the share of a source and gives the size of its whole, reckoned from
// what was read.
func (h *Host) transcribe(t *handoff.Transcript, s source) int {
	stream, err := h.openAt(s.path, s.size-s.share)
	if err != nil {
		h.ports.Log.Error("handoff", "file", s.path, "error", err)
		return 0
	}
	defer stream.Close()
	size, err := t.Add(s.dialect, stream, s.torn, s.cause)
	if err != nil {
		h.ports.Log.Error("handoff", "file", s.path, "error", err)
	}
	return int(float64(size) * float64(s.size) / float64(s.share))
}

// openAt opens a file at an offset.
func (h *Host) openAt(path string, offset int64) (io.ReadCloser, error) {
	f, err := h.ports.Open(path)
	if err != nil || offset == 0 {
		return f, err
	}
	if s, ok := f.(io.Seeker); ok {
		_, err = s.Seek(offset, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, f, offset)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func (s source) worked() handoff.Worked {
	return handoff.Worked{
		Target: s.attempt.Target.String(), From: s.attempt.StartedAt, To: s.attempt.EndedAt, Cause: s.cause,
	}
}
