package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/layover/engine/run"
)

// A secret in the name of a model, in what an agent does and in how it fails is in no
// fact and in nothing that is observed, however it is written.
func TestNoSecretIsRecordedOrObserved(t *testing.T) {
	for _, secret := range []string{"hunter2", `hun\u200bter2`, `hun\u001b[0mter2`, `hun\u001b(Bter2`, `hunx\bter2`, `hun\u2060ter2`, `hun\ufe0fter2`, `\\u0068unter2`} {
		t.Run(secret, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				h := w.host(program(1, "claude"), func(a *actor) int {
					a.say(fmt.Sprintf(`{"type":"system","subtype":"init","session_id":"s-1","model":"claude-%s"}`, secret),
						fmt.Sprintf(`{"type":"assistant","message":{"id":"m","model":"claude-%s","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"login %[1]s"}}],"usage":{"input_tokens":1,"output_tokens":1}}}`, secret),
						fmt.Sprintf(`{"type":"assistant","message":{"id":"n","model":"claude-%s","content":[{"type":"text","text":"%s %[1]s"}],"usage":{"input_tokens":1,"output_tokens":1}}}`, secret, strings.Repeat("z", 194)),
						fmt.Sprintf(`{"type":"result","subtype":"success","is_error":true,"api_error_status":400,"num_turns":1,"result":"bad key %s","usage":{"input_tokens":0,"output_tokens":0}}`, secret))
					return 1
				})
				w.ends(h, 1)
				seen, _ := seeings[run.Activity](w)
				if len(seen) == 0 || seen[len(seen)-1].Message == "" {
					t.Error("nothing is observed")
				}
				all := fmt.Sprintf("%+v", seen) + w.tale()
				shown := strings.Map(func(r rune) rune {
					if r < ' ' || strings.ContainsRune("\u200b\u2060\ufe0f", r) {
						return -1
					}
					return r
				}, strings.NewReplacer("\x1b[0m", "", "\x1b(B", "", "x\b", "", `\u0068`, "h").Replace(all))
				if strings.Contains(shown, "hunter2") || strings.Contains(shown, "z hunt") || !strings.Contains(shown, "***") {
					t.Errorf("%s", shown)
				}
			})
		})
	}
}
