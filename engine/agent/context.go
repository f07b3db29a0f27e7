package agent

import "strings"

const (
	// BytesPerToken is how many bytes of a text are reckoned as one token. Prose has
	// about four; code, JSON and paths have fewer, and to reckon too many tokens leaves
	// more room, not less.
	BytesPerToken = 3
	// workShare is the part of a context that is kept for the work to come and for what
	// the agent itself puts before the prompt: one in so many.
	workShare = 2
)

// window is the context of models whose name holds a mark.
type window struct {
	mark   string
	tokens int
}

// Context is how many tokens a conversation with a model of the agent may hold; an
// empty model is the agent's own choice.
func (p Preset) Context(model string) int {
	for _, w := range p.windows {
		if strings.Contains(model, w.mark) {
			return w.tokens
		}
	}
	return p.context
}

// Room is how long the work of others may be that is handed to a model beside a prompt
// of so many bytes, in bytes: what the context holds, less half of it for the work to
// come.
func (p Preset) Room(model string, prompt int) int {
	return max(0, p.Context(model)*BytesPerToken/workShare-prompt)
}
