package ledger

import (
	"maps"
	"slices"
	"strings"

	"example.com/layover/engine/run"
)

// PermitsVar is the variable by which a nested Layover learns of the permits that
// the agent around it holds.
const PermitsVar = "LAYOVER_PERMITS"

// maxInherited bounds how many permits are inherited.
const maxInherited = 64

// Environ gives the variable that lets a Layover inside an agent through the
// windows of these keys, as long as this process holds their permits; those of
// its own parent are passed on. It is nil if there are none; the agent then keeps
// what its environment holds.
func (l *Ledger) Environ(keys []run.WindowKey) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []string
	own := map[string]bool{}
	for _, k := range keys {
		if p := l.held[k]; p != nil && !own[p.stem] {
			own[p.stem] = true
			list = append(list, p.stem+":"+p.holder)
		}
	}
	if len(list) == 0 {
		return nil
	}
	for _, stem := range slices.Sorted(maps.Keys(l.inherited)) {
		if !own[stem] {
			list = append(list, stem+":"+l.inherited[stem])
		}
	}
	return []string{PermitsVar + "=" + strings.Join(list, ",")}
}

// Inherit takes over the permits that the environment, in the form of os.Environ,
// tells of. One counts as had while the process that gave it holds it. All that
// one process gave share one permit: it does not keep them apart.
func (l *Ledger) Inherit(environ []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.inherited)
	for _, v := range environ {
		list, ok := strings.CutPrefix(v, PermitsVar+"=")
		if !ok {
			continue
		}
		clear(l.inherited) // the last of a name counts
		for x := range strings.SplitSeq(list, ",") {
			stem, id, _ := strings.Cut(x, ":")
			if len(l.inherited) < maxInherited && stem != "" && len(stem) <= maxStem && plain(id) {
				l.inherited[stem] = id
			}
		}
	}
}
