package corpus

import (
	"bufio"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

var words = strings.Fields(`the func return err nil if for range package import context error string int64 byte struct interface map slice channel select defer go test assert equal handler server client request response status code retry backoff limit window reset token usage model claude codex agent spawn process exit signal file path read write open close line buffer parse json decode encode schema field value key index offset length config option default flag main cmd run build lint fix bug issue commit branch merge review diff patch hunk added removed changed unchanged total passed failed skipped seconds elapsed`)

// pool is JSON-escaped text; lines end with the two bytes \n (escaped)
func buildPool(r *rand.Rand, n int) []byte {
	var b []byte
	odd := []string{"\\u001b[31m", "\\u001b[0m", "├── ", "│   ", "✓ ", "日本語", "“quoted”", "\\\"", "\\\\", "\\t", "\\t\\t", "é", "🚀", "<div class=\\\"x\\\">", "https://example.test/a?b=c&d=", "{ \\\"k\\\": 1 }"}
	for len(b) < n {
		ind := r.IntN(5)
		for i := 0; i < ind; i++ {
			b = append(b, "    "...)
		}
		if r.IntN(3) == 0 {
			b = strconv.AppendInt(b, int64(r.IntN(3000)), 10)
			b = append(b, "\\t"...)
		}
		w := 2 + r.IntN(14)
		for i := 0; i < w; i++ {
			switch k := r.IntN(40); {
			case k == 0:
				b = append(b, odd[r.IntN(len(odd))]...)
			case k < 4:
				b = strconv.AppendUint(b, uint64(r.Uint32()), 16)
			default:
				b = append(b, words[r.IntN(len(words))]...)
			}
			b = append(b, ' ')
		}
		b = append(b, "\\n"...)
	}
	return b
}

// starts are where the lines of a pool start.
func starts(pool []byte) []int {
	idx := []int{0}
	for i := 0; i+1 < len(pool); i++ {
		if pool[i] == '\\' && pool[i+1] == 'n' && (i == 0 || pool[i-1] == ' ') {
			idx = append(idx, i+2)
		}
	}
	return idx
}

// writer writes one file, line by line. It draws what the line holds.
type writer struct {
	o     Options
	truth *Truth
	out   *bufio.Writer
	path  string
	// target is how long the file is to become, off how long it is.
	target, off int64
	line        int

	r       *rand.Rand
	pool    []byte // JSON text whose lines end in an escaped \n
	idx     []int  // where its lines start
	buf     []byte // the line
	t       time.Time
	session string
}

// text appends about n bytes of escaped text cut at pool line starts (whole lines) or at a space
func (w *writer) text(n int) {
	if n < 40 {
		n = 40
	}
	for n > 0 {
		i := w.r.IntN(len(w.idx) - 1)
		s := w.idx[i]
		// take consecutive lines
		e := s
		for i+1 < len(w.idx) && e-s < n {
			i++
			e = w.idx[i]
		}
		if e == s {
			return
		}
		w.buf = append(w.buf, w.pool[s:e]...)
		n -= e - s
	}
}
func (w *writer) s(x string) { w.buf = append(w.buf, x...) }
func (w *writer) i(x int64)  { w.buf = strconv.AppendInt(w.buf, x, 10) }
func (w *writer) hex(n int) {
	const h = "0123456789abcdef"
	for i := 0; i < n; i++ {
		w.buf = append(w.buf, h[w.r.IntN(16)])
	}
}

func (w *writer) b62(n int) {
	const h = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	for i := 0; i < n; i++ {
		w.buf = append(w.buf, h[w.r.IntN(62)])
	}
}

func (w *writer) uuid() string {
	a := make([]byte, 0, 36)
	sv := w.buf
	w.buf = a
	w.hex(8)
	w.s("-")
	w.hex(4)
	w.s("-4")
	w.hex(3)
	w.s("-a")
	w.hex(3)
	w.s("-")
	w.hex(12)
	a = w.buf
	w.buf = sv
	return string(a)
}
func (w *writer) u() { w.buf = append(w.buf, w.uuid()...) }
func (w *writer) id(p string) string {
	sv := w.buf
	w.buf = nil
	w.s(p)
	w.b62(24)
	x := string(w.buf)
	w.buf = sv
	return x
}
func (w *writer) ts()         { w.buf = w.t.AppendFormat(w.buf, "2006-01-02T15:04:05.000Z") }
func (w *writer) step(ms int) { w.t = w.t.Add(time.Duration(1+w.r.IntN(ms)) * time.Millisecond) }

// bounded Pareto
func (w *writer) pareto(lo, hi, a float64) int {
	u := w.r.Float64()
	la, ha := math.Pow(lo, a), math.Pow(hi, a)
	return int(math.Pow(-(u*ha-u*la-ha)/(ha*la), -1/a))
}

type usage struct{ in, out, cc, cr int64 }

func (w *writer) usage(u usage) {
	w.s(`{"input_tokens":`)
	w.i(u.in)
	w.s(`,"cache_creation_input_tokens":`)
	w.i(u.cc)
	w.s(`,"cache_read_input_tokens":`)
	w.i(u.cr)
	w.s(`,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":`)
	w.i(u.cc)
	w.s(`},"output_tokens":`)
	w.i(u.out)
	w.s(`,"service_tier":"standard","inference_geo":"not_available"}`)
}
