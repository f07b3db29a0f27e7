package agent

import (
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
	code   string // the provider's words for it that are meant for programs, with spaces between
	resets bool   // it states when the call may be made again
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
	low := normalise(p.text)
	m := matcher{low: low, status: p.status, tag: p.tag, resets: p.resets}
	own := ownWords(low)
	if m.status == 0 {
		m.status = statusIn(own)
	}
	if m.status == 0 {
		m.status = codeStatus(p.tag + " " + p.code)
	}
	if m.status == 429 || p.tag == "rate_limit" {
		own = low // it is a limit, and all that is said is of it
	}
	m.denied = denial().MatchString(low)
	f := finding{rule: ruleNone, class: run.ClassFailed}
	for _, r := range rules {
		m.low = low
		if r.class == run.ClassRateLimited || r.class == run.ClassOverloaded {
			m.low = own
		}
		if r.match(m) && (r.class != run.ClassRateLimited || limitStatus(m.status)) {
			f = finding{rule: r.name, class: r.class, kind: r.kind}
			break
		}
	}
	switch {
	case f.class == run.ClassRateLimited:
		f.scope, f.model = limitScope(p, low)
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

var spellings = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "\u202f", " ", "\u00a0", " ")

var (
	statusWords = record.Lazy(`(?:\bstatus(?:[ _]?code)?|\bapi error|\berror code|\bhttp(?:/\d(?:\.\d)?)?)["']?\s*[:=]?\s*\(?([1-5]\d\d)\b|\brejected \(([1-5]\d\d)\)|^(?:error:? )?([45]\d\d) ?\{|\berror:? (4(?:00|04|09|22))\b`)
	denial      = record.Lazy(`\bnot (?:your|a|an|the) (?:\w+ ){0,2}limit`)
	namedLimit  = record.Lazy(`\bhit your usage limit for ([\w.:/-]*\w)`)
	minuteLimit = record.Lazy(`\brate limit reached for ([\w.:/-]*\w) (?:in organization|on )`)
	modelLimit  = record.Lazy(`\b(opus|sonnet|haiku|fable)(?: [\d.]+)?(?: weekly| usage| daily)? limit\b|\blimit for (?:claude )?(opus|sonnet|haiku|fable)\b`)
	modelQuota  = record.Lazy(`\bquota exceeded for [^\n]*\bmodel: ?([\w.:/-]*\w)`)
	ownLimit    = record.Lazy(`\b(hit|reached) your ([\w -]{1,40}?) limit\b`)
)

// statusIn finds an HTTP status that a text names as one; digits alone are none.
func statusIn(low string) int {
	found := statusWords().FindStringSubmatch(low)
	if found == nil {
		return 0
	}
	code, _ := strconv.Atoi(strings.Join(found[1:], ""))
	return code
}

// limitStatus reports a status that the answer to a call can have that a limit refused, or
// none. Of any other the words are not about a limit, whatever they quote: statuses below
// 400 are those of answers that broke off later, 402, 403 and 503 are used for quotas, and
// 499 by Google.
func limitStatus(status int) bool {
	switch status {
	case 402, 403, 429, 499, 503, 529:
		return true
	}
	return status < 400
}

// codeStatus is the status that words for an error stand for; zero if they stand for none
// or one of them is that of a limit.
func codeStatus(words string) int {
	status := 0
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if usageLimit().MatchString(word) || throttled().MatchString(word) {
			return 0
		}
		if s := codes[word]; s != 0 {
			status = s
		}
	}
	return status
}

// codes are words for errors that cannot be limits: those of codex, claude and the APIs.
var codes = map[string]int{
	"bad_request": 400, "invalid_request": 400, "invalid_request_error": 400, "model_not_found": 404, "not_found_error": 404,
	"unauthorized": 401, "internal_server_error": 500, "server_error": 500, "api_error": 500,
}

// limitScope tells from the words of a limit whether it binds one model, and
// which.
func limitScope(p problem, low string) (run.Scope, string) {
	if found := modelLimit().FindStringSubmatch(low); found != nil {
		return run.ScopeModel, modelNamed(found[1]+found[2], p.model)
	}
	if strings.Contains(low, "on this model") {
		return run.ScopeModel, p.model
	}
	for _, named := range []record.Pattern{namedLimit, minuteLimit, modelQuota} {
		if found := named().FindStringSubmatch(low); found != nil {
			return run.ScopeModel, original(p.text, found[1])
		}
	}
	own := ownLimit().FindStringSubmatch(low)
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
