// Package redact takes secrets out of text, before the text is handed to another
// agent or written to a log.
//
// It owns what counts as a secret: the values of environment variables whose names
// say so, keys that are known by their shape, what is assigned to a name that says so,
// and the passwords of addresses. Line ends within a value or a key do not hide it.
//
// It never reads the environment itself, never keeps text, and makes no promise
// about secrets that have neither a telling name nor a known shape, or that were
// written in another encoding than plain or JSON.
package redact
