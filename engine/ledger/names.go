package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"example.com/layover/engine/run"
)

// The endings of the files of one window.
const (
	windowExt  = ".json"
	lockExt    = ".lock"
	permitExt  = ".permit"
	draftExt   = ".draft"
	corruptExt = ".corrupt-"
)

const (
	// maxStem bounds a file's name without its ending, in bytes; with the longest
	// ending it fits every file system in use.
	maxStem = 100
	// keptStem is how much of a longer name is kept before its hash.
	keptStem = maxStem - 1 - 2*hashBytes
	// hashBytes is how much of a hash stands for a name that is too long.
	hashBytes = 16
	// printBytes is the length of a fingerprint in bytes.
	printBytes = 6
	// salt sets fingerprints apart from other hashes of the same values.
	salt = "layover account fingerprint 1"
)

// Fingerprint gives a short hash of what identifies an account, for example the
// values of the keys in the environment. It tells accounts apart and does not give
// the values away. Without any value that is not empty it is empty.
func Fingerprint(values ...string) string {
	h := sha256.New()
	h.Write([]byte(salt))
	any := false
	for _, v := range values {
		any = any || v != ""
		_, _ = fmt.Fprintf(h, "\x00%d\x00%s", len(v), v)
	}
	if !any {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:printBytes])
}

// nameOf gives the whole name of a window: four parts, none of which can hold the
// sign between them, so that different keys have different names.
func nameOf(k run.WindowKey, account string) string {
	return escape(k.Family) + "+" + escape(k.Model) + "+" + k.Sort.String() + "+" + escape(account)
}

// keyOf reads a whole name back; it refuses what [nameOf] never writes.
func keyOf(name string) (k run.WindowKey, account string, err error) {
	parts := strings.Split(name, "+")
	if len(parts) != 4 || parts[2] == "" {
		return k, "", fmt.Errorf("%q is not the name of a window", name)
	}
	err = k.Sort.UnmarshalText([]byte(parts[2]))
	for i, to := range map[int]*string{0: &k.Family, 1: &k.Model, 3: &account} {
		ok := false
		if *to, ok = unescape(parts[i]); !ok && err == nil {
			err = fmt.Errorf("%q is not the name of a window", name)
		}
	}
	if err == nil && nameOf(k, account) != name {
		err = fmt.Errorf("%q is not the name of a window", name)
	}
	return k, account, err
}

// stemOf gives the name of a window's files: its name, or as much of it as fits
// and a hash of it all.
func stemOf(name string) string {
	if len(name) <= maxStem {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return name[:keptStem] + "~" + hex.EncodeToString(sum[:hashBytes])
}

// escape writes any text in small letters, digits and a few signs, so that no file
// system and no shell takes it for something else or two of them for the same.
func escape(s string) string {
	var b strings.Builder
	for i, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', i > 0 && (c == '.' || c == '-'):
			b.WriteByte(c)
		default:
			_, _ = fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

// unescape undoes [escape]; false if a sign of an escape is missing.
func unescape(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		c, err := hex.DecodeString(s[i+1 : i+3])
		if err != nil {
			return "", false
		}
		b.Write(c)
		i += 2
	}
	return b.String(), true
}
