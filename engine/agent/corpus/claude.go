package corpus

func (w *writer) claude() {
	model := models[w.r.IntN(3)]
	parent := ""
	common := func() {
		w.s(`{"parentUuid":`)
		if parent == "" {
			w.s("null")
		} else {
			w.s(`"`)
			w.s(parent)
			w.s(`"`)
		}
		w.s(`,"isSidechain":false,"userType":"external","cwd":"/home/dev/src/proj","sessionId":"`)
		w.s(w.session)
		w.s(`","version":"2.1.332","gitBranch":"main","slug":"quiet-otter",`)
	}
	fin := func() {
		parent = w.uuid()
		w.s(`,"uuid":"`)
		w.s(parent)
		w.s(`","timestamp":"`)
		w.ts()
		w.s(`"}`)
	}
	var u usage
	w.s(`{"type":"file-history-snapshot","messageId":"`)
	w.u()
	w.s(`","snapshot":{"messageId":"`)
	w.u()
	w.s(`","trackedFileBackups":{},"timestamp":"`)
	w.ts()
	w.s(`"},"isSnapshotUpdate":false}`)
	w.put("snapshot", false)
	common()
	w.s(`"type":"user","message":{"role":"user","content":"`)
	w.text(400)
	w.s(`"}`)
	fin()
	w.put("user", false)
	for w.off < w.target {
		w.step(9000)
		if w.r.Float64() < w.o.Limits*1.6 {
			if w.r.IntN(2) == 0 {
				common()
				w.s(`"type":"assistant","message":{"id":"`)
				w.u()
				w.s(`","container":null,"model":"<synthetic>","role":"assistant","stop_reason":"stop_sequence","stop_sequence":"","type":"message","usage":{"input_tokens":0,"output_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":null},"content":[{"type":"text","text":"You've hit your limit · resets 3pm (UTC)"}]},"error":"rate_limit","isApiErrorMessage":true`)
				fin()
				w.put("claude.rate_limit", true)
			} else {
				common()
				w.s(`"type":"system","subtype":"api_error","level":"error","error":{"status":429,"headers":{"retry-after":"`)
				w.i(int64(5 + w.r.IntN(900)))
				w.s(`","content-type":"application/json"},"requestID":"req_`)
				w.b62(20)
				w.s(`","error":{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your account's rate limit. Please try again later."}}},"retryInMs":`)
				w.i(int64(500 + w.r.IntN(30000)))
				w.s(`,"retryAttempt":`)
				w.i(int64(1 + w.r.IntN(10)))
				w.s(`,"maxRetries":10`)
				fin()
				w.put("claude.api_error_429", true)
			}
			continue
		}
		mid := w.id("msg_01")
		w.nextUsage(&u)
		w.truth.Tokens[Transcript] += u.in + u.out + u.cr + u.cc
		blocks := 1 + w.r.IntN(3)
		tid := w.id("toolu_01")
		rid := w.id("req_011")
		for b := 0; b < blocks; b++ {
			common()
			w.s(`"message":{"model":"`)
			w.s(model)
			w.s(`","id":"`)
			w.s(mid)
			w.s(`","type":"message","role":"assistant","content":[`)
			last := b == blocks-1
			w.block(tid, last)
			w.s(`],"stop_reason":`)
			if last {
				w.s(`"tool_use"`)
			} else {
				w.s(`null`)
			}
			w.s(`,"stop_sequence":null,"usage":`)
			w.usage(u)
			w.s(`},"requestId":"`)
			w.s(rid)
			w.s(`","type":"assistant"`)
			fin()
			w.put("assistant", false)
			w.step(1500)
		}
		n := w.toolResultSize()
		common()
		w.s(`"type":"user","message":{"role":"user","content":[{"tool_use_id":"`)
		w.s(tid)
		w.s(`","type":"tool_result","content":"`)
		w.maybeDecoy()
		st := len(w.buf)
		w.text(n / 2)
		en := len(w.buf)
		w.s(`","is_error":false}]},"toolUseResult":{"stdout":"`)
		w.buf = append(w.buf, w.buf[st:en]...)
		w.s(`","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false},"sourceToolAssistantUUID":"`)
		w.u()
		w.s(`"`)
		fin()
		w.put("tool_result", false)
		if w.r.IntN(12) == 0 {
			w.s(`{"type":"queue-operation","operation":"enqueue","timestamp":"`)
			w.ts()
			w.s(`","sessionId":"`)
			w.s(w.session)
			w.s(`"}`)
			w.put("queue", false)
		}
	}
}
