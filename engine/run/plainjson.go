package run

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// PlainJSON gives JSON in which every character that does not show, or that a terminal
// could obey, is escaped: controls beyond ASCII, and what reorders or hides text. It stands
// for the same values. encoding/json escapes the controls of ASCII only, but DEL. All JSON
// that is printed or written to a file for others goes through it.
func PlainJSON(text []byte) []byte {
	at := bytes.IndexFunc(text, hides)
	if at < 0 {
		return text
	}
	out := append(make([]byte, 0, len(text)+64), text[:at]...)
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		switch {
		case !hides(r):
			out = append(out, text[at:at+size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		at += size
	}
	return out
}

// hides reports whether a character in JSON does not show as itself. Line ends and tabs
// stand between values only.
func hides(r rune) bool {
	if r < utf8.RuneSelf {
		return r == 0x7f
	}
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
