package scripted

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/layover/engine/run"
)

func minutes(n int) run.Duration { return run.Duration(time.Duration(n) * time.Minute) }

func TestAnswer(t *testing.T) {
	window := Allowance{Name: "five_hour", Calls: []int{2, 1}, Length: minutes(10)}
	week := Allowance{Name: "seven_day", Calls: []int{2}, Length: minutes(60)}
	tests := map[string]struct {
		provider Provider
		at       []int // minutes since the epoch
		want     []AnswerKind
		until    int // of the last answer, in minutes; -1 for none
	}{
		"always":           {Provider{}, []int{0, 1, 2}, []AnswerKind{Served, Served, Served}, -1},
		"spent":            {Provider{Windows: []Allowance{window}}, []int{3, 4, 5}, []AnswerKind{Served, Served, Spent}, 13},
		"again":            {Provider{Windows: []Allowance{window}}, []int{3, 4, 5, 13}, []AnswerKind{Served, Served, Spent, Served}, -1},
		"second allowance": {Provider{Windows: []Allowance{window}}, []int{3, 4, 13, 13}, []AnswerKind{Served, Served, Served, Spent}, 23},
		"first call opens": {Provider{Windows: []Allowance{window}}, []int{3, 13, 14, 22}, []AnswerKind{Served, Served, Spent, Spent}, 23},
		"latest of two":    {Provider{Windows: []Allowance{window, week}}, []int{0, 0, 1}, []AnswerKind{Served, Served, Spent}, 60},
		"brownout": {
			Provider{Brownouts: []Brownout{{From: minutes(2), To: minutes(4), Kind: Throttled}}},
			[]int{1, 2, 3, 4},
			[]AnswerKind{Served, Throttled, Throttled, Served},
			-1,
		},
		"stated wait": {
			Provider{Brownouts: []Brownout{{To: minutes(4), Kind: Throttled, Wait: minutes(1)}}},
			[]int{2},
			[]AnswerKind{Throttled},
			3,
		},
		"refused calls are free": {
			Provider{Windows: []Allowance{window}, Brownouts: []Brownout{{From: minutes(1), To: minutes(2), Kind: Overloaded}}},
			[]int{0, 1, 1, 2, 3},
			[]AnswerKind{Served, Overloaded, Overloaded, Served, Spent},
			10,
		},
		"spent before brownout": {
			Provider{Windows: []Allowance{window}, Brownouts: []Brownout{{From: minutes(1), To: minutes(2), Kind: Overloaded}}},
			[]int{0, 0, 1},
			[]AnswerKind{Served, Served, Spent},
			10,
		},
		"cut calls count":    {Provider{Windows: []Allowance{window}, CutCalls: []int{1}}, []int{0, 0, 0}, []AnswerKind{Cut, Served, Spent}, 10},
		"own time of agents": {Provider{Windows: []Allowance{window}}, []int{5, 2, 3, 14}, []AnswerKind{Served, Served, Spent, Spent}, 15},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var a Account
			var ans Answer
			var got []AnswerKind
			for _, m := range tt.at {
				ans, a = tt.provider.Answer(a, epoch().Add(minutes(m).D()), epoch())
				got = append(got, ans.Kind)
			}
			until := -1
			if !ans.Until.IsZero() {
				until = int(ans.Until.Sub(epoch()).Minutes())
			}
			if d := cmp.Diff(tt.want, got); d != "" || until != tt.until {
				t.Errorf("until %d, want %d\n%s", until, tt.until, d)
			}
		})
	}
}

// Whatever the calls: no stretch of the length of a window holds more served calls
// than two windows allow, a refusal ends when it says and no earlier, and the
// account that is given in is not touched.
func TestAllowanceHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		allowed := rapid.IntRange(1, 5).Draw(t, "allowed")
		length := time.Duration(rapid.IntRange(1, 100).Draw(t, "length")) * time.Second
		p := Provider{Windows: []Allowance{{Name: "w", Calls: []int{allowed}, Length: run.Duration(length)}}}
		var a Account
		var opened, until time.Time
		used := 0
		at := epoch()
		for _, gap := range rapid.SliceOfN(rapid.IntRange(0, 40), 1, 60).Draw(t, "gaps") {
			at = at.Add(time.Duration(gap) * time.Second)
			before := slices.Clone(a.Meters)
			ans, after := p.Answer(a, at, epoch())
			if d := cmp.Diff(before, a.Meters); d != "" {
				t.Fatalf("the account was changed: %s", d)
			}
			a = after
			if opened.IsZero() || !at.Before(opened.Add(length)) {
				opened, used = at, 0
			}
			if ok := used < allowed; ok != (ans.Kind == Served) {
				t.Fatalf("at %s with %d of %d used: %s", at, used, allowed, ans.Kind)
			}
			if used++; ans.Kind == Spent {
				until = ans.Until
			}
			if ans.Kind == Spent && !until.Equal(opened.Add(length)) {
				t.Fatalf("refused until %s, not %s", until, opened.Add(length))
			}
		}
	})
}
