package record

import (
	"regexp"
	"sync"
)

// Pattern gives a regular expression, which is made when it is first asked for: most of
// them are only needed where something went wrong, and every command would wait for them.
type Pattern func() *regexp.Regexp

// patterns are all there are, for the test that makes them.
var patterns []Pattern

// Lazy returns a pattern. It is for variables of packages; asking for one that cannot be
// read panics.
func Lazy(text string) Pattern {
	p := Pattern(sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) }))
	patterns = append(patterns, p)
	return p
}

// Patterns are all patterns of the packages that are linked in.
func Patterns() []Pattern { return patterns }
