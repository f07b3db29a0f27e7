package program

import (
	"fmt"
	"slices"
	"strings"
)

// meant words a suggestion for a word that is not known; empty if no known word
// is near enough to be what was meant.
func meant(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// Nearest finds the known word that takes the fewest typing slips to reach; empty
// if all of them take too many. Words of the same distance go by the alphabet.
func Nearest(word string, known []string) string {
	const longest = 64 // nobody mistypes a longer word than this
	if len(word) > longest {
		return ""
	}
	word = strings.ToLower(word)
	best, least := "", 1+len(word)/4
	for _, k := range slices.Sorted(slices.Values(known)) {
		d := slips([]rune(word), []rune(strings.ToLower(k)))
		if d < least || (d == least && best == "") {
			best, least = k, d
		}
	}
	return best
}

// slips counts the single slips between two words: a letter too many, missing,
// wrong, or swapped with its neighbour.
func slips(a, b []rune) int {
	before, above := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			wrong := 1
			if a[i] == b[j] {
				wrong = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+wrong)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}
