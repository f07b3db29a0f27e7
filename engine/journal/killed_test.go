package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/layover/engine/journal"
	"example.com/layover/engine/run"
)

// steps are the system calls that a save may be made of. Those that a machine does
// not have are left out.
const steps = "?write,?pwrite64,?fsync,?fdatasync,?rename,?renameat,?renameat2,?open,?openat,?mkdir,?mkdirat,?ftruncate,?link,?linkat"

// call is one line of strace: the system call and the rest.
var call = regexp.MustCompile(`(?m)^([a-z0-9_]+)\(.*$`)

// saveUnder runs a saver under strace, which sees the first thread alone: there all
// is done that a saver does. It gives what the saver told, its calls, the last of
// which it may have been killed in, and whether it lived to its end.
func saveUnder(t *testing.T, root string, inject ...string) (told saved, calls [][]string, lived bool) {
	t.Helper()
	trace := root + ".trace"
	args := append([]string{"-o", trace, "-y", "-s", "300", "-e", "trace=" + steps}, inject...)
	c := exec.Command("strace", append(args, os.Args[0], root)...)
	c.Env = append(os.Environ(), role+"=saver", quickExit)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	text, failed := os.ReadFile(trace)
	if failed != nil {
		t.Fatal(failed)
	}
	if err != nil && !bytes.Contains(text, []byte("+++ killed by SIGKILL +++")) {
		t.Fatalf("the saver failed: %v\n%s", err, errs.Bytes())
	}
	return parseSaved(t, out.Bytes()), call.FindAllStringSubmatch(string(text), -1), err == nil
}

// A saver is killed before each of its steps in turn; the instant after a step is
// the one before the next.
func TestSaverKilledAtEveryStep(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("a process is killed at a system call by strace, which is not installed")
	}
	if out, err := exec.Command("strace", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %v: %s", err, out)
	}
	base := t.TempDir()
	told, calls, lived := saveUnder(t, filepath.Join(base, "lives"))
	if !lived || told != (saved{3 * batch, 3 * batch}) {
		t.Fatalf("left alone, it tells %+v", told)
	}
	survives(t, filepath.Join(base, "lives"), told)
	first := map[string]int{} // the first call of each kind that is about the run
	count := map[string]int{}
	for _, c := range calls {
		if count[c[1]]++; first[c[1]] == 0 && strings.Contains(c[0], base) {
			first[c[1]] = count[c[1]]
		}
	}
	hit := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(first)) {
		if first[name] == 0 {
			continue
		}
		for n := first[name]; ; n++ {
			root := filepath.Join(base, fmt.Sprintf("%s-%d", name, n))
			told, calls, lived := saveUnder(t, root, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", name, n))
			survives(t, root, told)
			if t.Failed() {
				t.Fatalf("after %+v and a kill at %s", told, calls[len(calls)-1][0])
			}
			if lived {
				break
			}
			hit[stepOf(calls[len(calls)-1], base)]++
		}
	}
	for _, step := range slices.Sorted(maps.Keys(hit)) {
		t.Logf("killed %2d times at %s", hit[step], step)
	}
	for step, least := range map[string]int{
		"write of events.jsonl": 3, "fsync of events.jsonl": 3, "write of .run.json": 3, "fsync of .run.json": 3,
		"rename of .run.json": 3, "fsync of the run": 4, "write of elsewhere": 6,
	} {
		if hit[step] < least {
			t.Errorf("killed %d times at %s, want %d", hit[step], step, least)
		}
	}
}

// stepOf names what a call does to which of the run's files.
func stepOf(c []string, base string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(c[1], "2"), "at")
	where := "elsewhere"
	if _, path, ok := strings.Cut(c[0], base); ok {
		where = "the root"
		if _, path, ok = strings.Cut(path, id); ok {
			where = "the run"
			if file := regexp.MustCompile(`^/(\.?[a-z]+(\.[a-z]+)?)`).FindStringSubmatch(path); file != nil {
				where = file[1]
			}
		}
	}
	return name + " of " + where
}

// A machine that loses its power may have written any part of the last batch.
func TestBatchTornAtEveryByte(t *testing.T) {
	all := night(t)[:1]
	head, _, _ := bytes.Cut(eventsOf(t), []byte("\n"))
	head = append(head, '\n')
	data := bytes.Clone(head)
	for n := range 3 {
		last := all[len(all)-1]
		f := run.Fact{Seq: last.Seq + 1, At: last.At, Body: run.Notice{Message: fmt.Sprint("line ", n, " é")}}
		line, err := f.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		all, data = append(all, f), append(append(data, line...), '\n')
	}
	for cut := len(head); cut <= len(data); cut++ {
		whole := uint64(bytes.Count(data[:cut], []byte("\n")))
		torn := int64(cut - 1 - bytes.LastIndexByte(data[:cut], '\n'))
		root, dir := runDir(t, data[:cut])
		s, report, err := journal.Replay(dir)
		if err != nil || s.Seq != whole || report.TornBytes != torn {
			t.Fatalf("cut at %d: fact %d, %+v, %v, want %d and %d torn bytes", cut, s.Seq, report, err, whole, torn)
		}
		j, s, report, err := journal.Resume(root, id)
		if err != nil || s.Seq != whole || report.TornBytes != torn {
			t.Fatalf("cut at %d: fact %d, %+v, %v, want %d and %d torn bytes", cut, s.Seq, report, err, whole, torn)
		}
		if err := errors.Join(j.Append(all), j.Close()); err != nil {
			t.Fatal(err)
		}
		if now, err := os.ReadFile(filepath.Join(dir, journal.EventsFile)); err != nil || !bytes.Equal(now, data) {
			t.Fatalf("cut at %d and gone on with: %v\n%s", cut, err, now)
		}
	}
}
