package engine_test

import (
	"context"
	"io"
	"testing"
	"time"

	"example.com/layover/engine"
	"example.com/layover/engine/journal"
	"example.com/layover/engine/proc"
	"example.com/layover/engine/run"
)

// BenchmarkSuspicion measures how long it takes from the line with a refusal in the
// output of an agent that runs until its family is suspected: until the fact of it is
// saved on this disk, and told.
func BenchmarkSuspicion(b *testing.B) {
	const (
		rejected = `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","rateLimitType":"five_hour","resetsAt":1900000000}}` + "\n"
		answered = `{"type":"assistant","message":{"id":"m1","model":"opus","content":[{"type":"text","text":"hi"}],"usage":{"output_tokens":3}}}` + "\n"
	)
	j, err := journal.Create(b.TempDir(), "20260101_000000_0badcafe")
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	told := make(chan string, 16) // a decision makes a few facts
	stream := &fed{ready: make(chan struct{})}
	p := run.Defaults()
	p.Name, p.Order = "suspicion", []run.Target{{Agent: "claude"}}
	p.Agents = map[string]run.Agent{"claude": {Preset: "claude", Family: "claude"}}
	p.Tasks = []run.Task{{Name: "one", Prompt: "do it", Wait: run.WaitPark}}
	ctx, stop := context.WithCancelCause(b.Context())
	h := engine.Start(ctx, engine.Launch{ID: "suspicion", Program: p, Seed: 1, Epoch: time.Now(), Speed: 1}, engine.Ports{
		Clock: &engine.Real{}, Store: j, Ledger: engine.Solo{}, Zone: time.UTC, Follower: stream,
		Start:  func(proc.GuardSpec) (engine.Process, error) { return unending{}, nil },
		Adopt:  func(proc.AdoptSpec) (engine.Process, bool, error) { return nil, false, proc.ErrNoTrace },
		Open:   func(string) (io.ReadCloser, error) { return nil, io.EOF },
		Redact: func(s string) string { return s }, Observe: func(run.Observation) {},
		Facts: func(facts []run.Fact) {
			for _, f := range facts {
				switch f.Body.(type) {
				case run.FamilySuspected, run.SuspicionEnded:
					told <- f.Body.Name()
				}
			}
		},
	})
	<-stream.ready
	line := func(text, fact string) time.Duration {
		start := time.Now()
		stream.sink.Bytes([]byte(text))
		if name := <-told; name != fact {
			b.Fatalf("%s, not %s", name, fact)
		}
		return time.Since(start)
	}
	line(rejected, "family_suspected")
	line(answered, "suspicion_ended")
	var took, worst time.Duration
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		d := line(rejected, "family_suspected")
		took, worst = took+d, max(worst, d)
		n++
		line(answered, "suspicion_ended")
	}
	b.ReportMetric(float64(took.Microseconds())/float64(n), "µs-until-suspected")
	b.ReportMetric(float64(worst.Microseconds()), "µs-at-worst")
	stop(engine.ErrLeft)
	h.Wait()
}

// fed is an output that the test writes.
type fed struct {
	sink interface {
		Bytes(p []byte)
		Restart()
	}
	ready chan struct{}
}

func (f *fed) Follow(ctx context.Context, _ string, sink interface {
	Bytes(p []byte)
	Restart()
},
) error {
	f.sink = sink
	close(f.ready)
	<-ctx.Done()
	return nil
}

// unending is an agent that does not end.
type unending struct{}

func (unending) PID() int              { return 1 }
func (unending) StartTime() string     { return "1" }
func (unending) Done() <-chan struct{} { return nil }
func (unending) Wait() proc.Exit       { select {} }
func (unending) Cause() string         { return "" }
func (unending) EndedAt() time.Time    { return time.Time{} }
func (unending) End()                  {}
