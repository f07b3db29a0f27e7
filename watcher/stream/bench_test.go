package stream

import (
	"runtime"
	"strings"
	"testing"

	"example.com/layover/engine/agent"
)

// busy is a stream in the middle of its work, in each of the dialects that sessions on disk
// have, and its next line of 2 KiB.
func busy(b *testing.B, dialect string) (s *Stream, o Options, next []byte) {
	b.Helper()
	o = options()
	o.Dialect = dialect
	o.Keep = strings.Clone
	s = New(o)
	words := strings.Repeat("some words ", 160)
	if dialect == "codex-rollout" {
		next = lines(rollout("02", "event_msg", `"type":"agent_message","message":"`+words+`"`))
		s.Bytes(lines(rollout("01", "session_meta", `"id":"0199a6b2-7c1f-7a30-9d0e-0123456789ab","cwd":"/home/dev/src/shop"`)))
	} else {
		next = lines(answer("02", "msg_01ABCDEFGHIJKLMNOPQRSTUV", "null", `{"type":"text","text":"`+words+`"}`))
		for range 40 {
			s.Bytes(lines(answer("01", "msg_01"+strings.Repeat("x", s.Account().Activity.Lines), "null", `{"type":"tool_use","name":"Bash","input":{"command":"go test ./... -count=1"}}`)))
		}
	}
	s.Bytes(next)
	return s, o, next
}

var dialects = []string{"claude-transcript", "codex-rollout"}

func BenchmarkSave(b *testing.B) {
	for _, dialect := range dialects {
		b.Run(dialect, func(b *testing.B) {
			s, _, _ := busy(b, dialect)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n = len(s.Save())
			}
			b.ReportMetric(float64(n), "saved-bytes")
		})
	}
}

func BenchmarkResume(b *testing.B) {
	for _, dialect := range dialects {
		b.Run(dialect, func(b *testing.B) {
			s, o, _ := busy(b, dialect)
			saved := s.Save()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Resume(o, saved); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLook is what a watcher does for a file that has grown by a line of 2 KiB.
func BenchmarkLook(b *testing.B) {
	for _, dialect := range dialects {
		b.Run(dialect, func(b *testing.B) {
			s, o, next := busy(b, dialect)
			saved := s.Save()
			b.SetBytes(int64(len(next)))
			b.ReportAllocs()
			for b.Loop() {
				s, err := Resume(o, saved)
				if err != nil {
					b.Fatal(err)
				}
				s.Bytes(next)
				s.Account()
				s.Save()
			}
		})
	}
}

// BenchmarkAtRest is what is held of each stream that nobody reads: what it has saved, and
// its account.
func BenchmarkAtRest(b *testing.B) {
	for _, dialect := range dialects {
		b.Run(dialect, func(b *testing.B) {
			const streams = 2000
			type rest struct {
				saved   []byte
				account Account
			}
			_, o, next := busy(b, dialect)
			heap := func() float64 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				return float64(m.HeapAlloc)
			}
			for b.Loop() {
				before := heap()
				all := make([]rest, streams)
				for i := range all {
					s := New(o)
					s.Bytes(next)
					all[i] = rest{s.Save(), s.Account()}
				}
				b.ReportMetric((heap()-before)/streams, "bytes/stream")
				runtime.KeepAlive(all)
			}
		})
	}
}

// BenchmarkScan reads a session for the first time.
func BenchmarkScan(b *testing.B) {
	for _, dialect := range dialects {
		b.Run(dialect, func(b *testing.B) {
			_, o, next := busy(b, dialect)
			text := []byte(strings.Repeat(string(next), agent.ReadSize/len(next)))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s := New(o)
				s.Bytes(text)
				s.Account()
			}
		})
	}
}
