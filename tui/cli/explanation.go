package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/tui/text"
)

// explanation is what explain found out about one output.
type explanation struct {
	// File is empty for a text that was given directly.
	File string
	origin
	Verdict run.Verdict
	// Damaged counts the lines that were skipped because they were not whole.
	Damaged int
	// Limit is the agent's name for the usage window that the verdict is about; empty if
	// that is not known.
	Limit string
	// Gauges tell how full the usage windows were, by what the output says last of each.
	Gauges []run.Reading
	// Passed is a reset that the message names and that has passed; zero if there is none.
	Passed time.Time
	// Notes tell what else is to be known about the input.
	Notes []string
}

// trips reports whether the verdict trips the family.
func (x explanation) trips() bool {
	return x.Verdict.Class == run.ClassRateLimited && x.Verdict.Scope == run.ScopeFamily
}

// json prints the explanation as one JSON object on one line.
func (x explanation) json(w io.Writer) error {
	v := x.Verdict
	type evidence struct {
		Line    int           `json:"line"`
		Rule    string        `json:"rule"`
		Excerpt run.Untrusted `json:"excerpt"`
	}
	out := struct {
		File        string     `json:"file"`
		Family      string     `json:"family"`
		Outcome     string     `json:"outcome"`
		Class       run.Class  `json:"class"`
		Kind        *string    `json:"kind"`
		Scope       string     `json:"scope"`
		Model       *string    `json:"model"`
		Reset       *int64     `json:"reset"`
		ResetSource *string    `json:"reset_source"`
		Trips       bool       `json:"trips_family"`
		Usage       run.Usage  `json:"usage"`
		Damaged     int        `json:"damaged_lines"`
		Evidence    []evidence `json:"evidence"`
		Dialect     *string    `json:"dialect"`
		Window      *opened    `json:"window"`
		Passed      *int64     `json:"reset_passed"`
		// Gauges and Notes are left out where there is none.
		Gauges []toldGauge `json:"gauges,omitempty"`
		Notes  []string    `json:"notes,omitempty"`
	}{
		File: x.File, Family: orUnknown(x.family), Dialect: word(x.dialect), Window: x.window(), Gauges: x.toldGauges(), Notes: x.Notes, Outcome: v.Class.Outcome(), Class: v.Class,
		Kind: word(v.Kind.String()), Scope: "none", Model: word(v.Model), ResetSource: word(v.How.String()),
		Trips: x.trips(), Usage: v.Usage, Damaged: x.Damaged, Evidence: []evidence{},
	}
	if v.Scope != 0 {
		out.Scope = v.Scope.String()
	}
	out.Reset, out.Passed = unix(v.Reset), unix(x.Passed)
	for _, e := range v.Evidence {
		out.Evidence = append(out.Evidence, evidence{e.Line, e.Rule, e.Excerpt})
	}
	b, err := json.Marshal(out)
	if err != nil {
		return err
	}
	_, err = w.Write(append(run.PlainJSON(b), '\n'))
	return err
}

// unix gives an instant in seconds, which is null in JSON when it is not known.
func unix(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	seconds := t.Unix()
	return &seconds
}

// orUnknown is the family, or the word that stands for none.
func orUnknown(family string) string {
	if family == "" {
		return "unknown"
	}
	return family
}

// word gives a text that is null in JSON when it is empty.
func word(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// plain prints the explanation as a block of lines.
func (x explanation) plain(w io.Writer, now time.Time, zone *time.Location) error {
	v := x.Verdict
	var b strings.Builder
	row := func(name, value string) { fmt.Fprintf(&b, "  %s  %s\n", text.Fit(name, 8), value) }
	title := "message"
	if x.File != "" {
		title = text.Name(run.Untrusted(x.File), longestPart)
	}
	fmt.Fprintf(&b, "%s (%s)\n", title, x.origin)
	row("outcome", x.outcome())
	if v.Class == run.ClassRateLimited || !v.Reset.IsZero() {
		row("resets", x.resets(now, zone))
		row("trips", x.tripped())
	}
	if w := x.window(); w != nil {
		row("window", w.String())
	}
	for i, r := range x.Gauges {
		name := "gauges"
		if i > 0 {
			name = ""
		}
		row(name, gauge(r, now, zone))
	}
	if v.Model != "" {
		row("model", say1(v.Model))
	}
	if v.Usage != (run.Usage{}) {
		row("usage", usage(v.Usage))
	}
	if v.Message != "" && x.File != "" {
		row("message", text.Line(v.Message, longestPart))
	}
	if x.Damaged > 0 {
		row("skipped", many(x.Damaged, "damaged line"))
	}
	for _, note := range x.Notes {
		row("note", note)
	}
	for i, e := range v.Evidence {
		name := "because"
		if i > 0 {
			name = ""
		}
		row(name, because(e))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// outcome words the class, with the outcome where that is another word.
func (x explanation) outcome() string {
	v := x.Verdict
	said := v.Class.Outcome()
	if said != v.Class.String() {
		said += " (" + v.Class.String() + ")"
	}
	if v.Kind != 0 {
		said += ", " + v.Kind.String()
	}
	switch v.Scope {
	case run.ScopeFamily:
		said += " limit of the whole family"
	case run.ScopeModel:
		said += " limit of one model"
	}
	return said
}

// assumed words how a limit is taken that nobody says the end of.
func assumed() string {
	return " (assumed: " + text.Age(time.Duration(run.Defaults().Breaker.Cooldown)) + ", tried again sooner)"
}

func (x explanation) resets(now time.Time, zone *time.Location) string {
	v := x.Verdict
	at := func(t time.Time) string { return Words{Zone: zone}.at(t, now) + t.In(zone).Format(" MST") }
	switch {
	case !x.Passed.IsZero():
		return "unknown: the reset that it names, " + at(x.Passed) + ", has passed" + assumed()
	case v.Reset.IsZero():
		return "unknown, nothing says when" + assumed()
	}
	return instant(v.Reset, now, zone) + how(v.How)
}

// instant words when something is, or was.
func instant(t, now time.Time, zone *time.Location) string {
	said := Words{Zone: zone}.at(t, now) + t.In(zone).Format(" MST")
	if left := t.Sub(now); left > 0 {
		return said + ", in " + text.Clock(left)
	}
	return said + ", " + text.Age(now.Sub(t)) + " ago"
}

func (x explanation) tripped() string {
	of := x.family
	if of == "" {
		of = "the family"
	}
	switch {
	case x.trips():
		return "yes: no model of " + say1(of) + " is used until then"
	case x.Verdict.Scope == run.ScopeModel:
		return "no: other models of " + say1(of) + " can be used"
	}
	return "no"
}

// String names the family, and the dialect if that has another name.
func (o origin) String() string {
	switch {
	case o.family == "" && o.dialect == "":
		return "family unknown"
	case o.family == o.dialect:
		return say1(o.family)
	}
	return phrase("%s, dialect %s", orUnknown(o.family), o.dialect)
}

func usage(u run.Usage) string {
	said := phrase("%s in, %s out", text.Count(u.Input), text.Count(u.Output))
	if cached := u.CacheRead + u.CacheWrite; cached > 0 {
		said += phrase(", %s cached", text.Count(cached))
	}
	if u.CostUSD > 0 {
		said += ", " + text.Cost(u.CostUSD)
	}
	return said
}

// because words one piece of evidence.
func because(e run.Evidence) string {
	said := "the end, rule " + say1(e.Rule)
	if e.Line > 0 {
		said = phrase("line %d, rule %s", e.Line, e.Rule)
	}
	return with(said, ": ", e.Excerpt)
}
