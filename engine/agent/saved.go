package agent

import (
	"bytes"
	"fmt"

	"example.com/layover/engine/agent/pack"
	"example.com/layover/engine/agent/record"
)

// savedVersion is that of what readers save. It changes with what a visit goes through.
const savedVersion = 1

// Held is how many bytes at the end of what was fed belong to a line that has not ended.
func (r *Reader) Held() int64 { return r.split.Held() }

// Save gives what was learned up to the end of the last whole line, for [Resume]: whoever
// goes on feeds what is [Reader.Held] again. Texts in it are what Reference.Keep makes of
// them, and they are cut to a few KiB. It does not change the reader.
func (r *Reader) Save() []byte {
	if lines, _ := r.split.Whole(); r.before != nil && r.beforeLine == lines+1 {
		return bytes.Clone(r.before)
	}
	return r.save()
}

func (r *Reader) save() []byte { return pack.Write(savedVersion, r.ref.Keep, r.visit) }

// Resume goes on where a reader of the same dialect was when it was saved, as if it had read
// what that had. The error is ErrUnknownDialect for a dialect that there is not, and
// [pack.ErrBroken] for anything but what a reader of that dialect has saved.
func Resume(dialect string, ref Reference, saved []byte) (*Reader, error) {
	r, err := NewReader(dialect, ref)
	if err != nil {
		return nil, err
	}
	if err := pack.Read(saved, savedVersion, r.visit); err != nil {
		return nil, fmt.Errorf("resume %s: %w", dialect, err)
	}
	return r, nil
}

// visit goes through what is saved of a reader.
func (r *Reader) visit(c *pack.Codec) {
	name := r.name
	if pack.Word(c, &name); name != r.name {
		c.Fail()
	}
	lines, damaged := r.split.Whole()
	c.Count(&lines, maxSavedCount)
	c.Count(&damaged, maxSavedCount)
	if c.Reading() {
		r.split = record.ResumeSplitter(lines, damaged)
	}
	c.Count(&r.damaged, maxSavedCount)
	c.Count(&r.records, maxSavedCount)
	c.Flag(&r.served)
	c.Flag(&r.on)
	c.Time(&r.began)
	at := r.At()
	c.Time(&at)
	r.at = at
	r.dialect.visit(c)
}
