//go:build unix

package proc

import (
	"os"
	"time"
)

// growth watches the sizes of an agent's output files without reading them.
type growth struct {
	files  []*os.File
	before int64 // what was in them at the start
	size   int64
	since  time.Time // when the size changed last
}

// newGrowth takes over open files. Files that have no size are left out.
func newGrowth(files []*os.File, now time.Time) *growth {
	g := &growth{since: now}
	var seen []os.FileInfo
	for _, f := range files {
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() || (len(seen) > 0 && os.SameFile(seen[0], info)) {
			_ = f.Close()
			continue
		}
		seen, g.files = append(seen, info), append(g.files, f)
	}
	g.before = g.sum()
	g.size = g.before
	return g
}

func (g *growth) sum() int64 {
	var n int64
	for _, f := range g.files {
		if info, err := f.Stat(); err == nil {
			n += info.Size()
		}
	}
	return n
}

// look gives how much was added since the start, and for how long nothing was.
// Where there is nothing to watch both are zero.
func (g *growth) look(now time.Time) (added int64, silent time.Duration) {
	if len(g.files) == 0 {
		return 0, 0
	}
	if n := g.sum(); n != g.size {
		g.size, g.since = n, now
	}
	return g.size - g.before, now.Sub(g.since)
}
