package corpus

func (w *writer) codex() {
	line := func(typ string) { w.s(`{"timestamp":"`); w.ts(); w.s(`","type":"`); w.s(typ); w.s(`","payload":`) }
	line("session_meta")
	w.s(`{"id":"`)
	w.s(w.session)
	w.s(`","timestamp":"`)
	w.ts()
	w.s(`","cwd":"/home/dev/src/proj","originator":"codex_exec","cli_version":"0.118.0","source":"exec","model_provider":"openai","base_instructions":{"text":"`)
	w.text(9000)
	w.s(`"},"git":{"commit_hash":"`)
	w.hex(40)
	w.s(`","branch":"main"}}}`)
	w.put("session_meta", false)
	line("turn_context")
	w.s(`{"turn_id":"`)
	w.u()
	w.s(`","cwd":"/home/dev/src/proj","approval_policy":"never","sandbox_policy":{"type":"danger-full-access"},"model":"gpt-5.6-sol","effort":"xhigh","summary":"auto"}}`)
	w.put("turn_context", false)
	var tot [4]int64
	for w.off < w.target {
		w.step(9000)
		if w.r.Float64() < w.o.Limits*2.4 {
			line("event_msg")
			w.s(`{"type":"error","message":"You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 3 hours 12 minutes.","codex_error_info":"usage_limit_exceeded"}}`)
			w.put("codex.usage_limit", true)
			continue
		}
		line("response_item")
		w.s(`{"type":"reasoning","summary":[{"type":"summary_text","text":"`)
		w.text(w.pareto(60, 2000, 1))
		w.s(`"}],"content":null,"encrypted_content":"`)
		w.b62(w.pareto(600, 20000, 0.9))
		w.s(`"}}`)
		w.put("reasoning", false)
		cid := w.id("call_")
		line("response_item")
		w.s(`{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"`)
		w.hex(40)
		w.s(`\",\"workdir\":\"/home/dev/src/proj\",\"yield_time_ms\":1000}","call_id":"`)
		w.s(cid)
		w.s(`"}}`)
		w.put("function_call", false)
		line("response_item")
		w.s(`{"type":"function_call_output","call_id":"`)
		w.s(cid)
		w.s(`","output":"`)
		w.maybeDecoy()
		w.text(w.toolResultSize())
		w.s(`"}}`)
		w.put("function_call_output", false)
		in, out, re := int64(8000+w.r.IntN(150000)), int64(20+w.r.IntN(900)), int64(w.r.IntN(600))
		ca := in * 9 / 10
		tot[0] += in
		tot[1] += ca
		tot[2] += out
		tot[3] += re
		tk := func(a, b, c, d int64) {
			w.s(`{"input_tokens":`)
			w.i(a)
			w.s(`,"cached_input_tokens":`)
			w.i(b)
			w.s(`,"output_tokens":`)
			w.i(c)
			w.s(`,"reasoning_output_tokens":`)
			w.i(d)
			w.s(`,"total_tokens":`)
			w.i(a + c)
			w.s(`}`)
		}
		line("event_msg")
		w.s(`{"type":"token_count","info":{"total_token_usage":`)
		tk(tot[0], tot[1], tot[2], tot[3])
		w.s(`,"last_token_usage":`)
		tk(in, ca, out, re)
		w.s(`,"model_context_window":272000},"rate_limits":{"limit_id":"codex","primary":{"used_percent":`)
		w.i(int64(w.r.IntN(99)))
		w.s(`.0,"window_minutes":300,"resets_at":`)
		w.i(w.t.Unix() + 9000)
		w.s(`},"secondary":{"used_percent":`)
		w.i(int64(w.r.IntN(99)))
		w.s(`.0,"window_minutes":10080,"resets_at":`)
		w.i(w.t.Unix() + 400000)
		w.s(`},"credits":null,"plan_type":"pro"}}}`)
		w.put("token_count", false)
		if w.r.IntN(6) == 0 {
			line("event_msg")
			w.s(`{"type":"agent_message","message":"`)
			w.text(w.pareto(60, 3000, 1))
			w.s(`","phase":"commentary"}}`)
			w.put("agent_message", false)
		}
	}
	w.truth.Tokens[Rollout] += tot[0] + tot[2]
	line("event_msg")
	w.s(`{"type":"task_complete","turn_id":"`)
	w.u()
	w.s(`","last_agent_message":"done"}}`)
	w.put("task_complete", false)
}
