package watcher_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/layover/engine/agent/corpus"
	"example.com/layover/engine/run"
	"example.com/layover/watcher"
)

// said is a message of a session, written now; it has used so many tokens of output.
func said(session, id string, output int, stop string) string {
	return saidAt(time.Now(), session, id, output, stop)
}

func saidAt(at time.Time, session, id string, output int, stop string) string {
	return fmt.Sprintf(`{"isSidechain":false,"sessionId":%q,"cwd":"/work/shop","type":"assistant","timestamp":%q,"message":{"id":%q,"model":"claude-opus-4-6","role":"assistant","content":[{"type":"text","text":"on it"}],"stop_reason":%q,"usage":{"input_tokens":1,"output_tokens":%d}}}`+"\n",
		session, at.UTC().Format(time.RFC3339Nano), id, stop, output)
}

// asked is what somebody says in a session.
func asked(session string) string { return askedAt(time.Now(), session) }

func askedAt(at time.Time, session string) string {
	return fmt.Sprintf(`{"isSidechain":false,"sessionId":%q,"cwd":"/work/shop","type":"user","timestamp":%q,"message":{"role":"user","content":"go on"}}`+"\n",
		session, at.UTC().Format(time.RFC3339Nano))
}

func claude(dir string) []watcher.Root { return []watcher.Root{{Path: dir, Kind: watcher.KindClaude}} }

// A session appears by itself, and stands as its lines say.
func TestSessionsAppearAndMove(t *testing.T) {
	dir := t.TempDir()
	d := sitDown(t, watcher.Options{Roots: claude(dir)})
	d.complete()
	key := filepath.Join(dir, "-work-shop", "one.jsonl")
	put(t, key, asked("one"))
	d.stands(key, run.StandingWorking)
	add(t, key, said("one", "m1", 10, "end_turn"))
	d.stands(key, run.StandingAsking)
	if got := d.runs[key]; got.Dir != "/work/shop" || got.Usage.Output != 10 || got.Model != "claude-opus-4-6" || got.Family != "claude" {
		t.Errorf("told as %+v", got)
	}
	add(t, key, asked("one"))
	d.stands(key, run.StandingWorking)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	d.until("that it is gone", func() bool { return len(d.runs) == 0 && d.last.Usage.Tokens() == 0 })
}

// Each message counts once, in whatever files it stands, and sub-agents count with the
// session that started them.
func TestMessagesOfManyFiles(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "p", "one.jsonl"), filepath.Join(dir, "p", "two.jsonl")
	put(t, one, said("one", "m1", 10, "")+said("one", "m1", 12, "")+said("one", "m2", 100, "end_turn"))
	put(t, two, said("two", "m1", 12, "")+said("two", "m2", 100, "")+said("two", "m3", 1000, "end_turn"))
	side := strings.Replace(said("one", "s1", 10000, "end_turn"), `"isSidechain":false`, `"isSidechain":true`, 1)
	put(t, filepath.Join(dir, "p", "one", "subagents", "agent-1.jsonl"), side)
	d := sitDown(t, watcher.Options{Roots: claude(dir)})
	d.complete()
	if got := d.last.Usage.Output; got != 11112 {
		t.Errorf("all have used %d, want 11112", got)
	}
	if len(d.runs) != 2 || d.runs[one].Usage.Output != 10112 || d.runs[two].Usage.Output != 1112 {
		t.Errorf("told as %+v", d.runs)
	}
}

// The tokens of made-up sessions are those that were written.
func TestSumsAreThoseOfTheCorpus(t *testing.T) {
	roots, truth := sessions(t, 24<<20, 20)
	d := sitDown(t, watcher.Options{Roots: roots})
	d.complete()
	if got, want := d.last.Usage.Tokens(), truth.Tokens[corpus.Transcript]+truth.Tokens[corpus.Rollout]; got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	if len(d.runs) != 20 {
		t.Errorf("%d sessions", len(d.runs))
	}
}

// A session that fell silent in the middle of a turn long ago has nobody at work.
func TestSilentSessionsAreNotAtWork(t *testing.T) {
	dir := t.TempDir()
	for n, ago := range []time.Duration{time.Minute, 3 * time.Hour, 40 * time.Hour} {
		key := filepath.Join(dir, "p", fmt.Sprintf("s%d.jsonl", n))
		then := time.Now().Add(-ago)
		put(t, key, saidAt(then, "s", fmt.Sprint("m", n), 1, ""))
		if err := os.Chtimes(key, then, then); err != nil {
			t.Fatal(err)
		}
	}
	d := sitDown(t, watcher.Options{Roots: claude(dir)})
	d.complete()
	d.until("one agent at work", func() bool { return len(d.fams) == 1 && d.fams[0].Working == 1 })
}

// What is old is listed, and read once it is opened.
func TestOldSessionsAreListed(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "p", "old.jsonl")
	put(t, key, asked("old")+said("old", "m1", 10, "end_turn"))
	then := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(key, then, then); err != nil {
		t.Fatal(err)
	}
	d := sitDown(t, watcher.Options{Roots: claude(dir), Since: 24 * time.Hour})
	d.complete()
	if got := d.runs[key]; got.State != run.StandingListed || got.Usage.Tokens() != 0 || !got.At.Equal(then) {
		t.Errorf("told as %+v", got)
	}
	d.watcher.Open(key)
	d.until("its facts", func() bool { return len(d.feeds) > 0 && len(d.feeds[len(d.feeds)-1].Facts) > 0 })
	d.until("its tokens", func() bool { return d.runs[key].Usage.Output == 10 })
}

// The facts of a run that is open build its state, whatever comes after.
func TestAnOpenSessionIsFed(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "p", "one.jsonl")
	put(t, key, asked("one"))
	d := sitDown(t, watcher.Options{Roots: claude(dir)})
	d.complete()
	d.watcher.Open(key)
	var s *run.State
	at := 0
	state := func() *run.State {
		for ; at < len(d.feeds); at++ {
			if f := d.feeds[at]; s == nil || f.Restarted {
				s = &run.State{}
			}
			for _, f := range d.feeds[at].Facts {
				if err := s.Apply(f); err != nil {
					t.Fatalf("fact %d: %v", f.Seq, err)
				}
			}
		}
		return s
	}
	lane := func(is run.LaneState) func() bool {
		return func() bool {
			s := state()
			return s != nil && len(s.Open) == 1 && s.Lane(s.Open[0]).State == is
		}
	}
	d.until("that it works", lane(run.LaneWorking))
	add(t, key, said("one", "m1", 10, "end_turn"))
	d.until("that its turn is over", func() bool { s := state(); return len(s.Open) == 0 || s.Lane(s.Open[0]).State != run.LaneWorking })
	add(t, key, asked("one"))
	d.until("that it works again", lane(run.LaneWorking))
	d.watcher.Close(key)
	add(t, key, said("one", "m2", 10, "end_turn"))
	d.stands(key, run.StandingAsking)
}

// Files that are no agent's output are none of ours, wherever they lie; one that is named
// by itself is told of.
func TestOthersFilesAreNotShown(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "rows.jsonl"), `{"a":1}`+"\n"+`{"b":[2]}`+"\n")
	put(t, filepath.Join(dir, "events.jsonl"), `{"seq":1,"ts":"2026-01-01T00:00:00Z","type":"notice","message":"x"}`+"\n")
	put(t, filepath.Join(dir, "session.jsonl"), asked("one"))
	named := filepath.Join(t.TempDir(), "named.jsonl")
	put(t, named, `{"a":1}`+"\n")
	d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: dir, Kind: watcher.KindAny}, {Path: named, Kind: watcher.KindAny}}})
	d.complete()
	var keys []string
	for key := range d.runs {
		keys = append(keys, key)
	}
	if diff := cmp.Diff([]string{named, filepath.Join(dir, "session.jsonl")}, keys, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Error(diff)
	}
}

// A session shows signs of life as long as its file is written to, also after it has been
// followed for long.
func TestSignsOfLifeGoOn(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "p", "one.jsonl")
	old := time.Now().Add(-40 * time.Minute)
	put(t, key, asked("one"))
	if err := os.Chtimes(key, old, old); err != nil {
		t.Fatal(err)
	}
	d := sitDown(t, watcher.Options{Roots: claude(dir)})
	d.complete()
	last := time.Time{}
	for n := range 5 {
		add(t, key, said("one", fmt.Sprint("m", n), 10, "tool_use"))
		d.until(fmt.Sprint("message ", n), func() bool { return d.runs[key].Usage.Output == int64(10*n+10) })
		d.mu.Lock()
		w := d.runs[key]
		d.mu.Unlock()
		if !w.At.After(last) || time.Since(w.At) > 10*time.Minute || w.Standing(time.Now()) != run.StandingWorking {
			t.Errorf("after message %d it is %s, at %s after %s", n, w.Standing(time.Now()), w.At, last)
		}
		last = w.At
	}
}

// refused is the end of a turn at a limit until three in the afternoon.
func refused(session string) string {
	return fmt.Sprintf(`{"isSidechain":false,"sessionId":%q,"type":"assistant","timestamp":"2026-11-30T12:00:00.000Z","message":{"id":"x","model":"<synthetic>","role":"assistant","stop_reason":"stop_sequence","type":"message","usage":{"input_tokens":0,"output_tokens":0},"content":[{"type":"text","text":"You've hit your limit · resets 3pm (UTC)"}]},"error":"rate_limit","isApiErrorMessage":true}`+"\n", session)
}

// Who goes on after a limit is at work; what was said of the limit stays until a model
// answers.
func TestALimitOutlivesTheNextQuestion(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "p", "one.jsonl")
	noon := time.Date(2026, 11, 30, 12, 5, 0, 0, time.UTC)
	put(t, key, refused("one"))
	if err := os.Chtimes(key, noon, noon); err != nil {
		t.Fatal(err)
	}
	d := sitDown(t, watcher.Options{Roots: claude(dir), Now: func() time.Time { return noon }})
	until := noon.Add(2*time.Hour + 55*time.Minute)
	suspected := func() bool {
		return len(d.fams) == 1 && len(d.fams[0].Suspicions) == 1 && d.fams[0].Suspicions[0].Until.Equal(until)
	}
	d.stands(key, run.StandingLimited)
	d.until("the suspicion", suspected)
	add(t, key, askedAt(noon, "one"))
	d.stands(key, run.StandingWorking)
	d.until("the suspicion as it was", suspected)
}

// One look at all there is has everything in it, also what a run names, and complains of
// nothing.
func TestOneLook(t *testing.T) {
	alone := filepath.Join(harness(t), "20261201_100000_c0ffee42") // nothing else takes time
	for range 20 {
		d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: alone, Kind: watcher.KindAny}}, Now: recorded, Alive: kept, Once: true})
		d.complete()
		d.end()
		if w := d.runs[alone]; w.Usage.Tokens() < 6000 || len(d.last.Notes) > 0 || len(d.runs) != 1 {
			t.Fatalf("%v %+v", d.last.Notes, d.runs)
		}
	}
	named := filepath.Join(t.TempDir(), "passwd")
	put(t, named, "root:x:0:0\n")
	d := sitDown(t, watcher.Options{Roots: []watcher.Root{{Path: named, Kind: watcher.KindAny}}, Once: true})
	d.complete()
	if w := d.runs[named]; w.State != run.StandingUnreadable || w.Why == "" {
		t.Errorf("what is no output is told as %+v", w)
	}
}

// Files that take each other's names, and numbers, are told as one sees them who comes
// later.
func TestFilesThatTakeEachOthersNames(t *testing.T) {
	dir := t.TempDir()
	path := func(n int) string { return filepath.Join(dir, "p", fmt.Sprintf("f%d.jsonl", n%4)) }
	for n := range 4 {
		put(t, path(n), said(fmt.Sprint("s", n), fmt.Sprint("a", n), 1<<n, "end_turn"))
	}
	d := sitDown(t, watcher.Options{Roots: claude(dir)})
	d.complete()
	for n := range 60 {
		text := said(fmt.Sprint("s", n), fmt.Sprint("m", n), 100+n, "end_turn")
		var err error
		switch n % 4 {
		case 0: // another file takes its place, and a new one perhaps its number
			put(t, path(n)+".tmp", text)
			err = os.Rename(path(n)+".tmp", path(n))
			put(t, filepath.Join(dir, "p", fmt.Sprintf("new%d.jsonl", n)), text+said("x", fmt.Sprint("n", n), 7, ""))
		case 1:
			add(t, path(n), text)
		case 2:
			err = os.Rename(path(n), path(n+1))
		case 3:
			put(t, path(n+3), text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	fresh := sitDown(t, watcher.Options{Roots: claude(dir), Once: true})
	fresh.complete()
	fresh.end()
	strip := cmpopts.IgnoreFields(run.Watched{}, "At")
	d.until("what a later one sees", func() bool {
		return d.last.Usage == fresh.last.Usage && cmp.Equal(fresh.runs, d.runs, strip)
	})
}

// What is not watched as it should be is told, with the reason.
func TestNotesOfWhatIsNotWatched(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "p", "one.jsonl"), said("one", "m", 1, ""))
	put(t, filepath.Join(dir, "q", "one.jsonl"), said("two", "n", 1, ""))
	d := sitDown(t, watcher.Options{Watches: 1, Roots: claude(dir)})
	d.complete()
	d.until("its notes", func() bool {
		return slices.ContainsFunc(d.last.Notes, func(n string) bool { return strings.Contains(n, "no more than 1 directories") })
	})
	add(t, filepath.Join(dir, "q", "one.jsonl"), said("two", "o", 10, ""))
	add(t, filepath.Join(dir, "p", "one.jsonl"), said("one", "o2", 100, ""))
	d.until("what is looked at", func() bool { return d.last.Usage.Output == 112 })
}

// A root that is neither a file nor a directory is told of.
func TestNotesOfWhatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := sitDown(t, watcher.Options{Roots: claude(filepath.Join(dir, "pipe"))})
	d.until("a note", func() bool {
		return slices.ContainsFunc(d.last.Notes, func(n string) bool { return strings.Contains(n, "pipe cannot be watched") })
	})
}
