package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"time"

	"example.com/layover/engine/agent/record"
)

// ErrBroken says that something is not what was written: it is torn, of another version, or
// was never written here.
var ErrBroken = errors.New("saved state is broken")

// MaxText bounds a text that is written, in bytes.
const MaxText = 4 << 10

const (
	sumSize  = 4
	startCap = 1 << 10
)

// Codec goes through values: it writes them, or reads what was written in the same order.
// After a value that cannot be read all others stay as they are.
type Codec struct {
	out, in []byte
	keep    func(string) string
	reading bool
	bad     bool
}

// Write gives what visit goes through, with a version. Texts are what keep makes of them,
// cut to MaxText behind a blank; a nil keep leaves them as they are. Visit must not change
// the values.
func Write(version byte, keep func(text string) string, visit func(*Codec)) []byte {
	c := Codec{out: make([]byte, 0, startCap), keep: keep}
	c.out = append(c.out, version)
	visit(&c)
	return bytes.Clone(seal(c.out)) // of its own size: many are kept
}

// Seal gives a body, which may be any, with a version and a sum, as tests of readers need it.
func Seal(version byte, body []byte) []byte { return seal(append([]byte{version}, body...)) }

func seal(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)) }

// Read goes through what [Write] gave, with the same version and the same order of values.
// The error is ErrBroken; some values may have been read then.
func Read(saved []byte, version byte, visit func(*Codec)) error {
	at := len(saved) - sumSize
	if at < 1 || saved[0] != version || binary.LittleEndian.Uint32(saved[at:]) != crc32.ChecksumIEEE(saved[:at]) {
		return ErrBroken
	}
	c := Codec{in: saved[1:at], reading: true}
	visit(&c)
	if c.bad || len(c.in) > 0 {
		return ErrBroken
	}
	return nil
}

// Reading reports whether values are read, not written.
func (c *Codec) Reading() bool { return c.reading }

// Fail says that what was read cannot be.
func (c *Codec) Fail() { c.bad, c.in = true, nil }

// take gives the next n bytes; false if there are not so many.
func (c *Codec) take(n uint64) ([]byte, bool) {
	if c.bad || n > uint64(len(c.in)) {
		c.Fail()
		return nil, false
	}
	b := c.in[:n]
	c.in = c.in[n:]
	return b, true
}

// size is a number from zero up.
func (c *Codec) size(v *uint64) {
	if !c.reading {
		c.out = binary.AppendUvarint(c.out, *v)
		return
	}
	n, used := binary.Uvarint(c.in)
	if c.bad || used <= 0 {
		c.Fail()
		return
	}
	*v, c.in = n, c.in[used:]
}

// Number is a whole number; small ones take least room.
func Number[T ~int | ~int32 | ~int64](c *Codec, v *T) {
	if !c.reading {
		c.out = binary.AppendVarint(c.out, int64(*v))
		return
	}
	n, used := binary.Varint(c.in)
	if c.bad || used <= 0 || int64(T(n)) != n {
		c.Fail()
		return
	}
	*v, c.in = T(n), c.in[used:]
}

// Count is a number from zero to a bound; a greater one is written as that.
func (c *Codec) Count(v *int, most int) {
	n := min(*v, most)
	if Number(c, &n); !c.reading {
		return
	}
	if n < 0 || n > most {
		c.Fail()
		return
	}
	*v = n
}

// Bits is a number of which all values are as likely.
func (c *Codec) Bits(v *uint64) {
	if !c.reading {
		c.out = binary.LittleEndian.AppendUint64(c.out, *v)
		return
	}
	if b, ok := c.take(8); ok {
		*v = binary.LittleEndian.Uint64(b)
	}
}

// Float is a finite number.
func (c *Codec) Float(v *float64) {
	if !c.reading {
		if *v == 0 {
			c.out = append(c.out, 0)
			return
		}
		c.out = binary.LittleEndian.AppendUint64(append(c.out, 1), math.Float64bits(*v))
		return
	}
	var set bool
	if c.Flag(&set); !set {
		*v = 0
		return
	}
	if b, ok := c.take(8); ok {
		n := math.Float64frombits(binary.LittleEndian.Uint64(b))
		if math.IsNaN(n) || math.IsInf(n, 0) {
			c.Fail()
			return
		}
		*v = n
	}
}

// Flag is true or false.
func (c *Codec) Flag(v *bool) {
	if !c.reading {
		bit := byte(0)
		if *v {
			bit = 1
		}
		c.out = append(c.out, bit)
		return
	}
	if b, ok := c.take(1); ok {
		if b[0] > 1 {
			c.Fail()
			return
		}
		*v = b[0] == 1
	}
}

// firstSecond and lastSecond are the instants that can be written as RFC 3339.
var (
	firstSecond = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	lastSecond  = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()
)

// Time is an instant, to the nanosecond and in UTC.
func (c *Codec) Time(v *time.Time) {
	if !c.reading {
		s, n := v.Unix(), v.Nanosecond()
		if v.IsZero() || s < firstSecond || s > lastSecond {
			s, n = 0, -1
		}
		Number(c, &n)
		if n >= 0 {
			Number(c, &s)
		}
		return
	}
	n, s := 0, int64(0)
	if Number(c, &n); c.bad {
		return
	}
	if n == -1 {
		*v = time.Time{}
		return
	}
	if Number(c, &s); c.bad || n < 0 || n >= 1e9 || s < firstSecond || s > lastSecond {
		c.Fail()
		return
	}
	*v = time.Unix(s, int64(n)).UTC()
}

// Text is a text of others, of which no more is written than may be kept.
func Text[T ~string](c *Codec, v *T) {
	if !c.reading {
		text := string(*v)
		if c.keep != nil && text != "" {
			text = c.keep(text)
		}
		c.text(record.Whole(text, MaxText))
		return
	}
	var n uint64
	c.size(&n)
	if b, ok := c.take(n); ok {
		*v = T(b)
	}
}

// Word is a word of ours.
func Word[T ~string](c *Codec, v *T) {
	if !c.reading {
		c.text(string(*v))
		return
	}
	Text(c, v)
}

func (c *Codec) text(s string) {
	n := uint64(len(s))
	c.size(&n)
	c.out = append(c.out, s...)
}

// Bytes are those of something that was written already. Those that are read are a part of
// what they were read from.
func (c *Codec) Bytes(v *[]byte) {
	n := uint64(len(*v))
	c.size(&n)
	if !c.reading {
		c.out = append(c.out, *v...)
		return
	}
	if b, ok := c.take(n); ok {
		*v = b
	}
}

// Kept reports whether a text may be written as it is.
func (c *Codec) Kept(text string) bool { return c.keep == nil || text == "" || c.keep(text) == text }

// List is a list of values that each visit goes through, of at most so many. No element is
// written in less than a byte.
func List[T any](c *Codec, v *[]T, most int, visit func(*Codec, *T)) {
	n := uint64(len(*v))
	if c.size(&n); c.reading {
		if c.bad || n > uint64(len(c.in)) || n > uint64(most) {
			c.Fail()
			return
		}
		*v = nil
		if n > 0 {
			*v = make([]T, n)
		}
	}
	for i := range *v {
		visit(c, &(*v)[i])
	}
}
