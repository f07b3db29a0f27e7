package foreign

import (
	"path"
	"strings"
	"unicode/utf8"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/stream"
)

const (
	// longestWord bounds ids and names, in bytes, longestText what is told of a text.
	longestWord = 64
	longestText = 500
	// shortID is how much of a session's id is enough to tell it from others.
	shortID = 8
)

// families are the words by which a kind of agent is known.
var families = []string{"opencode", "claude", "codex", "gemini", "copilot", "cursor", "qwen", "grok", "aider", "amp"}

// word makes a foreign name harmless: what is no letter, digit or plain sign of ASCII is
// a "_", and the rest is cut.
func word(s string) string {
	if len(s) > longestWord {
		s = s[:longestWord]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-+@/[]", r):
			return r
		}
		return '_'
	}, s)
}

// label is a word that may have spaces.
func label(s string) string {
	parts := strings.Split(cut(s, longestWord), " ")
	for i := range parts {
		parts[i] = word(parts[i])
	}
	return strings.Join(parts, " ")
}

// kind is what an agent is called in a target, which has a colon before the model.
func kind(s string) string { return strings.ToLower(word(s)) }

// cut bounds a text without cutting a character in two.
func cut[T ~string](s T, most int) T {
	if len(s) <= most {
		return s
	}
	s = s[:most]
	for i := 0; i < utf8.UTFMax-1 && len(s) > 0; i++ {
		if r, size := utf8.DecodeLastRuneInString(string(s)); r != utf8.RuneError || size != 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}

// familyOf is the family that names are known by: the first that holds the word of one,
// or else the first that is there. Empty if none is.
func familyOf(names ...string) string {
	for _, n := range names {
		n = strings.ToLower(cut(n, longestText))
		for _, f := range families {
			if strings.Contains(n, f) {
				return f
			}
		}
	}
	for _, n := range names {
		if n != "" {
			return kind(n)
		}
	}
	return ""
}

// agentFamily is that of an agent in a run.json.
func agentFamily(a *runfile.Agent, acc stream.Account) string {
	command := ""
	if len(a.Command) > 0 {
		command = path.Base(cut(a.Command[0], longestText))
	}
	if f := familyOf(a.Type, command, acc.Family); f != "" {
		return f
	}
	return "unknown"
}

// base is the last element of a path; empty if there is none.
func base(dir run.Untrusted) string {
	b := path.Base(strings.TrimRight(strings.ReplaceAll(string(dir), `\`, "/"), "/"))
	if b == "." || b == "/" {
		return ""
	}
	return cut(b, longestWord)
}

// runName is what people may call a run: its id, or else the directory that it is in.
func runName(key, id string) run.Untrusted {
	if id != "" {
		return run.Untrusted(word(id))
	}
	if strings.HasSuffix(key, ".json") {
		key = path.Dir(key)
	}
	return run.Untrusted(base(run.Untrusted(key)))
}

// sessionName is the directory of work with the beginning of the session's id, or else
// the file that it is in.
func sessionName(key string, a stream.Account) run.Untrusted {
	id := word(a.Session)
	if len(id) > shortID {
		id = id[:shortID]
	}
	dir := base(a.Dir)
	switch {
	case dir == "" && id == "":
		return run.Untrusted(strings.TrimSuffix(base(run.Untrusted(key)), ".jsonl"))
	case dir == "":
		return run.Untrusted(id)
	}
	return run.Untrusted(strings.TrimSpace(dir + " " + id))
}

// unheard says why a run takes no orders.
func unheard(o run.Origin, family string) string {
	whose := "an agent"
	if family != "" {
		whose = family
	}
	switch o {
	case run.OriginHarness, run.OriginLoop:
		return o.String() + " takes no orders from Layover"
	case run.OriginStream:
		return "a stream of " + whose + " takes no orders from Layover"
	}
	return "a session of " + whose + " takes no orders from Layover"
}
