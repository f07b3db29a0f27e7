package ledger_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/ledger"
	"example.com/layover/engine/run"
)

func keys(models ...string) (all []run.WindowKey) {
	for _, m := range models {
		all = append(all, limit(m))
	}
	return all
}

// try asks for permits and fails if the answer is another one.
func try(t *testing.T, l *ledger.Ledger, want bool, models ...string) string {
	t.Helper()
	granted, holder := l.TryPermit(keys(models...))
	if granted != want || granted != (holder == "") {
		t.Fatalf("%q granted: %v, holder %q", models, granted, holder)
	}
	return holder
}

func TestAPermitIsOneAtATimeAndAllOrNone(t *testing.T) {
	root := t.TempDir()
	a, b := open(t, root, ledger.WithRun("night_1", "77")), open(t, root)
	try(t, a, true, "opus")
	want := fmt.Sprintf("run night_1 (process %d) since 2026-03-01T12:00:00Z", os.Getpid())
	if got := try(t, b, false, "", "opus", "sonnet"); got != want {
		t.Fatalf("holder %q, want %q", got, want)
	}
	try(t, a, true, "", "sonnet") // b took none of them
	a.Release(limit("opus"))
	try(t, b, true, "opus", "opus")
	try(t, b, false, "")
	b.Release(limit("opus"))
	b.Release(limit("opus"))
	b.Release(limit("never held"))
	a.Release(limit(""))
	try(t, b, true, "", "opus")
	try(t, a, true)
}

func TestAPermitThatIsHeldCountsAsHad(t *testing.T) {
	root := t.TempDir()
	a, b := open(t, root), open(t, root)
	try(t, a, true, "opus")
	try(t, a, true, "opus", "")
	try(t, b, true, "sonnet")
	try(t, a, false, "opus", "sonnet")
	try(t, b, false, "opus") // the refusal took nothing back that a held before
	a.Release(limit("opus"))
	try(t, b, true, "opus")
}

func TestAClosedLedgerHoldsNothing(t *testing.T) {
	root := t.TempDir()
	a, b := open(t, root), open(t, root)
	try(t, a, true, "", "opus")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	try(t, b, true, "", "opus")
}

func TestWhosePermitLostItsFileTakesNothingFromTheNext(t *testing.T) {
	root := t.TempDir()
	a, b, c := open(t, root), open(t, root, ledger.WithRun("next", "")), open(t, root)
	try(t, a, true, "")
	if err := os.Remove(file(root, "claude++limit", ".permit")); err != nil {
		t.Fatal(err)
	}
	try(t, b, true, "")
	try(t, c, false, "")
	a.Release(limit("")) // that of a file that is no more
	if holder := try(t, c, false, ""); !strings.HasPrefix(holder, "run next ") {
		t.Fatalf("holder %q", holder)
	}
}

func TestAPermitThatIsFreeSaysNothingOfWhoHadIt(t *testing.T) {
	root := t.TempDir()
	a := open(t, root)
	try(t, a, true, "")
	a.Release(limit(""))
	if data, err := os.ReadFile(file(root, "claude++limit", ".permit")); err != nil || len(data) != 0 {
		t.Fatalf("%q, %v", data, err)
	}
}

func TestWhoHoldsAPermitIsSaidInPlainLetters(t *testing.T) {
	root := t.TempDir()
	a, b := open(t, root), open(t, root)
	try(t, a, true, "")
	for text, want := range map[string]string{
		"":                       "another process",
		"\x1b[2J":                "another process",
		`{"pid": -4}`:            "another process",
		`{"pid": 4}`:             "process 4",
		strings.Repeat(" ", 9e3): "another process",
		`{"pid":4,"run_id":"\u001b[2J","since":"2026-03-01T13:00:00+01:00"}`: "process 4 since 2026-03-01T12:00:00Z",
	} {
		if err := os.WriteFile(file(root, "claude++limit", ".permit"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := try(t, b, false, ""); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestANestedLayoverIsLetThrough(t *testing.T) {
	root := t.TempDir()
	parent, nested, inner, other := open(t, root), open(t, root), open(t, root), open(t, root)
	try(t, parent, true, "", "opus")
	if env := parent.Environ(keys("sonnet")); env != nil {
		t.Fatalf("%q of a permit that is not held", env)
	}
	env := parent.Environ(keys("", "sonnet", ""))
	if len(env) != 1 || strings.Contains(env[0], ",") || !strings.HasPrefix(env[0], ledger.PermitsVar+"=claude++limit+a1:") {
		t.Fatalf("%q", env)
	}
	nested.Inherit(append([]string{"HOME=/", ledger.PermitsVar + "=,:,x:\x1b"}, env...))
	try(t, nested, false, "opus") // of this the agent was given no permit
	try(t, nested, true, "", "sonnet")
	try(t, other, false, "")
	try(t, other, false, "sonnet")

	inner.Inherit(nested.Environ(keys("", "sonnet")))
	try(t, inner, true, "", "sonnet")
	inner.Release(limit(""))
	nested.Release(limit(""))
	try(t, other, false, "") // it was the parent's

	parent.Release(limit(""))
	try(t, other, true, "")
	try(t, nested, false, "") // what was inherited has moved on
}

func TestWhatWasInheritedIsPassedOn(t *testing.T) {
	root := t.TempDir()
	parent, nested, inner := open(t, root), open(t, root), open(t, root)
	try(t, parent, true, "", "opus")
	nested.Inherit(parent.Environ(keys("", "opus")))
	try(t, nested, true, "sonnet")
	inner.Inherit(nested.Environ(keys("sonnet")))
	try(t, inner, true, "", "opus", "sonnet")
	inner.Inherit(nil)
	inner.Release(limit(""))
	try(t, inner, false, "")
	if diff := cmp.Diff([]string(nil), inner.Environ(nil)); diff != "" {
		t.Fatal(diff)
	}
}
