package handoff

import "strings"

// streams is where the recorded streams are, by kind and agent.
const streams = "../../../testdata"

func joined(l ...string) string { return strings.Join(l, "\n") + "\n" }
