package corpus

import (
	"strconv"
)

func (w *writer) stream() {
	model := models[w.r.IntN(3)]
	var u usage
	w.s(`{"type":"system","subtype":"init","cwd":"/home/dev/src/proj","session_id":"`)
	w.s(w.session)
	w.s(`","tools":["Task","Bash","Glob","Grep","Read","Edit","Write","WebFetch","TodoWrite"],"mcp_servers":[],"model":"`)
	w.s(model)
	w.s(`","permissionMode":"bypassPermissions","slash_commands":["compact","context","cost","init","review"],"apiKeySource":"none","claude_code_version":"2.1.332","output_style":"default","agents":["general-purpose","Explore","Plan"],"skills":[],"plugins":[],"uuid":"`)
	w.u()
	w.s(`"}`)
	w.put("init", false)
	fin := func() { w.s(`,"session_id":"`); w.s(w.session); w.s(`","uuid":"`); w.u(); w.s(`"}`) }
	turns := int64(0)
	var cost float64
	for w.off < w.target {
		w.step(9000)
		if w.r.Float64() < 0.004 { // benign rate_limit_event: allowed / allowed_warning
			w.s(`{"type":"rate_limit_event","rate_limit_info":{"status":"`)
			if w.r.IntN(3) == 0 {
				w.s("allowed_warning")
			} else {
				w.s("allowed")
			}
			w.s(`","resetsAt":`)
			w.i(w.t.Unix() + int64(w.r.IntN(18000)))
			w.s(`,"rateLimitType":"five_hour","utilization":0.`)
			w.i(int64(10 + w.r.IntN(89)))
			w.s(`,"overageStatus":"rejected","overageDisabledReason":"org_level_disabled","isUsingOverage":false}`)
			w.s(`,"uuid":"`)
			w.u()
			w.s(`","session_id":"`)
			w.s(w.session)
			w.s(`"}`)
			w.put("rate_limit_event.allowed", false)
		}
		if w.r.Float64() < w.o.Limits*1.6 {
			typ := []string{"five_hour", "seven_day", "seven_day_opus"}[w.r.IntN(3)]
			w.s(`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":`)
			w.i(w.t.Unix() + int64(300+w.r.IntN(18000)))
			w.s(`,"rateLimitType":"`)
			w.s(typ)
			w.s(`","overageStatus":"rejected","overageDisabledReason":"out_of_credits","isUsingOverage":false},"uuid":"`)
			w.u()
			w.s(`","session_id":"`)
			w.s(w.session)
			w.s(`"}`)
			w.put("stream.rejected", true)
			continue
		}
		if w.r.Float64() < 0.0008 {
			w.s(`{"type":"system","subtype":"api_retry","attempt":`)
			w.i(int64(1 + w.r.IntN(9)))
			w.s(`,"max_retries":10,"retry_delay_ms":`)
			w.i(int64(500 + w.r.IntN(30000)))
			w.s(`,"error_status":529,"error":"overloaded","uuid":"`)
			w.u()
			w.s(`","session_id":"`)
			w.s(w.session)
			w.s(`"}`)
			w.put("api_retry", false)
		}
		mid := w.id("msg_01")
		w.nextUsage(&u)
		w.truth.Tokens[Stream] += u.in + u.out + u.cr + u.cc
		turns++
		cost += float64(u.out)*15e-6 + float64(u.cr)*0.3e-6
		tid := w.id("toolu_01")
		blocks := 1 + w.r.IntN(3)
		for b := 0; b < blocks; b++ {
			w.s(`{"type":"assistant","message":{"model":"`)
			w.s(model)
			w.s(`","id":"`)
			w.s(mid)
			w.s(`","type":"message","role":"assistant","content":[`)
			w.block(tid, b == blocks-1)
			w.s(`],"stop_reason":null,"stop_sequence":null,"usage":`)
			w.usage(u)
			w.s(`,"context_management":null},"parent_tool_use_id":null`)
			fin()
			w.put("assistant", false)
		}
		n := w.toolResultSize()
		w.s(`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"`)
		w.s(tid)
		w.s(`","type":"tool_result","content":"`)
		w.maybeDecoy()
		st := len(w.buf)
		w.text(n / 2)
		en := len(w.buf)
		w.s(`","is_error":false}]},"parent_tool_use_id":null,"session_id":"`)
		w.s(w.session)
		w.s(`","uuid":"`)
		w.u()
		w.s(`","timestamp":"`)
		w.ts()
		w.s(`","tool_use_result":{"stdout":"`)
		w.buf = append(w.buf, w.buf[st:en]...)
		w.s(`","stderr":"","interrupted":false,"isImage":false}}`)
		w.put("tool_result", false)
	}
	// terminal
	if w.r.IntN(10) < 2 {
		w.s(`{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"duration_ms":`)
		w.i(int64(900 + w.r.IntN(90000)))
		w.s(`,"duration_api_ms":`)
		w.i(int64(500 + w.r.IntN(90000)))
		w.s(`,"num_turns":`)
		w.i(turns)
		w.s(`,"result":"You've hit your limit · resets 3pm (UTC)","stop_reason":"stop_sequence","session_id":"`)
		w.s(w.session)
		w.s(`","total_cost_usd":`)
		w.buf = strconv.AppendFloat(w.buf, cost, 'f', 6, 64)
		w.s(`,"usage":`)
		w.usage(u)
		w.s(`,"modelUsage":{},"permission_denials":[],"uuid":"`)
		w.u()
		w.s(`"}`)
		w.put("result.429", true)
		return
	}
	w.s(`{"type":"result","subtype":"success","is_error":false,"duration_ms":`)
	w.i(int64(90000 + w.r.IntN(900000)))
	w.s(`,"duration_api_ms":`)
	w.i(int64(50000 + w.r.IntN(500000)))
	w.s(`,"num_turns":`)
	w.i(turns)
	w.s(`,"result":"`)
	w.text(600)
	w.s(`","stop_reason":"end_turn","session_id":"`)
	w.s(w.session)
	w.s(`","total_cost_usd":`)
	w.buf = strconv.AppendFloat(w.buf, cost, 'f', 6, 64)
	w.s(`,"usage":`)
	w.usage(u)
	w.s(`,"modelUsage":{"`)
	w.s(model)
	w.s(`":{"inputTokens":`)
	w.i(u.in)
	w.s(`,"outputTokens":`)
	w.i(u.out)
	w.s(`,"cacheReadInputTokens":`)
	w.i(u.cr)
	w.s(`,"costUSD":`)
	w.buf = strconv.AppendFloat(w.buf, cost, 'f', 6, 64)
	w.s(`}},"permission_denials":[],"uuid":"`)
	w.u()
	w.s(`"}`)
	w.put("result", false)
}
