//go:build unix

package proc

import (
	"bytes"
	"strconv"
)

// parsePS reads lines of number, parent, group, state and start time. A line that
// has another form is passed over. Lines do not tell the session.
func parsePS(out []byte) []entry {
	const state, start = 3, 4
	var all []entry
	for line := range bytes.Lines(out) {
		fields := bytes.Fields(line)
		if len(fields) <= start {
			continue
		}
		var n [state]int
		ok := true
		for i := range n {
			v, err := strconv.Atoi(string(fields[i]))
			n[i], ok = v, ok && err == nil
		}
		if !ok {
			continue
		}
		all = append(all, entry{
			pid: n[0], ppid: n[1], pgid: n[2],
			start:  string(bytes.Join(fields[start:], []byte(" "))),
			zombie: fields[state][0] == 'Z',
		})
	}
	return all
}
