package foreign_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/foreign"
	"example.com/layover/watcher/stream"
)

// crowd is a run of so many agents, each with a log.
func crowd(n int) foreign.Known {
	k := foreign.Known{
		Key: "/r/run.json", Origin: run.OriginHarness, Alive: foreign.Living,
		File: &runfile.File{RunID: "r", Start: dawn}, Logs: map[string]stream.Account{},
	}
	for i := range n {
		id := fmt.Sprintf("agent_%d", i)
		k.File.Agents = append(k.File.Agents, runfile.Agent{ID: id, Type: "claude", Status: "running", SpawnedAt: dawn, StdoutLog: id, PID: i + 1})
		k.Logs[id] = stream.Account{Family: "claude", Turn: stream.TurnOpen, At: dawn, ServedAt: dawn, Session: id}
	}
	return k
}

func BenchmarkWatched(b *testing.B) {
	k := crowd(50)
	for b.Loop() {
		k.Watched(dawn)
	}
}

func BenchmarkTellAll(b *testing.B) {
	k := crowd(foreign.Most)
	for b.Loop() {
		var teller foreign.Teller
		teller.Tell(k, dawn)
	}
}

func BenchmarkTellOneOfMany(b *testing.B) {
	k := crowd(foreign.Most)
	var teller foreign.Teller
	teller.Tell(k, dawn)
	n := int64(0)
	for b.Loop() {
		n++
		a := k.Logs["agent_7"]
		a.Activity.Usage.Output = n
		k.Logs["agent_7"] = a
		if told := teller.Tell(k, dawn.Add(time.Minute)); len(told.Facts) != 1 {
			b.Fatalf("%+v", told)
		}
	}
}

func BenchmarkTellOfMoreThanAreShown(b *testing.B) {
	k := crowd(60_000)
	for i := range k.File.Agents {
		k.File.Agents[i].Status = "done"
	}
	var teller foreign.Teller
	teller.Tell(k, dawn)
	for b.Loop() {
		if told := teller.Tell(k, dawn); len(told.Facts) > 0 {
			b.Fatalf("%+v", told)
		}
	}
}
