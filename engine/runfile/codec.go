package runfile

import (
	"bytes"
	"encoding"
	"encoding/json"
	"strconv"
	"time"
)

// codec goes through the members of one JSON object: it writes them if it has a
// buffer, and reads them otherwise. Zero values are written as null, so that
// every name is always there; null is read as the zero value.
type codec struct {
	out     *bytes.Buffer
	members map[string]json.RawMessage
	skipped *int
}

// name writes the name of a member.
func (c *codec) name(name string) {
	if b := c.out.Bytes(); b[len(b)-1] != '{' {
		c.out.WriteByte(',')
	}
	c.value(name)
	c.out.WriteByte(':')
}

// value writes a value that can always be written.
func (c *codec) value(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		b = []byte("null")
	}
	c.out.Write(b)
}

// put writes a member; nil stands for null.
func (c *codec) put(name string, v any) {
	c.name(name)
	c.value(v)
}

// raw gives a member to read, unless there is none.
func (c *codec) raw(name string) (json.RawMessage, bool) {
	v, ok := c.members[name]
	return v, ok && string(v) != "null"
}

// skip counts a value that cannot be used.
func (c *codec) skip() { *c.skipped++ }

// text is a string; the empty one is null.
func text[T ~string](c *codec, name string, v *T) {
	if c.out != nil {
		if *v == "" {
			c.put(name, nil)
			return
		}
		c.put(name, *v)
		return
	}
	if raw, ok := c.raw(name); ok {
		s, ok := readText(raw)
		if !ok {
			c.skip()
			return
		}
		*v = T(s)
	}
}

// said is a text. Others may write an object instead, of which one member is the text.
func said[T ~string](c *codec, name, member string, v *T) {
	if raw, ok := c.raw(name); ok {
		if all, object := members(raw); object {
			sub := &codec{members: all, skipped: c.skipped}
			if _, is := sub.raw(member); is {
				text(sub, member, v)
				return
			}
		}
	}
	text(c, name, v)
}

// word is a value with a textual form of its own; no text is null.
func (c *codec) word(name string, v interface {
	encoding.TextMarshaler
	encoding.TextUnmarshaler
},
) {
	if c.out != nil {
		b, err := v.MarshalText()
		if err != nil || len(b) == 0 {
			c.put(name, nil)
			return
		}
		c.put(name, string(b))
		return
	}
	if raw, ok := c.raw(name); ok {
		s, ok := readText(raw)
		if !ok || v.UnmarshalText([]byte(s)) != nil {
			c.skip()
		}
	}
}

// count is a number from zero up, always written.
func count[T int | int64 | uint64](c *codec, name string, v *T) {
	if c.out != nil {
		c.put(name, *v)
		return
	}
	if raw, ok := c.raw(name); ok {
		n, ok := readWhole(raw)
		if !ok || n < 0 || int64(T(n)) != n {
			c.skip()
			return
		}
		*v = T(n)
	}
}

// amount is a sum of money from zero up, always written.
func (c *codec) amount(name string, v *float64) {
	if c.out != nil {
		c.put(name, *v)
		return
	}
	if raw, ok := c.raw(name); ok {
		f, ok := readFloat(string(raw))
		if !ok || f < 0 {
			c.skip()
			return
		}
		*v = f
	}
}

// id is a number that names a process; zero is null.
func (c *codec) id(name string, v *int) {
	if c.out != nil && *v == 0 {
		c.put(name, nil)
		return
	}
	count(c, name, v)
}

// code is an exit status; nil is null.
func (c *codec) code(name string, v **int) {
	if c.out != nil {
		c.put(name, *v)
		return
	}
	if raw, ok := c.raw(name); ok {
		n, ok := readWhole(raw)
		if !ok || int64(int32(n)) != n {
			c.skip()
			return
		}
		*v = new(int(n))
	}
}

// start is the start time of a process in whatever unit: a number is written as
// one, since other tools compare numbers.
func (c *codec) start(name string, v *string) {
	if c.out != nil {
		n, err := strconv.ParseUint(*v, 10, 64)
		if err == nil && strconv.FormatUint(n, 10) == *v {
			c.put(name, n)
			return
		}
		text(c, name, v)
		return
	}
	if raw, ok := c.raw(name); ok {
		if s, ok := readText(raw); ok {
			*v = s
		} else if n := string(raw); json.Valid(raw) && (n[0] == '-' || (n[0] >= '0' && n[0] <= '9')) {
			*v = n
		} else {
			c.skip()
		}
	}
}

// words is a list of strings; a single string is read as a list of one.
func (c *codec) words(name string, v *[]string) {
	if c.out != nil {
		if *v == nil {
			c.put(name, []string{})
			return
		}
		c.put(name, *v)
		return
	}
	raw, ok := c.raw(name)
	if !ok {
		return
	}
	if s, ok := readText(raw); ok {
		*v = []string{s}
		return
	}
	items, _, ok := elements(raw)
	if !ok {
		c.skip()
		return
	}
	for _, item := range items {
		s, ok := readText(item)
		if !ok {
			c.skip()
			continue
		}
		*v = append(*v, s)
	}
}

// time is an instant; zero, and what RFC 3339 cannot write, is null.
func (c *codec) time(name string, v *time.Time) {
	if c.out != nil {
		if !plausible(*v) {
			c.put(name, nil)
			return
		}
		c.put(name, v.UTC().Format(time.RFC3339Nano))
		return
	}
	if raw, ok := c.raw(name); ok {
		t, ok := readTime(raw)
		if !ok {
			c.skip()
			return
		}
		*v = t
	}
}
