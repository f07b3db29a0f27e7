package run

import "testing"

// A file of facts may be damaged or made by hand: what does not fit is an error
// that changes nothing, never a panic.
func TestFactsThatDoNotFitAreRefused(t *testing.T) {
	for _, b := range Bodies() {
		s := &State{}
		_ = s.Apply(Fact{Seq: 1, Body: b}) // an empty state
		s = &State{}
		if err := s.Apply(Fact{Seq: 1, Body: RunStarted{}}); err != nil {
			t.Fatal(err)
		}
		err := s.Apply(Fact{Seq: 2, Body: b})
		if ofLane(b) && err == nil {
			t.Errorf("%s without a lane is taken", b.Name())
		}
		if err != nil && s.Seq != 1 {
			t.Errorf("%s fails but changes the state", b.Name())
		}
	}
	s := &State{}
	for seq := range uint64(2) {
		err := s.Apply(Fact{Seq: seq + 1, Body: RunStarted{}})
		if (err != nil) != (seq == 1) {
			t.Errorf("run_started %d: %v", seq+1, err)
		}
	}
}

// A run whose facts may mean something else is not taken for one of ours.
func TestApplyRefusesANewerFormat(t *testing.T) {
	for format, ok := range map[int]bool{0: true, Format: true, Format + 1: false} {
		if err := new(State).Apply(Fact{Seq: 1, Body: RunStarted{Format: format}}); (err == nil) != ok {
			t.Errorf("format %d: %v", format, err)
		}
	}
}

// The lanes of a job follow each other: whoever walks back through them comes to an end.
func TestALaneComesBackFromNoneAfterIt(t *testing.T) {
	for from, ok := range map[LaneID]bool{-1: false, 0: true, 1: false, 7: false} {
		s := &State{}
		job := Job{Iteration: 1, Requeued: 1, From: from}
		for _, b := range []Body{RunStarted{Program: Program{Tasks: []Task{{}}}}, TaskRequeued{Job: job}} {
			if err := s.Apply(Fact{Seq: s.Seq + 1, Body: b}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Apply(Fact{Seq: s.Seq + 1, Lane: 1, Body: LaneStarted{Job: job}}); (err == nil) != ok {
			t.Errorf("from lane %d: %v", from, err)
		}
	}
}
