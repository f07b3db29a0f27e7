package run

import "fmt"

// enumName gives the word of an enum value that counts from one; the zero value
// has the empty word.
func enumName(names []string, i int) string {
	if i == 0 {
		return ""
	}
	if i < 0 || i > len(names) {
		return fmt.Sprintf("unknown(%d)", i)
	}
	return names[i-1]
}

// enumValue finds the enum value of a word; the empty word is the zero value.
func enumValue(kind string, names []string, text []byte) (int, error) {
	if len(text) == 0 {
		return 0, nil
	}
	for i, name := range names {
		if name == string(text) {
			return i + 1, nil
		}
	}
	return 0, fmt.Errorf("unknown %s %q", kind, text)
}
