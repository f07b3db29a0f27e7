package handoff

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/agent/record"
)

// ItemKind is what an [Item] is.
type ItemKind int

const (
	// ItemText is what the model said.
	ItemText ItemKind = iota + 1
	// ItemUser is what the model was told within its work.
	ItemUser
	// ItemCall is the call of a tool.
	ItemCall
	// ItemResult is the result of a call.
	ItemResult
)

// Item is one step of an agent's work. All of it is plain text without secrets.
type Item struct {
	Kind ItemKind
	// ID ties a result to its call. Calls may share one: a result answers the latest
	// of them that is open.
	ID string
	// Name is the tool of a call.
	Name string
	// Text is what was said, the input of a call, or what a result holds.
	Text string
	// Failed is set on a result that is an error, and on one that never came.
	Failed bool
}

// Transcript is what agents did, the oldest first: what they said, the tools they
// called and the results. Thoughts are left out. Every call has one result, behind it,
// and every result a call. It holds the newest items that fit into its limit. It is not
// safe for concurrent use.
type Transcript struct {
	limit  int
	redact func(string) string

	items []entry
	first int              // the number of items[0] among all that were ever added
	open  map[string][]int // the numbers of the calls without a result, by id, the oldest first
	short int              // the number of the item that is shortened next
	size  int              // of all items, as a note holds them

	added       int // the size of all that the stream in hand has held
	leftOut     int // steps that were dropped, without the results of calls
	leftOutSize int
	unread      int    // lines that could not be read
	beyond      int64  // bytes of output that were not read
	plan        string // the latest list of what is to be done
	saying      []byte // a text that comes in parts, as far as it has come

	older   *Transcript // holds what was dropped, if that is wanted
	summary string
}

// NewTranscript returns an empty transcript. It holds at most limit bytes, as a note
// has them, at any time. Redact takes the secrets out of a text; it is given
// each text whole, before anything is cut.
func NewTranscript(limit int, redact func(string) string) *Transcript {
	return &Transcript{limit: limit, redact: redact, open: map[string][]int{}}
}

// scribe reads the records of one dialect into a transcript.
type scribe struct {
	read func(*Transcript, record.Raw)
	// A line that is too long to be read holds the result of a call if it holds
	// result; behind id stands which. Both are empty if no line holds a result alone.
	result, id string
}

func newScribe(name string) (scribe, bool) {
	switch name {
	case agent.DialectClaude:
		return scribe{(*Transcript).claude, `"tool_result"`, `"tool_use_id":"`}, true
	case agent.DialectAmp:
		return scribe{(*Transcript).amp, `"tool_result"`, `"tool_use_id":"`}, true
	case agent.DialectQwen:
		return scribe{(*Transcript).qwen, `"tool_result"`, `"tool_use_id":"`}, true
	case agent.DialectGemini:
		return scribe{(*Transcript).gemini, `"tool_result"`, `"tool_id":"`}, true
	case agent.DialectCursor:
		return scribe{(*Transcript).cursor, `"completed"`, `"call_id":"`}, true
	case agent.DialectCodex:
		return scribe{(*Transcript).codex, `"item.completed"`, `"id":"`}, true
	case agent.DialectOpencode:
		return scribe{read: (*Transcript).opencode}, true
	case agent.DialectCopilot:
		return scribe{(*Transcript).copilot, `"tool.execution_complete"`, `"toolCallId":"`}, true
	case agent.DialectGrok:
		return scribe{(*Transcript).grok, `"tool_call_update"`, `"toolCallId":"`}, true
	case agent.DialectAider, agent.DialectGeneric:
		return scribe{}, true
	}
	return scribe{}, false
}

// Add reads the stream of an attempt, which follows those that were added before, and
// ends the calls that are still open with a result that names the cause of the
// attempt's end, as [EndedBy] gives it. If torn is set the stream begins within a line.
// It gives the size of all that the stream holds, in bytes of a note. It reads to the
// end, in bounded memory. What was read before an error is kept.
func (t *Transcript) Add(dialect string, stream io.Reader, torn bool, cause string) (size int, err error) {
	scribe, ok := newScribe(dialect)
	if !ok {
		return 0, fmt.Errorf("read %q: %w", dialect, agent.ErrUnknownDialect)
	}
	t.added, t.plan = 0, ""
	var split record.Splitter
	line := func(l record.Line) {
		if torn && l.Number == 1 {
			return
		}
		if scribe.read == nil {
			t.words(l)
		} else if l.Long {
			t.long(l, scribe)
		} else if !record.Records(l.Text, func(r record.Raw) { scribe.read(t, r) }) {
			t.unread++
		}
	}
	chunk := make([]byte, agent.ReadSize)
	for err == nil {
		var n int
		n, err = stream.Read(chunk)
		split.Feed(chunk[:n], line)
	}
	split.End(line)
	t.said()
	if t.plan != "" {
		t.add(Item{Kind: ItemText, Text: t.plan})
	}
	t.close(cause)
	if errors.Is(err, io.EOF) {
		return t.added, nil
	}
	return t.added, fmt.Errorf("read stream: %w", err)
}

// NotRead says that so many bytes of older output were not read at all.
func (t *Transcript) NotRead(n int64) { t.beyond += n }

// Fit makes a transcript no longer than limit, in bytes: long results are shortened,
// the oldest first, and if that is not enough the oldest steps are dropped.
func (t *Transcript) Fit(limit int) { t.fit(limit) }

// Size is how much of a note the transcript takes, in bytes.
func (t *Transcript) Size() int { return t.size }

// long reads a line of which only the beginning and the end are there. A quotation mark
// within a text is escaped, so what is looked for is no part of one.
func (t *Transcript) long(l record.Line, s scribe) {
	for _, part := range [][]byte{l.Text, l.Tail} {
		if s.id == "" {
			break
		}
		i := bytes.Index(part, []byte(s.id))
		if i < 0 || !bytes.Contains(l.Text, []byte(s.result)) && !bytes.Contains(l.Tail, []byte(s.result)) {
			continue
		}
		start := i + len(s.id) - 1
		if end, ok := record.StringEnd(part, start); ok {
			t.result(record.Raw(part[start:end]).Text(), "[the result is too long to be kept]", false)
			return
		}
	}
	t.unread++
}

// Items lists what the transcript holds.
func (t *Transcript) Items() []Item {
	var all []Item
	for i := range t.items {
		if e := &t.items[i]; !e.gone {
			all = append(all, e.Item)
		}
	}
	return all
}

// say adds a text.
func (t *Transcript) say(kind ItemKind, text string) {
	if text = t.plain(text); text != "" {
		t.add(Item{Kind: kind, Text: text})
	}
}

// call adds the call of a tool. Its input is plain already.
func (t *Transcript) call(id, name, input string) {
	id = t.word(id)
	t.open[id] = append(t.open[id], t.first+len(t.items))
	t.add(Item{Kind: ItemCall, ID: id, Name: t.word(name), Text: input})
}

// isOpen reports whether a call with this id has no result.
func (t *Transcript) isOpen(id string) bool { return len(t.open[t.word(id)]) > 0 }

// result adds the result of the latest open call with its id, which is plain already.
// Without such a call there is nothing that it could be the result of.
func (t *Transcript) result(id, text string, failed bool) {
	id = t.word(id)
	if calls := t.open[id]; len(calls) > 0 {
		n := calls[len(calls)-1]
		t.answered(id, len(calls)-1)
		t.answer(n, text, failed)
	}
}

// answer adds the result of the call of that number.
func (t *Transcript) answer(call int, text string, failed bool) {
	of := &t.items[call-t.first]
	of.result = t.first + len(t.items)
	t.add(Item{Kind: ItemResult, ID: of.ID, Text: text, Failed: failed})
}

// answered takes a call out of the open ones with its id.
func (t *Transcript) answered(id string, i int) {
	calls := t.open[id]
	if i == 0 { // the usual case, of which there may be very many
		calls = calls[1:]
	} else {
		calls = slices.Delete(calls, i, i+1)
	}
	if t.open[id] = calls; len(calls) == 0 {
		delete(t.open, id)
	}
}

// close ends the calls that are open, in their order.
func (t *Transcript) close(cause string) {
	var calls []int
	for _, numbers := range t.open {
		calls = append(calls, numbers...)
	}
	slices.Sort(calls)
	for _, n := range calls {
		if n < t.first {
			continue // a result before it has left no room
		}
		id := t.items[n-t.first].ID
		t.answered(id, slices.Index(t.open[id], n))
		t.answer(n, t.plain("[no result: the call was cut off by "+cause+"; whether it took effect is not known]"), true)
	}
}
