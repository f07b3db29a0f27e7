package foreign

import (
	"fmt"

	"example.com/layover/engine/runfile"
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

// shown lists the agents that are shown, by their places in the file.
func shown(agents []runfile.Agent) []int {
	var at []int
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
			continue
		}
		at = append(at, i)
	}
	return at
}
