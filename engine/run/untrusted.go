package run

// Untrusted is text that came from outside Layover: what agents print, file names, errors
// of child processes. But for secrets, and where it was cut, it is stored as it came; it may
// hold control sequences, invalid UTF-8 and misleading characters. Only package tui/text
// turns it into something that may be shown.
type Untrusted string
