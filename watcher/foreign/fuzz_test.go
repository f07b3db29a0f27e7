package foreign_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

// Of whatever text a run.json is, what is told is accepted, is told once, and is no more
// than a few times the text.
func FuzzRunFile(f *testing.F) {
	files, err := filepath.Glob(runs + "/*/run.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no files: %v", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{``, `null`, `[]`, `{}`, `{"agents":[{},{}]}`, `{"run_id":"r","layover":{"phase":"running","lanes":[{"state":"parked"}]}}`} {
		f.Add([]byte(text))
	}
	now := at("2026-12-01 10:30")
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := runfile.Decode(text)
		if err != nil {
			return
		}
		for _, held := range []bool{true, false} {
			w, _ := foreign.Own("/r", file, held)
			plain(t, w)
		}
		for _, alive := range []foreign.Alive{foreign.Unknown, foreign.Living, foreign.Gone} {
			k := foreign.Known{Key: "/r/run.json", Origin: run.OriginLoop, File: file, Alive: alive}
			plain(t, k.Watched(now))
			for _, x := range foreign.Suspicions(now, k.Words()) {
				if !x.Until.After(now) || x.Until.After(now.AddDate(0, 2, 0)) || !harmless(x.Family+x.Model) {
					t.Fatalf("%+v", x)
				}
			}
			var teller foreign.Teller
			told, s := teller.Tell(k, now), &run.State{}
			replay(t, s, told.Facts)
			for _, l := range s.Lanes {
				if a := l.Attempts[0]; !harmless(s.ID + s.Label(l) + l.Target.String() + a.Session + a.Model + a.PIDStart) {
					t.Fatalf("%+v", l)
				}
			}
			if n := len(told.Facts); n > 20+16*len(file.Agents)+2*len(file.Limited) {
				t.Fatalf("%d facts of %d agents", n, len(file.Agents))
			}
			if again := teller.Tell(k, now); len(again.Facts)+len(again.Seen) > 0 || again.Restarted {
				t.Fatalf("told twice: %+v", again)
			}
		}
	})
}

// plain holds what is no [run.Untrusted] in a summary to be harmless, and all to be short.
func plain(t *testing.T, w run.Watched) {
	t.Helper()
	if !harmless(w.ID + w.Family + w.Model + w.Unheard) {
		t.Fatalf("%+v", w)
	}
	if n := len(fmt.Sprintf("%v", w)); n > 8192 {
		t.Fatalf("a summary of %d bytes", n)
	}
}

func harmless(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// A run of a hundred thousand agents is shown by the latest of them, and those at work.
func TestManyAgents(t *testing.T) {
	file := &runfile.File{RunID: "r", Start: dawn}
	for i := range 100_000 {
		a := runfile.Agent{ID: fmt.Sprintf("a%d", i), Type: fmt.Sprintf("kind%d", i), Status: "done", SpawnedAt: dawn}
		if i%1000 == 0 {
			a.Status = "running"
		}
		file.Agents = append(file.Agents, a)
	}
	k := foreign.Known{Key: "/r/run.json", Origin: run.OriginHarness, File: file, Alive: foreign.Living, Logs: map[string]stream.Account{}}
	var teller foreign.Teller
	s := &run.State{}
	replay(t, s, teller.Tell(k, dawn).Facts)
	if len(s.Lanes) != foreign.Most || len(s.Open) != 100 || s.Program.Tasks[foreign.Most-1].Name != "a99999" {
		t.Errorf("%d lanes, %d open, the last %s", len(s.Lanes), len(s.Open), s.Program.Tasks[len(s.Lanes)-1].Name)
	}
	if n := len(s.Families); n > 64 {
		t.Errorf("%d families", n)
	}
}
