package agent

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"example.com/layover/engine/run"
)

// own is what an agent itself says that it has used, found without the reader: all
// tokens, and dollars where it states them.
type own struct {
	tokens int64
	usd    float64
}

// figures are the counts of tokens that records have, by their names.
type figures map[string]any

func (f figures) sum(names ...string) int64 {
	var n float64
	for _, name := range names {
		v, _ := f[name].(float64)
		n += v
	}
	return int64(n)
}

func ownOfClaude(records []map[string]any) own {
	var o own
	results, open := int64(0), map[any]int64{}
	for _, r := range records {
		message, _ := r["message"].(map[string]any)
		switch use, _ := message["usage"].(map[string]any); r["type"] {
		case "assistant":
			open[message["id"]] = figures(use).sum("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
		case "result":
			use, _ = r["usage"].(map[string]any)
			models, _ := r["modelUsage"].(map[string]any)
			var all int64
			for _, m := range models {
				use, _ := m.(map[string]any)
				all += figures(use).sum("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
			}
			if all == 0 { // a result of a cycle that asked no model
				all = results + figures(use).sum("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
			}
			results = all
			usd, _ := r["total_cost_usd"].(float64)
			o.usd = max(o.usd, usd)
			clear(open)
		}
	}
	o.tokens = results
	for _, n := range open { // of an interrupted one: each message once
		o.tokens += n
	}
	return o
}

func ownOfCodex(records []map[string]any) own {
	var o own
	for _, r := range records {
		if use, ok := r["usage"].(map[string]any); ok {
			o.tokens = figures(use).sum("input_tokens", "output_tokens") // cached input is a part of it
		}
	}
	return o
}

func ownOfOpencode(records []map[string]any) own {
	var o own
	for _, r := range records {
		part, _ := r["part"].(map[string]any)
		use, _ := part["tokens"].(map[string]any)
		o.tokens += figures(use).sum("total")
		usd, _ := part["cost"].(float64)
		o.usd += usd
	}
	return o
}

// What is counted of a recorded stream is what the agent says, to the token and the cent.
func TestUsageIsTheAgentsOwn(t *testing.T) {
	spent := 0
	for name, find := range map[string]func([]map[string]any) own{"claude": ownOfClaude, "codex": ownOfCodex, "opencode": ownOfOpencode} {
		files, err := filepath.Glob(filepath.Join(fixtures, "*", name, "*.jsonl"))
		if err != nil || len(files) < 10 {
			t.Fatalf("%d streams of %s, %v", len(files), name, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			data = regexp.MustCompile("\x1b[^a-zA-Z]*[a-zA-Z]").ReplaceAll(data, nil)
			var records []map[string]any
			for line := range bytes.Lines(data) {
				var r map[string]any
				if json.Unmarshal(bytes.TrimPrefix(line, []byte("\ufeff")), &r) == nil {
					records = append(records, r)
				}
			}
			want := find(records)
			u := judgeText(name, string(data), atNoon(), End{}).Usage
			if u.Tokens() != want.tokens || math.Abs(u.CostUSD-want.usd) > 1e-12 {
				t.Errorf("%s: used %+v, the agent says %+v", file, u, want)
			}
			if priced := want.usd > 0; priced != (u.Unpriced == 0) && u.Tokens() > 0 {
				t.Errorf("%s: %d of %d tokens without a price, of $%v", file, u.Unpriced, u.Tokens(), u.CostUSD)
			}
			if want.tokens > 0 {
				spent++
			}
		}
	}
	if spent < 20 {
		t.Errorf("%d streams say what was used", spent)
	}
}

// As recorded: claude stopped at its own bound, and its usage lacks the last message.
const overBudget = `{"type":"result","subtype":"error_max_budget_usd","is_error":true,"num_turns":2,"total_cost_usd":0.00795,` +
	`"usage":{"input_tokens":1200,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":25},` +
	`"modelUsage":{"claude-sonnet-5":{"inputTokens":2400,"outputTokens":50,"costUSD":0.0075},"claude-haiku-5":{"inputTokens":100,"outputTokens":10,"cacheReadInputTokens":5,"cacheCreationInputTokens":7,"costUSD":0.00045}},` +
	`"errors":["Reached maximum budget ($0.005)"]}`

func TestClaudeUsageOfAllModels(t *testing.T) {
	const more = `{"type":"assistant","message":{"id":"m9","model":"claude-sonnet-5","content":[],"usage":{"input_tokens":3,"output_tokens":4}}}`
	for name, tt := range map[string]struct {
		stream string
		want   run.Usage
	}{
		"all models":     {overBudget, run.Usage{Input: 2500, Output: 60, CacheRead: 5, CacheWrite: 7, CostUSD: 0.00795}},
		"twice the same": {overBudget + "\n" + overBudget, run.Usage{Input: 2500, Output: 60, CacheRead: 5, CacheWrite: 7, CostUSD: 0.00795}},
		"a figure of a cycle": {
			overBudget + "\n" + `{"type":"result","subtype":"success","is_error":true,"usage":{"input_tokens":6,"output_tokens":2},"modelUsage":{"m":{"inputTokens":6,"outputTokens":2}}}`,
			run.Usage{Input: 2506, Output: 62, CacheRead: 5, CacheWrite: 7, CostUSD: 0.00795},
		},
		"cut off in the next": {overBudget + "\n" + more, run.Usage{Input: 2503, Output: 64, CacheRead: 5, CacheWrite: 7, CostUSD: 0.00795, Unpriced: 7}},
	} {
		v := judgeText("claude", tt.stream, atNoon(), End{})
		if v.Usage != tt.want || v.Class != run.ClassFailed {
			t.Errorf("%s: %s used %+v, want %+v", name, v.Class, v.Usage, tt.want)
		}
	}
}
