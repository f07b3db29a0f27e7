package plan_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// eventful is a short run in which much happens: lanes that wait, probe, swap, go back,
// retry, are paused, woken and stopped.
func eventful(t tester, set ...func(*drive)) *drive {
	p := program("claude", "codex")
	p.Parallel, p.MaxSwaps = 3, 2
	p.Tasks = append(p.Tasks, run.Task{Name: "two", Prompt: "do it", Wait: run.WaitPark}, run.Task{Name: "three", Prompt: "do it", Wait: run.WaitPark, Pinned: true})
	d := begin(t, p, func(d *drive, sp run.Spawn) play {
		switch {
		case sp.Target.Agent == "codex" && d.spawn[sp.Target] == 1:
			return fails(run.ClassTransport)
		case sp.Target.Agent == "codex" && d.spawn[sp.Target] == 2:
			return bare()
		case sp.Target.Agent == "claude" && d.now.Before(start.Add(10*time.Minute)):
			return limited(start.Add(10 * time.Minute))
		}
		return works(3 * time.Minute)
	}, set...)
	d.at(100*time.Second, run.Command{Verb: run.VerbWake, Lane: 3})
	d.at(2*time.Minute, run.Command{Verb: run.VerbPause})
	d.at(3*time.Minute, run.Command{Verb: run.VerbUnpause})
	d.at(9*time.Minute, run.Command{Verb: run.VerbSoftStop, Lane: 3})
	d.at(time.Hour, run.Command{Verb: run.VerbUnpause}) // whoever died after the pause
	return d
}

// Whichever byte the facts of a run end at, what is read back is the state that the last
// whole decision before it left.
func TestEveryByteLeavesAWholeDecision(t *testing.T) {
	d := begin(t, program("claude"), once(limited(start.Add(time.Hour)), works(time.Hour)))
	d.at(2*time.Minute, run.Command{Verb: run.VerbHardStop})
	d.run()
	data := lines(t, d.facts)
	longest, whole := 0, []*run.State{}
	for i := 1; i < len(d.left); i++ {
		longest = max(longest, int(d.left[i]-d.left[i-1]))
	}
	if n := len(d.facts); longest < 6 || n > 60 {
		t.Fatalf("%d facts, of one decision at most %d\n%s", n, longest, d.story())
	}
	s := &run.State{}
	for _, f := range d.facts { // the states between, each its own
		if slices.Contains(d.left, s.Seq) || s.Seq == 0 {
			whole = append(whole, d.read(lines(t, d.facts[:s.Seq])))
		}
		if err := s.Apply(f); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, journal.EventsFile)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for cut := len(data) - 1; cut >= 0; cut-- {
		if err := os.Truncate(path, int64(cut)); err != nil {
			t.Fatal(err)
		}
		n := uint64(bytes.Count(data[:cut], []byte("\n")))
		for whole[len(whole)-1].Seq > n {
			whole = whole[:len(whole)-1]
		}
		want := whole[len(whole)-1]
		got, report, err := journal.Replay(dir)
		if err != nil || got.Seq != want.Seq || report.End+report.TornBytes != int64(cut) {
			t.Fatalf("cut at %d of %d, in fact %d: read up to %d, want %d: %+v, %v", cut, len(data), n+1, got.Seq, want.Seq, report, err)
		}
		if data[cut] != '\n' {
			continue // the facts are the same as at the line's end
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(run.State{}, run.Lane{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("cut at %d of %d, in fact %d (-want +got):\n%s", cut, len(data), n+1, diff)
		}
	}
}

// A run goes on by all rules from each place at which its facts can end.
func TestARunGoesOnFromEveryFact(t *testing.T) {
	n := len(eventful(t).run().facts)
	for at := 1; at <= n; at++ {
		d := eventful(t, func(d *drive) { d.halts, d.torn, d.away = at, at%2 == 0, time.Minute })
		if d.run(); d.halts > 0 {
			t.Fatalf("no death at fact %d", at)
		}
	}
}

// The same of larger runs that are drawn.
func TestDrawnRunsGoOnFromEveryFact(t *testing.T) {
	type drawn struct {
		program    run.Program
		world      world
		at         []time.Duration
		happenings []run.Happening
		away       time.Duration
		torn       bool
	}
	agents := []string{"claude", "codex"}
	worlds := rapid.Custom(func(t *rapid.T) drawn {
		w := drawn{program: drawProgram(t), world: drawWorld(t, agents), away: drawSoon(t, "away"), torn: rapid.Bool().Draw(t, "torn")}
		drawOrders(t, &w.program)
		for range rapid.IntRange(0, 8).Draw(t, "happenings") {
			w.at = append(w.at, drawSoon(t, "when"))
			w.happenings = append(w.happenings, drawHappening(t, agents))
		}
		return w
	})
	facts, n := 0, 0
	for i := 0; n < 7; i++ {
		w := worlds.Example(i)
		play := func(at int) *drive {
			d := begin(t, w.program, w.world.play, func(d *drive) { d.halts, d.torn, d.away = at, w.torn, w.away })
			for i, h := range w.happenings {
				d.at(w.at[i], h)
			}
			d.at(6*time.Hour, run.Command{Verb: run.VerbUnpause})
			d.at(7*time.Hour, run.Command{Verb: run.VerbUnpause}) // who dies at the first has not heard it
			d.run()
			return d
		}
		made := len(play(0).facts)
		if made > 250 { // each of them is a whole run
			continue
		}
		for at := 1; at <= made; at++ {
			play(at)
		}
		facts += made
		n++
	}
	if facts < 250 {
		t.Errorf("only %d facts", facts)
	}
}
