package agent

import (
	"bytes"

	"example.com/layover/engine/agent/pack"
	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

// maxDir bounds the name of a directory, in bytes.
const maxDir = 4 << 10

// place is the directory of work that a stream has named last, as it stands in a record.
type place struct{ raw []byte }

// moved takes what a record names and gives it if it is another; empty if it is not.
func (p *place) moved(dir record.Raw) run.Untrusted {
	if len(dir) <= len(`""`) || len(dir) > maxDir || dir[0] != '"' || bytes.Equal(dir, p.raw) {
		return ""
	}
	p.raw = append(p.raw[:0], dir...)
	return run.Untrusted(dir.Text())
}

func (p *place) visit(c *pack.Codec) { visitRaw(c, &p.raw) }
