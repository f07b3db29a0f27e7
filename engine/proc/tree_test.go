//go:build unix

package proc

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func numbers(entries []entry) []int {
	var all []int
	for _, e := range entries {
		all = append(all, e.pid)
	}
	slices.Sort(all)
	return all
}

func TestMembers(t *testing.T) {
	const leader = 1000
	start := entry{pid: leader, ppid: 2, pgid: leader, sid: leader, start: "5"}
	for name, tc := range map[string]struct {
		table []entry
		want  []int
	}{
		"leader alone": {[]entry{start, {pid: 7, ppid: 2, pgid: 7, sid: 7}}, []int{leader}},
		"group":        {[]entry{{pid: 8, ppid: 1, pgid: leader, sid: leader}}, []int{8}},
		"session":      {[]entry{{pid: 8, ppid: 1, pgid: 8, sid: leader}}, []int{8}},
		"child in a session of its own, listed first": {[]entry{
			{pid: 8, ppid: leader, pgid: 8, sid: 8}, start,
		}, []int{8, leader}},
		"orphan in a child's session": {[]entry{
			{pid: 9, ppid: 1, pgid: 9, sid: 8}, {pid: 8, ppid: leader, pgid: 8, sid: 8}, start,
		}, []int{8, 9, leader}},
		"number of the leader, other start": {[]entry{
			{pid: leader, ppid: 1, pgid: 3, sid: 3, start: "6"}, {pid: 8, ppid: leader, pgid: 8, sid: 8},
		}, nil},
		"zombies do not count": {[]entry{
			{pid: leader, pgid: leader, sid: leader, start: "5", zombie: true},
			{pid: 8, ppid: leader, pgid: leader, sid: leader, zombie: true},
		}, nil},
		"no session told": {[]entry{start, {pid: 7, ppid: 2, pgid: 7}, {pid: 8, ppid: leader, pgid: 8}}, []int{8, leader}},
		"child of the reaper": {[]entry{
			start, {pid: 8, ppid: 50, pgid: 8, sid: 8}, {pid: 9, ppid: 8, pgid: 9, sid: 9}, {pid: 7, ppid: 2, pgid: 7, sid: 7},
		}, []int{8, 9, leader}},
		"our own session never belongs": {[]entry{
			{pid: leader, ppid: 2, pgid: 99, sid: 99, start: "5"}, {pid: 98, ppid: leader, pgid: 98, sid: 99},
		}, nil},
		"number one never ends": {[]entry{{pid: 1, pgid: leader, sid: leader}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			tr := tree{leader: identity{pid: leader, start: "5"}, known: map[identity]bool{}, own: 99, reaper: 50}
			if diff := cmp.Diff(tc.want, numbers(tr.members(tc.table))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestALeaderWithoutANumberHasNoMembers(t *testing.T) {
	for _, number := range []int{-1, 0, 1} {
		tr := newTree(identity{pid: number})
		tr.reaper = 7
		if got := tr.members([]entry{
			{pid: 8, ppid: number, pgid: number, sid: number}, {pid: 9, ppid: 7, pgid: 9}, {pid: 1, start: ""},
		}); len(got) > 0 {
			t.Errorf("leader %d has %v", number, numbers(got))
		}
	}
}

func TestMembersRemembersOrphans(t *testing.T) {
	tr := newTree(identity{pid: 1000, start: "5"})
	tr.members([]entry{
		{pid: 1000, pgid: 1000, sid: 1000, start: "5"},
		{pid: 8, ppid: 1000, pgid: 8, sid: 8, start: "6"},
		{pid: 9, ppid: 1000, pgid: 9, sid: 9, start: "6"},
	})
	got := tr.members([]entry{
		{pid: 8, ppid: 1, pgid: 8, sid: 8, start: "6"},
		{pid: 9, ppid: 1, pgid: 9, sid: 9, start: "7"}, // another has taken the number
	})
	if diff := cmp.Diff([]int{8}, numbers(got)); diff != "" {
		t.Error(diff)
	}
}

func TestMembersDoNotDependOnTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) entry {
			return entry{
				ppid: rapid.IntRange(1, 12).Draw(t, "ppid"), pgid: rapid.IntRange(2, 12).Draw(t, "pgid"),
				sid: rapid.IntRange(0, 12).Draw(t, "sid"), zombie: rapid.Bool().Draw(t, "zombie"), start: "1",
			}
		})
		all := rapid.SliceOfN(one, 0, 10).Draw(t, "all")
		for i := range all {
			all[i].pid = i + 2
		}
		mixed := rapid.Permutation(all).Draw(t, "mixed")
		leader := identity{pid: 2, start: "1"}
		if diff := cmp.Diff(numbers(newTree(leader).members(all)), numbers(newTree(leader).members(mixed))); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestParsePS(t *testing.T) {
	out := "    1     0     1 Ss   Sat Nov 28 10:00:00 2026\n" +
		"  812   1 800 Z+   Mon Nov 30 09:01:02 2026\n" +
		"garbage\n  1 x 2 S Mon Nov 30 09:01:02 2026\n"
	want := []entry{
		{pid: 1, ppid: 0, pgid: 1, start: "Sat Nov 28 10:00:00 2026"},
		{pid: 812, ppid: 1, pgid: 800, start: "Mon Nov 30 09:01:02 2026", zombie: true},
	}
	if diff := cmp.Diff(want, parsePS([]byte(out)), cmp.AllowUnexported(entry{})); diff != "" {
		t.Error(diff)
	}
}

func FuzzParsePS(f *testing.F) {
	f.Add([]byte("  812   1 800 Z+   Mon Nov 30 09:01:02 2026\n"))
	f.Fuzz(func(t *testing.T, out []byte) {
		for _, e := range parsePS(out) {
			if e.start == "" || e.sid != 0 {
				t.Errorf("read %+v", e)
			}
		}
	})
}
