package scripted

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func brownoutTo(to, kind string) string {
	return fmt.Sprintf("inner_retries = 3\ninner_wait = \"4s\"\n[[provider.brownout]]\nto = %q\nkind = %q\n", to, kind)
}

// The real programs retry a bare 429 and a 529 inside themselves, and give up
// after so many notices; the other ends come at once.
func TestEndsInTheProvidersWords(t *testing.T) {
	const spent = "[[provider.window]]\nname = \"five_hour\"\ncalls = [4]\nlength = \"2h\"\n"
	tests := map[string]struct {
		family, world string
		notices, code int
		tail          []string
		text          string
	}{
		"claude spent": {
			"claude", spent, 0, 1,
			[]string{"user/tool_result", "rate_limit_event", "assistant/text", "result/success"},
			"You've hit your session limit · resets 4:52pm (UTC)",
		},
		"claude bare":    {"claude", brownoutTo("1h", "429"), 3, 1, []string{"assistant/text", "result/success"}, "API Error: Request rejected (429)"},
		"claude rides":   {"claude", brownoutTo("9s", "429"), 3, 0, []string{"assistant/text", "result/success"}, "Done with tests"},
		"claude soon":    {"claude", brownoutTo("4s", "529"), 1, 0, []string{"assistant/text", "result/success"}, "Done with tests"},
		"claude no room": {"claude", brownoutTo("1h", "529"), 3, 1, []string{"assistant/text", "result/success"}, "API Error: 529 Overloaded"},
		"claude cut":     {"claude", brownoutTo("1h", "cut"), 0, 1, []string{"system/init", "assistant/text", "result/success"}, "API Error: Connection closed"},
		"codex spent":    {"codex", spent, 0, 1, []string{"error", "turn.failed"}, "You’ve hit your usage limit."},
		"codex bare":     {"codex", brownoutTo("1h", "429"), 3, 1, []string{"error", "error", "turn.failed"}, "exceeded retry limit, last status: 429"},
		"codex rides":    {"codex", brownoutTo("9s", "429"), 3, 0, []string{"item.completed/agent_message", "turn.completed"}, ""},
		"codex no room":  {"codex", brownoutTo("1h", "529"), 3, 1, []string{"error", "turn.failed"}, "We’re currently experiencing high demand"},
		"codex cut":      {"codex", brownoutTo("1h", "cut"), 3, 1, []string{"error", "turn.failed"}, "stream disconnected before completion"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := created(t, small(t, tt.world, tt.world), still())
			args := map[string][]string{"claude": claudeArgs(), "codex": codexArgs("-")}[tt.family]
			p := playAgent(t, dir, tt.family, "unit tests", args...)
			notices := 0
			for _, r := range p.records {
				if r.text("subtype") == "api_retry" || strings.HasPrefix(r.text("message"), "Reconnecting... ") {
					notices++
				}
			}
			if p.code != tt.code || notices != tt.notices {
				t.Errorf("exit %d after %d notices", p.code, notices)
			}
			kinds := p.kinds()
			if d := cmp.Diff(tt.tail, kinds[len(kinds)-len(tt.tail):]); d != "" {
				t.Error(d)
			}
			if text := p.last().text("result") + p.last().text("error", "message"); !strings.HasPrefix(text, tt.text) {
				t.Errorf("it says %q", text)
			}
		})
	}
}

// The call that fills a window is allowed, so the gauge must not read full then:
// a full gauge means that the next call is refused.
func TestGaugeIsNeverFull(t *testing.T) {
	dir := created(t, small(t, "[[provider.window]]\nname = \"five_hour\"\ncalls = [1]\nlength = \"2h\"\n", ""), still())
	got := map[string]float64{}
	for _, r := range playAgent(t, dir, "claude", "unit tests", claudeArgs()...).records {
		if used, ok := r.at("rate_limit_info", "utilization").(float64); ok {
			got[r.text("rate_limit_info", "status")] = used
		}
	}
	if d := cmp.Diff(map[string]float64{"allowed_warning": 0.99, "rejected": 1}, got); d != "" {
		t.Error(d)
	}
}
