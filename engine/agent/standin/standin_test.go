package standin_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent/standin"
)

const (
	claudePath = "/v1/messages?beta=true"
	codexPath  = "/responses"
	claudeAsk  = `{"model":"m-1","tools":[{}],"messages":[{"role":"user","content":"hi"}]}`
	claudeTold = `{"model":"m-1","tools":[{}],"messages":[{"role":"user","content":[{"type":"tool_result"}]}]}`
	geminiPath = "/v1beta/models/m-1:streamGenerateContent?alt=sse"
	geminiAsk  = `{"tools":[{}],"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`
	geminiTold = `{"tools":[{}],"contents":[{"role":"user","parts":[{"functionResponse":{}}]}]}`
	codexAsk   = `{"input":[{"type":"message"}]}`
	codexTold  = `{"input":[{"type":"function_call_output"}]}`
)

func start(t *testing.T, s standin.Scenario, now func() time.Time) *standin.Server {
	t.Helper()
	srv, err := standin.Start(s, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
	return srv
}

func post(t *testing.T, url, body string) *http.Response {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func TestAnswers(t *testing.T) {
	const whole, half = "data: {", "\"type\":\"message_start\""
	cases := map[string]struct {
		answer     standin.Answer
		path, body string
		status     int
		want, not  string
		cut        bool
	}{
		"claude ok":           {standin.OK, claudePath, claudeAsk, 200, `"text":"All done."`, "tool_use", false},
		"claude model":        {standin.OK, claudePath, claudeAsk, 200, `"model":"m-1"`, "m-2", false},
		"claude whole":        {standin.OK, claudePath, claudeAsk, 200, "event: message_stop\ndata: {", "error", false},
		"claude tool":         {standin.Tool, claudePath, claudeAsk, 200, `"name":"Bash"`, "All done.", false},
		"claude after tool":   {standin.Tool, claudePath, claudeTold, 200, "All done.", "Bash", false},
		"claude without tool": {standin.Tool, claudePath, `{"messages":[]}`, 200, "All done.", "Bash", false},
		"claude limit":        {standin.UsageLimit, claudePath, claudeAsk, 429, "rate_limit_error", whole, false},
		"claude throttle":     {standin.Throttle, claudePath, claudeAsk, 429, "Too many requests", whole, false},
		"claude overloaded":   {standin.Overloaded, claudePath, claudeAsk, 529, "overloaded_error", whole, false},
		"claude unauthorized": {standin.Unauthorized, claudePath, claudeAsk, 401, "authentication_error", whole, false},
		"claude too long":     {standin.TooLong, claudePath, claudeAsk, 400, "prompt is too long", whole, false},
		"claude no credit":    {standin.NoCredit, claudePath, claudeAsk, 400, "credit balance is too low", whole, false},
		"claude cut":          {standin.Cut, claudePath, claudeAsk, 200, half, "message_stop", true},
		"claude short":        {standin.Short, claudePath, claudeAsk, 200, half, "message_stop", false},
		"claude no json":      {standin.OK, claudePath, `{`, 400, "invalid_request_error", whole, false},
		"opencode tool":       {standin.Tool, claudePath, `{"tools":[{"name":"edit"},{"name":"bash"}]}`, 200, `"name":"bash"`, "All done.", false},
		"gemini ok":           {standin.OK, geminiPath, geminiAsk, 200, `"text":"All done."`, "event:", false},
		"gemini at once":      {standin.OK, "/v1beta/models/m-1:generateContent", geminiAsk, 200, `{"candidates":[`, whole, false},
		"gemini tool":         {standin.Tool, geminiPath, geminiAsk, 200, `"name":"run_shell_command"`, "All done.", false},
		"gemini after tool":   {standin.Tool, geminiPath, geminiTold, 200, "All done.", "run_shell_command", false},
		"gemini limit":        {standin.UsageLimit, geminiPath, geminiAsk, 429, "PerDayPerProjectPerModel", whole, false},
		"gemini throttle":     {standin.Throttle, geminiPath, geminiAsk, 429, "RESOURCE_EXHAUSTED", "PerDay", false},
		"gemini overloaded":   {standin.Overloaded, geminiPath, geminiAsk, 503, "UNAVAILABLE", whole, false},
		"gemini unauthorized": {standin.Unauthorized, geminiPath, geminiAsk, 400, "API_KEY_INVALID", whole, false},
		"gemini too long":     {standin.TooLong, geminiPath, geminiAsk, 400, "exceeds the maximum number of tokens", whole, false},
		"gemini no credit":    {standin.NoCredit, geminiPath, geminiAsk, 403, "BILLING_DISABLED", whole, false},
		"gemini cut":          {standin.Cut, geminiPath, geminiAsk, 200, "Well.", "STOP", true},
		"gemini no json":      {standin.OK, geminiPath, `{`, 400, "INVALID_ARGUMENT", whole, false},
		"codex ok":            {standin.OK, codexPath, codexAsk, 200, `"text":"All done."`, "exec_command", false},
		"codex whole":         {standin.OK, "/v1/responses", codexAsk, 200, "event: response.completed\ndata: {", "error", false},
		"codex tool":          {standin.Tool, codexPath, codexAsk, 200, `"name":"exec_command"`, "All done.", false},
		"codex after tool":    {standin.Tool, codexPath, codexTold, 200, "All done.", "exec_command", false},
		"codex limit":         {standin.UsageLimit, codexPath, codexAsk, 429, `"type":"usage_limit_reached"`, whole, false},
		"codex throttle":      {standin.Throttle, codexPath, codexAsk, 429, "rate_limit_exceeded", whole, false},
		"codex overloaded":    {standin.Overloaded, codexPath, codexAsk, 503, "server_is_overloaded", whole, false},
		"codex unauthorized":  {standin.Unauthorized, codexPath, codexAsk, 401, "invalid_api_key", whole, false},
		"codex too long":      {standin.TooLong, codexPath, codexAsk, 200, "context_length_exceeded", "completed", false},
		"codex no credit":     {standin.NoCredit, codexPath, codexAsk, 429, "insufficient_quota", whole, false},
		"codex cut":           {standin.Cut, codexPath, codexAsk, 200, "response.created", "response.completed", true},
		"codex no json":       {standin.OK, codexPath, `{`, 400, "invalid_request_error", whole, false},
		"tokens":              {standin.UsageLimit, "/v1/messages/count_tokens", claudeAsk, 200, `"input_tokens":100`, whole, false},
		"elsewhere":           {standin.OK, "/v1/other", claudeAsk, 404, "not_found_error", whole, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			srv := start(t, standin.Scenario{"a": {{Answer: c.answer}}}, time.Now)
			resp := post(t, srv.URL("a")+c.path, c.body)
			got, err := io.ReadAll(resp.Body)
			if resp.StatusCode != c.status || (err != nil) != c.cut {
				t.Errorf("status %d, error %v; want %d, cut %v", resp.StatusCode, err, c.status, c.cut)
			}
			if !strings.Contains(string(got), c.want) || strings.Contains(string(got), c.not) {
				t.Errorf("want %q and not %q in\n%s", c.want, c.not, got)
			}
		})
	}
}

func TestLimitStatesTheEndOfItsStage(t *testing.T) {
	begin := time.Unix(1_800_000_000, 500)
	now := begin
	srv := start(t, standin.Scenario{
		"soon":  {{Answer: standin.UsageLimit, For: 20 * time.Second}, {Answer: standin.OK}},
		"never": {{Answer: standin.UsageLimit}},
		"plan":  {{Answer: standin.UsageLimit, For: 2 * time.Hour}},
	}, func() time.Time { return now })
	reset := func(account, path, body string) (int, string, any) {
		resp := post(t, srv.URL(account)+path, body)
		var fault struct {
			Error map[string]any `json:"error"`
		}
		_ = json.NewDecoder(resp.Body).Decode(&fault) // a stream is no fault
		return resp.StatusCode, resp.Header.Get("Anthropic-Ratelimit-Unified-Reset") + resp.Header.Get("Retry-After") + resp.Header.Get("X-Codex-Primary-Reset-At"), fault.Error["resets_at"]
	}
	check := func(account, path, body string, status int, header string, field any) {
		t.Helper()
		gotStatus, gotHeader, gotField := reset(account, path, body)
		if diff := cmp.Diff([]any{status, header, field}, []any{gotStatus, gotHeader, gotField}); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", account, path, diff)
		}
	}
	check("soon", claudePath, claudeAsk, 429, "180000002121", nil)
	now = begin.Add(19 * time.Second)
	check("soon", codexPath, codexAsk, 429, "1800000021", float64(1_800_000_021))
	now = begin.Add(20 * time.Second)
	check("soon", claudePath, claudeAsk, 200, "", nil)
	check("never", claudePath, claudeAsk, 429, "", nil)
	check("never", codexPath, codexAsk, 429, "", nil)
	if got, _ := io.ReadAll(post(t, srv.URL("plan")+geminiPath, geminiAsk).Body); !strings.Contains(string(got), "Your quota will reset after 2h0m1s.") || !strings.Contains(string(got), `"retryDelay":"7201s"`) {
		t.Errorf("no reset of a plan in\n%s", got)
	}

	if got := []int{len(srv.Requests("soon")), srv.Refused("soon"), srv.Refused("never")}; !cmp.Equal(got, []int{3, 2, 2}) {
		t.Errorf("requests of soon, refused of soon and of never: %v", got)
	}
	last := srv.Requests("soon")[2]
	want := standin.Request{Account: "soon", Path: "v1/messages", At: now, Answer: standin.OK, Body: []byte(claudeAsk), Conversation: len(`[{"role":"user","content":"hi"}]`)}
	if diff := cmp.Diff(want, last); diff != "" {
		t.Errorf("last request (-want +got):\n%s", diff)
	}
}

func TestStagesFollowEachOther(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	srv := start(t, standin.Scenario{"a": {
		{Answer: standin.UsageLimit, Times: 1},
		{Answer: standin.Overloaded, For: time.Minute},
		{Answer: standin.NoCredit, For: time.Hour},
	}}, func() time.Time { return now })
	begin := now
	for _, after := range []time.Duration{0, 1, time.Minute, time.Minute + 1, 24 * time.Hour} {
		now = begin.Add(after)
		post(t, srv.URL("a")+claudePath, claudeAsk)
	}
	var got []string
	for _, r := range srv.Requests("a") {
		got = append(got, r.Answer.String())
	}
	if diff := cmp.Diff([]string{"usage_limit", "overloaded", "overloaded", "no_credit", "no_credit"}, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if n := srv.Refused("a"); n != len(got) {
		t.Errorf("%d refused, want %d", n, len(got))
	}
}

// A model that works runs what the conversation does not show, whoever has run it.
func TestWorkGoesOnFromWhatTheConversationHolds(t *testing.T) {
	stage := standin.Stage{Answer: standin.Work, Commands: []string{"make one", "make two"}, Most: 80, Enough: []string{"sum it up"}}
	for name, c := range map[string]struct{ path, body, want, not string }{
		"claude begins":   {claudePath, claudeAsk, `make one`, "All done."},
		"claude goes on":  {claudePath, `{"tools":[{}],"messages":["it ran make one"]}`, `make two`, "All done."},
		"claude is done":  {claudePath, `{"tools":[{}],"messages":["make two, make one"]}`, "All done.", "tool_use"},
		"claude, enough":  {claudePath, `{"tools":[{}],"messages":["sum it up"]}`, "All done.", "tool_use"},
		"claude, no tool": {claudePath, `{"messages":[]}`, "All done.", "tool_use"},
		"claude too long": {claudePath, `{"tools":[{}],"messages":["` + strings.Repeat("x", 80) + `"]}`, "prompt is too long", "done"},
		"codex begins":    {codexPath, codexAsk, `make one`, "All done."},
		"codex is done":   {codexPath, `{"input":["make one","make two"]}`, "All done.", "exec_command"},
		"codex too long":  {codexPath, `{"input":["` + strings.Repeat("x", 80) + `"]}`, "context_length_exceeded", "done"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := start(t, standin.Scenario{"a": {stage}}, time.Now)
			got, err := io.ReadAll(post(t, srv.URL("a")+c.path, c.body).Body)
			if err != nil || !strings.Contains(string(got), c.want) || strings.Contains(string(got), c.not) {
				t.Errorf("%v; want %q and not %q in\n%s", err, c.want, c.not, got)
			}
		})
	}
}

func TestProbesAreAnsweredAndNotRecorded(t *testing.T) {
	srv := start(t, standin.Scenario{"a": {{Answer: standin.UsageLimit}}}, time.Now)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		req, err := http.NewRequestWithContext(t.Context(), method, srv.URL("a")+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", method, resp.StatusCode)
		}
	}
	if got := srv.Requests("a"); len(got) != 0 {
		t.Errorf("recorded %v", got)
	}
}

// What agents ask beside the work neither starts an account's time nor uses a stage up.
func TestAsidesAreAnsweredWhateverTheAccountIsAt(t *testing.T) {
	srv := start(t, standin.Scenario{"a": {{Answer: standin.UsageLimit}}}, time.Now)
	for path, body := range map[string]string{
		claudePath:                           `{"model":"m-1","messages":[{"role":"user","content":"a title, please"}]}`,
		geminiPath:                           `{"tools":[{}],"contents":[],"generationConfig":{"responseMimeType":"application/json"}}`,
		"/v1beta/models/m-1:generateContent": `{"contents":[]}`,
	} {
		if resp := post(t, srv.URL("a")+path, body); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", path, resp.StatusCode)
		}
	}
	if got := srv.Requests("a"); len(got) != 0 {
		t.Errorf("recorded %v", got)
	}
}

func TestHangSaysSomethingAndEndsWithTheServer(t *testing.T) {
	srv, err := standin.Start(standin.Scenario{"a": {{Answer: standin.Hang}}}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	resp := post(t, srv.URL("a")+claudePath, claudeAsk)
	if line, err := bufio.NewReader(resp.Body).ReadString('\n'); line != "event: message_start\n" {
		t.Errorf("first line %q, %v", line, err)
	}
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("the stream ended well: %q", rest)
	}
}
