//go:build !linux && !darwin

package tree

// remote says why notices do not tell of all that happens in a directory; it is not known
// on this system.
func remote(string) error { return nil }
