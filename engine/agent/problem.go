package agent

import (
	"regexp"
	"strconv"
	"strings"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// problem is what an error-bearing record says. Rules are matched in nothing else.
type problem struct {
	text   string
	status int    // the HTTP status, if the record states it
	tag    string // the agent's own word for the error, if the record has one
	model  string // the model that ran
}

// finding is what the rules make of a problem.
type finding struct {
	rule  string
	class run.Class
	kind  run.Kind
	scope run.Scope
	model string
}

func (f finding) verdict(prefix string, line int, text string) run.Verdict {
	v := plain(f.class, prefix+f.rule, line, text)
	v.Kind, v.Scope, v.Model = f.kind, f.scope, f.model
	return v
}

// classify applies the first rule that matches; the class is failed if none does.
func (p problem) classify() finding {
	m := matcher{low: normalise(p.text), status: p.status, tag: p.tag}
	if m.status == 0 {
		m.status = statusIn(m.low)
	}
	m.denied = denial.MatchString(m.low)
	f := finding{rule: ruleNone, class: run.ClassFailed}
	for _, r := range rules {
		if r.match(m) {
			f = finding{rule: r.name, class: r.class, kind: r.kind}
			break
		}
	}
	switch {
	case f.class == run.ClassRateLimited:
		f.scope, f.model = limitScope(p, m.low)
	case f.rule == ruleLongContext, f.rule == ruleNoQuota:
		f.scope = run.ScopeModel
	}
	return f
}

// classifier remembers the last finding: who is refused again and again mostly says the
// same each time. The zero value remembers none.
type classifier struct {
	last  problem
	found finding
}

// classify is that of the problem.
func (c *classifier) classify(p problem) finding {
	if c.found.class == 0 || c.last != p {
		c.last, c.found = p, p.classify()
	}
	return c.found
}

// normalise makes one form of the spellings that agents mix.
func normalise(text string) string {
	return spellings.Replace(strings.ToLower(record.Cut(text, record.MaxErrorText)))
}

var spellings = strings.NewReplacer("’", "'", "\u202f", " ", "\u00a0", " ")

var (
	statusWords = regexp.MustCompile(`(?:\bstatus(?: code)?|\bapi error|\berror code|\bhttp)"?:?\s*\(?([1-5]\d\d)\b|\brejected \(([1-5]\d\d)\)`)
	denial      = regexp.MustCompile(`\bnot (?:your|a|an|the) (?:\w+ ){0,2}limit`)
	namedLimit  = regexp.MustCompile(`\bhit your usage limit for ([\w.:/-]*\w)`)
	minuteLimit = regexp.MustCompile(`\brate limit reached for ([\w.:/-]*\w) (?:in organization|on )`)
	modelLimit  = regexp.MustCompile(`\b(opus|sonnet|haiku|fable)(?: [\d.]+)?(?: weekly| usage| daily)? limit\b|\blimit for (?:claude )?(opus|sonnet|haiku|fable)\b`)
	modelQuota  = regexp.MustCompile(`\bquota exceeded for [^\n]*\bmodel: ?([\w.:/-]*\w)`)
	ownLimit    = regexp.MustCompile(`\b(hit|reached) your ([\w -]{1,40}?) limit\b`)
)

// statusIn finds an HTTP status that a text names as one; digits alone are none.
func statusIn(low string) int {
	found := statusWords.FindStringSubmatch(low)
	if found == nil {
		return 0
	}
	code, _ := strconv.Atoi(found[1] + found[2])
	return code
}

// limitScope tells from the words of a limit whether it binds one model, and
// which.
func limitScope(p problem, low string) (run.Scope, string) {
	if found := modelLimit.FindStringSubmatch(low); found != nil {
		return run.ScopeModel, modelNamed(found[1]+found[2], p.model)
	}
	if strings.Contains(low, "on this model") {
		return run.ScopeModel, p.model
	}
	for _, named := range []*regexp.Regexp{namedLimit, minuteLimit, modelQuota} {
		if found := named.FindStringSubmatch(low); found != nil {
			return run.ScopeModel, original(p.text, found[1])
		}
	}
	own := ownLimit.FindStringSubmatch(low)
	if own == nil {
		return run.ScopeFamily, ""
	}
	word := own[2]
	if modelWord(word, p.model) || own[1] == "reached" && !familyWord(word) && strings.Contains(low, "/usage-credits") {
		return run.ScopeModel, modelNamed(word, p.model)
	}
	return run.ScopeFamily, ""
}

// original gives the part of text that a word in lower case stands for.
func original(text, word string) string {
	for i := 0; i+len(word) <= len(text); i++ {
		if strings.EqualFold(text[i:i+len(word)], word) {
			return record.Whole(text[i:i+len(word)], record.MaxName)
		}
	}
	return record.Whole(word, record.MaxName)
}

// familyWord reports a name for a limit that binds every model.
func familyWord(word string) bool {
	for _, w := range strings.Fields(word) {
		switch w {
		case "session", "usage", "weekly", "daily", "monthly", "hourly", "5-hour", "five-hour", "rate", "request", "token":
			return true
		}
	}
	return false
}

// modelWord reports a word that names a model, or a part of the running one's name.
func modelWord(word, model string) bool {
	switch word {
	case "opus", "sonnet", "haiku", "fable":
		return true
	}
	return len(word) > 3 && !familyWord(word) && strings.Contains(strings.ToLower(model), word)
}

// modelNamed is the model that a limit binds: the running one if the word is a
// part of its name or no model's name at all, else the word.
func modelNamed(word, model string) string {
	if word == "" || model != "" && (!modelWord(word, "") || strings.Contains(strings.ToLower(model), word)) {
		return model
	}
	return word
}
