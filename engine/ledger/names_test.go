package ledger

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

func TestNames(t *testing.T) {
	tests := map[string]struct {
		key     run.WindowKey
		account string
		want    string
	}{
		"a family":           {run.WindowKey{Family: "claude", Sort: run.SortLimit}, "", "claude++limit+"},
		"a model":            {run.WindowKey{Family: "codex", Model: "gpt-5.1", Sort: run.SortLimit}, "a1", "codex+gpt-5.1+limit+a1"},
		"a login":            {run.WindowKey{Family: "claude", Sort: run.SortLogin}, "a1", "claude++login+a1"},
		"a path":             {run.WindowKey{Family: "../x", Model: "/", Sort: run.SortLimit}, "", "%2e.%2fx+%2f+limit+"},
		"capitals":           {run.WindowKey{Family: "Claude", Sort: run.SortLimit}, "", "%43laude++limit+"},
		"NUL, not UTF-8":     {run.WindowKey{Family: "a\x00\xff", Sort: run.SortLimit}, "", "a%00%ff++limit+"},
		"the sign between":   {run.WindowKey{Family: "a+b", Sort: run.SortLimit}, "", "a%2bb++limit+"},
		"a switch of a tool": {run.WindowKey{Family: "-rf", Sort: run.SortLimit}, "", "%2drf++limit+"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := nameOf(tt.key, tt.account); got != tt.want {
				t.Fatalf("%q, want %q", got, tt.want)
			}
		})
	}
}

func keys() *rapid.Generator[run.WindowKey] {
	text := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"", "..", ".", "/", "a", "A", "a+", "+a", "%41", "\x00", "\xff", strings.Repeat("x", 300), strings.Repeat("X", 300)}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 300), func(b []byte) string { return string(b) }),
	)
	return rapid.Custom(func(t *rapid.T) run.WindowKey {
		return run.WindowKey{Family: text.Draw(t, "family"), Model: text.Draw(t, "model"), Sort: run.Sort(rapid.IntRange(1, 3).Draw(t, "sort"))}
	})
}

func TestEachKeyHasOneSafeName(t *testing.T) {
	safe := regexp.MustCompile(`^[a-z0-9_%+][a-z0-9_%+.~-]{0,99}$`)
	stems := map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		k, account := keys().Draw(t, "key"), rapid.SampledFrom([]string{"", "a1", "A1", "/"}).Draw(t, "account")
		name := nameOf(k, account)
		stem := stemOf(name)
		if !safe.MatchString(stem) {
			t.Fatalf("%q", stem)
		}
		if other, ok := stems[stem]; ok && other != name {
			t.Fatalf("%q and %q have the stem %q", name, other, stem)
		}
		stems[stem] = name
		back, a, err := keyOf(name)
		if err != nil || a != account {
			t.Fatalf("account %q of %q: %v", a, name, err)
		}
		if diff := cmp.Diff(k, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestLongNamesThatBeginAlikeAreTwo(t *testing.T) {
	long := strings.Repeat("x", 300)
	a := stemOf(nameOf(run.WindowKey{Family: long + "a", Sort: run.SortLimit}, ""))
	b := stemOf(nameOf(run.WindowKey{Family: long + "b", Sort: run.SortLimit}, ""))
	if a == b || len(a) != maxStem {
		t.Fatalf("%q and %q", a, b)
	}
}

func TestNamesThatAreNone(t *testing.T) {
	for _, bad := range []string{
		"", "claude", "claude++limit", "claude++limit++", "claude+++", "claude++other+", "%63laude++limit+",
		"Claude++limit+", "cla%4ude++limit+", "claude++limit+%", "claude++limit+%4", "a/b++limit+", "%2D++limit+",
	} {
		if k, _, err := keyOf(bad); err == nil {
			t.Errorf("%q is read as %q", bad, k)
		}
	}
}

func TestFingerprintTellsAccountsApart(t *testing.T) {
	seen := map[string][]string{}
	for _, values := range [][]string{{"a"}, {"b"}, {"a", ""}, {"", "a"}, {"a", "b"}, {"ab"}, {"ab", ""}, {"A"}} {
		p := Fingerprint(values...)
		if len(p) != 12 || seen[p] != nil || p != Fingerprint(values...) {
			t.Errorf("%q and %q: %q", values, seen[p], p)
		}
		seen[p] = values
	}
	if p := Fingerprint("", ""); p != "" || Fingerprint() != "" {
		t.Errorf("%q of nothing", p)
	}
}
