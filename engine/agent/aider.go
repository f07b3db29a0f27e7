package agent

import (
	"strings"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/agent/reset"
	"example.com/layover/engine/run"
)

const DialectAider = "aider"

// aider reads what aider prints for people. It ends with status 0 whatever happened: an
// error is terminal if neither a retry nor the end of an answer follows it
// (aider/coders/base_coder.py of github.com/Aider-AI/aider).
type aider struct {
	against
	model   string
	lines   int
	tries   int // retries since a model answered
	limited int // of these, those for a limit
	fault   spoken
	ended   int // the last line of anything else
}

func newAider(ref Reference) *aider { return &aider{against: against{ref}} }

var (
	_ dialect   = (*aider)(nil)
	_ plainText = (*aider)(nil)
)

func (*aider) wanted() *record.Want { return record.Wants(nil) }

func (*aider) read(*record.Values, int) run.Sight { return run.Sight{} }

// aiderHead is how many lines of aider's own there can be before its work.
const aiderHead = 40

var (
	aiderModel = record.Lazy(`^(?:Main model|Model): (\S{1,128}) with `)
	aiderError = record.Lazy(`^litellm\.([A-Za-z]{1,60}): `)
	aiderRetry = record.Lazy(`^Retrying in [\d.]{1,12} seconds`)
	// aiderSpent is told at the end of every answer.
	aiderSpent = record.Lazy(`^Tokens: [\d.,kM]+ sent`)
	// aiderKept is told once an answer was put to use. A call for the words of a commit
	// may have failed before.
	aiderKept = record.Lazy(`^(?:Commit [0-9a-f]{7,40} |Applied edit to )`)
	// aiderFull is told of a conversation that is too long.
	aiderFull = record.Lazy(`^Model \S{1,128} has hit a token limit!`)
)

// aiderTags are the words of the common rules for the errors that litellm names.
var aiderTags = map[string]string{
	"RateLimitError":             "rate_limit",
	"AuthenticationError":        "authentication_failed",
	"PermissionDeniedError":      "authentication_failed",
	"ContextWindowExceededError": "prompt_too_long",
	"BudgetExceededError":        "billing_error",
	"ServiceUnavailableError":    "server_error",
	"InternalServerError":        "server_error",
	"BadGatewayError":            "server_error",
	"APIConnectionError":         "server_error",
	"Timeout":                    "server_error",
}

// aiderCauses are what aider says of an error (aider/exceptions.py); more of it than
// here may stand behind.
var aiderCauses = []string{
	"The API provider", "API key is missing", "Network error, ", "The model provider ", "The request ", "Check your API key",
	"The model '", "The model \"", "Insufficient credits", "Your prompt is too long",
}

func (a *aider) words(text string, line int) run.Sight {
	var s run.Sight
	a.lines++
	switch found := aiderModel().FindStringSubmatch(text); {
	case found != nil && a.lines <= aiderHead && a.model == "":
		a.model = record.ModelName(found[1])
		s.Model = a.model
	case aiderError().MatchString(text), aiderFull().MatchString(text):
		a.fault = spoken{line, text}
	case aiderRetry().MatchString(text):
		a.retries(text, &s)
	case a.fault.line > 0 && a.explains(text):
		a.fault.text = record.Whole(a.fault.text+"\n"+text, record.MaxErrorText)
	case aiderSpent().MatchString(text):
		a.fault, a.tries, a.limited, a.ended = spoken{}, 0, 0, line
		s.Served, s.Steps = servedTokens, 1
	case aiderKept().MatchString(text):
		a.fault, a.ended = spoken{}, line
		s.Doing = record.DoingText("", text)
	default:
		a.ended = line
		s.Message = record.DoingText("", text)
	}
	return s
}

// explains reports a line that belongs to the error before it: aider's own words, or a
// further line of the provider's answer.
func (a *aider) explains(text string) bool {
	for _, cause := range aiderCauses {
		if strings.HasPrefix(text, cause) {
			return true
		}
	}
	return strings.ContainsRune("{}[]\"", rune(text[0]))
}

// retries reads the notice that aider tries again.
func (a *aider) retries(text string, s *run.Sight) {
	found := problem{text: a.fault.text, tag: a.tag()}.classify()
	a.tries++
	s.Retry = retryNotice(int64(a.tries), 0, 0)
	if found.class == run.ClassRateLimited {
		s.Retry.Status = 429
		a.limited++
		s.Suspect = suspectRetries(a.limited)
	}
	if d, _, ok := reset.LeadingDuration(strings.TrimPrefix(text, "Retrying in ")); ok {
		s.Retry.Delay = d
	}
	a.fault = spoken{}
}

// tag is the word of the common rules for the error at hand.
func (a *aider) tag() string {
	if found := aiderError().FindStringSubmatch(a.fault.text); found != nil {
		return aiderTags[found[1]]
	}
	return ""
}

func (a *aider) terminal(end End) (terminal, bool) {
	t := terminal{model: a.model}
	model := a.model
	if model == "" {
		model = a.ref.Model
	}
	switch {
	case end.Cause != "":
		return t, false // what aider would have done next is not known
	case a.fault.line > 0:
		t.verdict = refusal{text: a.fault.text, tag: a.tag(), model: model}.verdict("aider.error.", a.fault.line, a.ref)
	case end.clean() && a.ended > 0:
		t.verdict = plain(run.ClassSuccess, "aider.exit.0", a.ended, "")
	default:
		return t, false
	}
	return t, true
}
