package foreign

import (
	"fmt"

	"example.com/layover/engine/run"
	"example.com/layover/engine/runfile"
	"example.com/layover/watcher/stream"
)

// Most is how many agents of a run are shown: those at work, and the latest others.
const Most = 1000

// keysOf names each agent of a file so that no two are alike.
func keysOf(agents []runfile.Agent) []string {
	keys := make([]string, len(agents))
	last := make(map[string]int, len(agents))
	for i := range agents {
		id := cut(agents[i].ID, longestText)
		if id == "" {
			id = fmt.Sprintf("agent %d", i+1)
		}
		key := id
		for n := last[id]; last[key] > 0; key = fmt.Sprintf("%s %d", id, n) {
			n++
			last[id] = n
		}
		last[key]++
		keys[i] = key
	}
	return keys
}

// hidden is an agent that is not shown.
type hidden struct {
	key, family string
	state       run.LaneState
	usage       run.Usage
}

func hiddenOf(key string, a *runfile.Agent, logs map[string]stream.Account, k keeper) hidden {
	h := hidden{key: key, state: run.LaneFailed}
	acc, read := logOf(logs, a)
	h.family = agentFamily(a, acc)
	if read {
		h.usage = sane(acc.Activity.Usage)
	}
	how := k.outcome(a, acc)
	switch {
	case how == outWorking:
		h.state = run.LaneWorking
	case read: // its log may say otherwise than its keeper
		l := lane{}
		l.settle(how, a, acc, k)
		h.state = l.state
	case how == outDone:
		h.state = run.LaneDone
	}
	return h
}

// unshown says how many agents are not shown; empty if all are.
func (p *picture) unshown() string {
	n := len(p.hidden)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of its %d agents are not shown", n, n+len(p.lanes))
}

// shown lists the agents that are shown, and those that are left out, by their places in
// the file.
func shown(agents []runfile.Agent) (at, left []int) {
	ended := 0
	for i := range agents {
		if outcomeOf(&agents[i]) != outWorking {
			ended++
		}
	}
	working := len(agents) - ended
	skipEnded, skipWorking := max(0, min(ended, len(agents)-Most)), max(0, working-Most)
	for i := range agents {
		skip := &skipWorking
		if outcomeOf(&agents[i]) != outWorking {
			skip = &skipEnded
		}
		if *skip > 0 {
			*skip--
			left = append(left, i)
			continue
		}
		at = append(at, i)
	}
	return at, left
}
