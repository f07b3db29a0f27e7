package runfile

import "encoding/json"

// MaxItems is how many items of a list are read, the last ones: an empty one takes a few
// bytes of text and hundreds of memory.
const MaxItems = 1 << 16

// list is a list of objects; what is no object in it is skipped.
func list[T any](c *codec, name string, items *[]T, visit func(*T, *codec)) {
	if c.out != nil {
		c.name(name)
		c.out.WriteByte('[')
		for i := range *items {
			if i > 0 {
				c.out.WriteByte(',')
			}
			write(c, &(*items)[i], visit)
		}
		c.out.WriteByte(']')
		return
	}
	raw, ok := c.raw(name)
	if !ok {
		return
	}
	all, omitted, ok := elements(raw)
	if !ok {
		c.skip()
		return
	}
	*c.skipped += omitted
	for _, item := range all {
		var v T
		if !read(c, item, &v, visit) {
			c.skip()
			continue
		}
		*items = append(*items, v)
	}
}

// object is one object; nil is null.
func object[T any](c *codec, name string, v **T, visit func(*T, *codec)) {
	if c.out != nil {
		c.name(name)
		if *v == nil {
			c.out.WriteString("null")
			return
		}
		write(c, *v, visit)
		return
	}
	raw, ok := c.raw(name)
	if !ok {
		return
	}
	into := *v
	if into == nil {
		into = new(T)
	}
	if !read(c, raw, into, visit) {
		c.skip()
		return
	}
	*v = into
}

func write[T any](c *codec, v *T, visit func(*T, *codec)) {
	c.out.WriteByte('{')
	visit(v, &codec{out: c.out})
	c.out.WriteByte('}')
}

// read reports whether the text is an object; its members are read if it is.
func read[T any](c *codec, raw json.RawMessage, v *T, visit func(*T, *codec)) bool {
	sub := &codec{skipped: c.skipped}
	var object bool
	if sub.members, object = members(raw); !object {
		return false
	}
	visit(v, sub)
	return true
}
