package agent

import (
	"testing"

	"example.com/layover/engine/agent/record"
)

// Patterns are made when they are asked for; here each of them is.
func TestPatternsCanBeMade(t *testing.T) {
	all := record.Patterns()
	if len(all) < 50 {
		t.Errorf("there are %d patterns", len(all))
	}
	for _, p := range all {
		p()
	}
}
