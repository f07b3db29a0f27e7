//go:build unix

package proc

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func mustOrders(t *testing.T, s GuardSpec) []byte {
	t.Helper()
	text, err := json.Marshal(s.orders())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestOrdersArriveAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return string(rapid.SliceOf(rapid.Byte().Filter(func(b byte) bool { return b > 0 })).Draw(t, name))
		}
		s := GuardSpec{
			Spec: Spec{
				Argv: []string{"x" + text("name"), text("argument")}, Env: []string{text("env")}, Dir: text("dir"),
				Stdin: []byte(text("stdin")), Stdout: text("out"), Stderr: text("err"),
				Grace: time.Duration(rapid.Int64Min(1).Draw(t, "grace")),
			},
			Lock: "x" + text("lock"), Exit: "x" + text("exit"), RunLock: "x" + text("run"),
			OnDeath:   rapid.SampledFrom([]OnDeath{"", Finish, EndTree}).Draw(t, "death"),
			Deadline:  time.Unix(rapid.Int64Range(0, 1<<35).Draw(t, "deadline"), 1).UTC(),
			Stall:     time.Duration(rapid.Int64Min(0).Draw(t, "stall")),
			MaxOutput: rapid.Int64Min(0).Draw(t, "output"),
		}
		sent, err := json.Marshal(s.orders())
		if err != nil {
			t.Fatal(err)
		}
		got, err := readOrders(bytes.NewReader(sent))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.orders(), got, cmp.Transformer("none", none)); diff != "" {
			t.Fatal(diff)
		}
		if len(s.Stdin) == 0 {
			s.Stdin = nil
		}
		spec := got.spec()
		if len(spec.Stdin) == 0 {
			spec.Stdin = nil
		}
		if diff := cmp.Diff(s.Spec, spec); diff != "" {
			t.Fatal(diff)
		}
	})
}

// none makes no difference between no bytes and none at all.
func none(b []byte) string { return string(b) }

func TestZeroSpecFinishes(t *testing.T) {
	o := GuardSpec{}.orders()
	if o.OnDeath != Finish || o.OwnerWait != 30*time.Second || !o.Deadline.IsZero() {
		t.Errorf("orders %+v", o)
	}
}

func TestOrdersAreChecked(t *testing.T) {
	good := GuardSpec{Spec: Spec{Argv: []string{"a"}}, Lock: "l", Exit: "e"}.orders()
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*orders){
		"version":     func(o *orders) { o.Version++ },
		"no command":  func(o *orders) { o.Argv = nil },
		"no lock":     func(o *orders) { o.Lock = "" },
		"no exit":     func(o *orders) { o.Exit = "" },
		"on death":    func(o *orders) { o.OnDeath = "perhaps" },
		"no run lock": func(o *orders) { o.OnDeath = EndTree },
		"grace":       func(o *orders) { o.Grace = -1 },
		"wait":        func(o *orders) { o.OwnerWait = -1 },
		"stall":       func(o *orders) { o.Stall = -1 },
		"output":      func(o *orders) { o.MaxOutput = -1 },
		"path":        func(o *orders) { o.Exit = "a\x00b" },
	} {
		t.Run(name, func(t *testing.T) {
			bad := good
			change(&bad)
			if bad.check() == nil {
				t.Error("accepted")
			}
		})
	}
}

func FuzzReadOrders(f *testing.F) {
	o := GuardSpec{Spec: Spec{Argv: []string{"a"}, Env: []string{"A=1"}}, Lock: "l", Exit: "e"}.orders()
	text, _ := json.Marshal(o)
	f.Add(text)
	f.Add([]byte(`{"version":1,"argv":["YQ=="],"lock":"*"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		o, err := readOrders(bytes.NewReader(text))
		if err != nil {
			if diff := cmp.Diff(orders{}, o); diff != "" || len(err.Error()) > 80 {
				t.Errorf("gives %q and %s", err, diff)
			}
			return
		}
		if err := o.check(); err != nil {
			t.Errorf("accepted in spite of %q", err)
		}
	})
}

func FuzzReadAnswer(f *testing.F) {
	f.Add(answer{PID: 1, Agent: 2, Start: "3", AgentStart: "4"}.line())
	f.Add(refuse(fs.ErrNotExist).line())
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := readAnswer(bytes.NewReader(text))
		if (err == nil) != (a.PID > 0 && a.Agent > 0 && a.Error == "") {
			t.Errorf("gives %+v, %v", a, err)
		}
	})
}

func FuzzParseExit(f *testing.F) {
	f.Add([]byte(`{"code":-1,"signal":"killed","time":"2026-01-02T03:04:05Z","cause":"stall"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parseExit(text)
		if (err == nil) == r.Time.IsZero() {
			t.Errorf("gives %+v, %v", r, err)
		}
	})
}

func TestRefusalsKeepTheirMeaning(t *testing.T) {
	s := Spec{Argv: []string{"/no/such"}}
	_, _, cause := launch(s)
	for name, tc := range map[string]struct{ err, is error }{
		"not found": {cause, ErrNotFound},
		"missing":   {checkDir("/no/such"), fs.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readAnswer(bytes.NewReader(refuse(tc.err).line()))
			if !errors.Is(err, tc.is) || err.Error() != tc.err.Error() {
				t.Errorf("came as %v, was %v", err, tc.err)
			}
		})
	}
}
