// Package text makes text fit to be shown: it turns what others wrote into plain
// characters, cuts and pads by terminal cells, and words durations, instants and
// amounts.
//
// It owns the only way from run.Untrusted to a screen, a plain line or a page:
// [Line] for a message, [Block] for a message of several lines, [Name] for a name.
// What a character may do is decided once, by its Unicode category; a category that
// is not known to be harmless is denied.
//
// It never styles, never reads a clock or a locale, and never returns a control
// character, a format character, invalid UTF-8 or more cells than it was allowed.
package text
