package agent

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

// ErrUnknownDialect says that no dialect has the name that was asked for.
var ErrUnknownDialect = errors.New("unknown dialect")

// Reference is what a stream is read against.
type Reference struct {
	// Now is the clock for lines without a time of their own: relative times count
	// from it, and clock times are the next ones after it.
	Now time.Time
	// Late says that Now is when the stream was written last, which is much later than its
	// lines for a copy: a line without a time of its own is as old as the one before it that
	// has one. It ends with [Reader.SetNow].
	Late bool
	// Zone is that of clock times which name none; nil means UTC.
	Zone *time.Location
	// File is named in the evidence; it may be empty.
	File string
	// Model is the model that was asked for; empty if the agent chose it.
	Model string
	// Rules are the operator's own, for the dialect that has no others.
	Rules []run.Rule
	// Keep makes of a text of the stream what a verdict may hold, such as without secrets.
	// It is given the text before that is cut to [run.MaxMessage]. Nil keeps all as it is.
	Keep func(text string) string
	// Counted is told of each message whose usage is learned, by a number that stands for
	// its id and is the same in all streams, and what it has used so far, whenever that is
	// another. Nil is not told. Of a dialect that does not tell what single messages used
	// nothing is told.
	Counted func(id uint64, u run.Usage)
}

func (r Reference) clock() reset.Clock { return reset.Clock{Now: r.Now, Zone: r.Zone} }

// bound makes of a verdict what may be kept of it, and names the file.
func (r Reference) bound(v run.Verdict) run.Verdict {
	v.Message, v.Model = r.excerpt(v.Message), r.keep(v.Model)
	for i := range v.Evidence {
		e := &v.Evidence[i]
		e.File, e.Excerpt = r.File, r.excerpt(e.Excerpt)
	}
	return v
}

func (r Reference) keep(text string) string {
	if r.Keep == nil {
		return text
	}
	return r.Keep(text)
}

// excerpt is what is kept of a text. It is made so first and then cut: of a secret that
// is cut a part would be left. A carriage return in it ends a line: what stands before it
// is as much a part of the reason as what stands behind.
func (r Reference) excerpt(text run.Untrusted) run.Untrusted {
	return run.Untrusted(record.Cut(r.keep(lineEnds.Replace(string(text))), run.MaxMessage))
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// limitName is the name of a limit as it may stand in our own words; empty if it cannot be
// one, or would not be kept.
func (r Reference) limitName(name string) string {
	return strings.ReplaceAll(record.PlainName(r.keep(name)), "_", "-")
}

// at is the time of a line that states one, in RFC 3339, and else that of the reference.
func (r Reference) at(stamp string) time.Time {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return r.Now
	}
	return r.known(t.UTC())
}

// known is the time that a line states, or that of the reference if a line cannot have
// been written then. A reference without a time knows nothing better.
func (r Reference) known(t time.Time) time.Time {
	if !r.Now.IsZero() && t.After(r.Now.Add(maxFast)) {
		return r.Now
	}
	return t
}

// maxFast is how far the clock of lines can be ahead of the reference.
const maxFast = 24 * time.Hour

// Reader reads one attempt's stream as it grows. It holds one line and a bounded
// account of what the lines before it said. It is not safe for concurrent use.
type Reader struct {
	split   record.Splitter
	extract record.Extractor
	dialect dialect
	plain   plainText // the dialect, if its lines are no records
	name    string
	ref     *Reference // the dialect's own
	stamp   record.Field

	// What the newest lines of the chunk tell: the tool that is used, if it is used since
	// the agent has said something, and what that was.
	act, said shown

	began, at time.Time
	last      [len(`"2006-01-02T15:04:05.000Z"`)]byte // the last stamp, as it stands in a record
	stated    bool                                    // it is later than at
	records   int
	served    bool
	on        bool // the work has gone on since the last terminal record
	damaged   int
	torn      int

	// before is what was saved before the first parts of a line that has not ended, which is
	// the one of that number.
	before     []byte
	beforeLine int
}

// NewReader returns a reader of a stream in the named dialect, one of [Dialects].
// The error is ErrUnknownDialect for any other.
func NewReader(dialect string, ref Reference) (*Reader, error) {
	d, ok := newDialect(dialect, ref)
	if !ok {
		return nil, fmt.Errorf("read %q: %w", dialect, ErrUnknownDialect)
	}
	r := &Reader{dialect: d, name: dialect, ref: d.reference(), stamp: d.stamp(), extract: record.NewExtractor(d.wanted())}
	r.plain, _ = d.(plainText)
	return r, nil
}

// Feed takes the next chunk and calls see, which may be nil, with what each line
// shows; lines that show nothing are left out. What the agent does and has said is told
// once for all lines of the chunk. A line without its end is held.
func (r *Reader) Feed(chunk []byte, see func(run.Sight)) {
	r.split.Feed(chunk, func(l record.Line) { r.line(l, see) })
	r.tell(see)
}

// shown is an act, or what it is to be shown as if its line is gone.
type shown struct {
	act  record.Act
	text run.Untrusted
}

func (s shown) line() run.Untrusted {
	if s.act.Set() {
		return s.act.Text()
	}
	return s.text
}

// does takes what a line tells of the agent. The bytes of a line that is held do not last.
func (r *Reader) does(a *record.Act, held bool) {
	to := r.slot(a.Said)
	if held {
		*to = shown{text: a.Text()}
	} else {
		to.act = *a
	}
}

// slot is where a tool that is used is kept, or a message, which ends the use of a tool.
func (r *Reader) slot(message bool) *shown {
	if !message {
		return &r.act
	}
	if r.act.act.Set() || r.act.text != "" {
		r.act = shown{}
	}
	return &r.said
}

// tell says what the agent does and has said, if that is known by now.
func (r *Reader) tell(see func(run.Sight)) {
	s := run.Sight{Doing: r.act.line(), Message: r.said.line()}
	r.act, r.said = shown{}, shown{}
	if s != (run.Sight{}) && see != nil {
		see(s)
	}
}

// Verdict is what the records say by now, and whether a terminal one is there and counts:
// no work has gone on since. If it is not there, only session, model and usage are set. The
// reader reads on as if it had not been asked.
func (r *Reader) Verdict() (v run.Verdict, over bool) {
	t, over := r.dialect.terminal(End{open: true})
	if over = over && !r.on; over {
		v = t.verdict
	}
	return r.finish(v, t), over
}

// Begun reports whether a turn has begun: a prompt or an answer was read, or a record of
// what is only written while one is under way.
func (r *Reader) Begun() bool {
	if d, ok := r.dialect.(interface{ begun() bool }); ok {
		return d.begun()
	}
	return r.records > 0
}

// Damaged is how many lines were skipped so far because they were not whole; a
// cut last line counts once [Reader.End] was called.
func (r *Reader) Damaged() int { return r.damaged + r.split.Damaged() }

// End takes a last line that has no newline and gives the verdict of the whole
// stream. It is called once, when the agent's end is known.
func (r *Reader) End(end End, see func(run.Sight)) run.Verdict {
	r.split.End(func(l record.Line) { r.line(l, see) })
	r.tell(see)
	t, terminal := r.dialect.terminal(end)
	v := t.verdict
	if !terminal || v.Class == run.ClassCancelled {
		if ours, ok := end.caused(r); ok {
			v = ours
		} else if !terminal {
			v = end.judge(r)
		}
	}
	return r.finish(v, t)
}

// finish fills in what a verdict is the same in for any class.
func (r *Reader) finish(v run.Verdict, t terminal) run.Verdict {
	if !r.ref.Now.IsZero() && v.Reset.After(r.ref.Now.Add(reset.MaxAhead)) {
		v.Reset, v.How = time.Time{}, 0
	}
	v.Session, v.Usage = t.session, t.usage
	if v.Model == "" {
		v.Model = t.model
	}
	return r.ref.bound(v)
}

func (r *Reader) line(l record.Line, see func(run.Sight)) {
	if l.Part && l.Number != r.beforeLine {
		r.before, r.beforeLine = r.save(), l.Number
	}
	if r.plain != nil {
		r.words(l, see)
		return
	}
	text := l.Text
	if l.Long {
		spliced, ok := record.Splice(l.Text, l.Tail)
		if !ok {
			r.damage(l)
			return
		}
		text = spliced
	}
	whole := record.EachRecord(text, func(at int) (int, bool) {
		end, ok := r.extract.Read(text, at)
		if !ok {
			return 0, false
		}
		r.extract.Values.Partial = l.Long
		if r.stamp != 0 {
			r.dated(r.extract.Values.Fields[r.stamp])
		}
		sight := r.read(l.Number)
		r.records++
		r.served = r.served || sight.Served != ""
		r.on = !sight.Terminal && (r.on || sight.Model != "" || sight.Served != "" && sight.Served != servedAllowed)
		if see == nil {
			return end, true
		}
		if a := &r.extract.Values.Act; a.Set() {
			r.does(a, l.Held)
		}
		if sight != (run.Sight{}) {
			see(sight)
		}
		return end, true
	})
	if !whole {
		r.damage(l)
	}
}

// read has the dialect read a record.
func (r *Reader) read(line int) run.Sight {
	if !r.ref.Late || r.stamp == 0 || len(r.extract.Values.Fields[r.stamp]) > 0 {
		return r.dialect.read(&r.extract.Values, line)
	}
	now := r.ref.Now
	defer func() { r.ref.Now = now }() // what is stated is held against it
	if at := r.At(); !at.IsZero() {
		r.ref.Now = at
	}
	return r.dialect.read(&r.extract.Values, line)
}

// damage counts a line that is not whole; the splitter has counted those that a
// block of NUL bytes cut.
func (r *Reader) damage(l record.Line) {
	if !l.Broken {
		r.damaged++
	}
	if l.Open {
		r.torn = l.Number
	}
}
