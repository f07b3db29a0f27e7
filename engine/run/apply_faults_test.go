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
