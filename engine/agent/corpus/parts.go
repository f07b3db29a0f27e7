package corpus

var decoys = []string{
	`{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":\"rejected\",\"resetsAt\":1786400000}}`,
	`assert.Equal(t, 429, resp.StatusCode) // Too Many Requests, Retry-After: 300`,
	`You've hit your limit · resets 3pm (UTC)`,
	`if e.Status == \"rejected\" || e.APIErrorStatus == 429 { breaker.Trip(family) }`,
	`grep -rn 'rate_limit' --include=*.go . | head; overloaded_error 529`,
}

func (w *writer) maybeDecoy() {
	if w.r.Float64() < w.o.Decoys*2.2 { // tool results are ~45% of lines
		w.s(decoys[w.r.IntN(len(decoys))])
		w.s(`\n`)
		w.truth.Decoys++
	}
}

func (w *writer) toolResultSize() int { return w.pareto(180, 190000, 0.62) }

var (
	models = []string{"claude-opus-4-6", "claude-sonnet-4-6", "claude-haiku-4-5-20251001"}
	tools  = []string{"Bash", "Read", "Edit", "Grep", "Glob", "Write", "Task"}
)

func (w *writer) nextUsage(u *usage) {
	u.in = int64(1 + w.r.IntN(20))
	u.out = int64(20 + w.r.IntN(900))
	u.cc = int64(w.r.IntN(6000))
	u.cr = (u.cr + u.cc) % 180000
}

func (w *writer) toolUse(tid string) {
	tl := tools[w.r.IntN(len(tools))]
	w.s(`{"type":"tool_use","id":"`)
	w.s(tid)
	w.s(`","name":"`)
	w.s(tl)
	w.s(`","input":{`)
	switch tl {
	case "Bash":
		w.s(`"command":"`)
		w.text(60)
		w.s(`","description":"run it"`)
	case "Edit":
		w.s(`"file_path":"/home/dev/src/a.go","old_string":"`)
		w.text(w.pareto(60, 4000, 0.9))
		w.s(`","new_string":"`)
		w.text(w.pareto(60, 6000, 0.9))
		w.s(`"`)
	case "Write":
		w.s(`"file_path":"/home/dev/src/b.go","content":"`)
		w.text(w.pareto(300, 40000, 0.8))
		w.s(`"`)
	default:
		w.s(`"file_path":"/home/dev/src/`)
		w.hex(8)
		w.s(`.go"`)
	}
	w.s(`},"caller":{"type":"direct"}}`)
}

// block is a part of a message: the last one calls a tool.
func (w *writer) block(tid string, last bool) {
	switch {
	case last:
		w.toolUse(tid)
	case w.r.IntN(3) == 0:
		w.s(`{"type":"thinking","thinking":"`)
		w.text(w.pareto(80, 6000, 0.8))
		w.s(`","signature":"`)
		w.b62(300 + w.r.IntN(600))
		w.s(`"}`)
	default:
		w.s(`{"type":"text","text":"`)
		w.text(w.pareto(60, 4000, 1.0))
		w.s(`"}`)
	}
}
