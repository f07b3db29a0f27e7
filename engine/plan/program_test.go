package plan_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	files "example.com/layover/engine/program"
	"example.com/layover/engine/run"
)

// What a program file says of a task is what its lanes do.
func TestAProgramFileIsObeyed(t *testing.T) {
	hour, minute := limited(start.Add(time.Hour)), limited(start.Add(time.Minute))
	type counts struct {
		Codex, Opus, Claude, Waits, Parks, Swaps, Back int
		Exit                                           int
		Took                                           time.Duration
	}
	for name, tt := range map[string]struct {
		task  string
		order string
		first play // of claude
		want  counts
	}{
		"nothing":             {"", `["claude", "codex"]`, hour, counts{Claude: 1, Codex: 1, Swaps: 1, Took: 2*time.Second + 10*time.Minute}},
		"pinned":              {"pinned = true", `["claude", "codex"]`, hour, counts{Claude: 2, Parks: 1, Took: time.Hour + 10*time.Minute}},
		"pinned, with faults": {"pinned = true", `["claude", "codex"]`, fails(run.ClassTransport), counts{Claude: 2, Waits: 1, Took: 10 * time.Minute}},
		"park":                {`wait = "park"`, `["claude"]`, hour, counts{Claude: 2, Parks: 1, Took: time.Hour + 10*time.Minute}},
		"inline, short":       {`wait = "inline"`, `["claude"]`, minute, counts{Claude: 2, Waits: 1, Took: 11 * time.Minute}},
		"inline, long":        {`wait = "inline"`, `["claude"]`, hour, counts{Claude: 2, Back: 1, Took: time.Hour + 10*time.Minute}},
		"inline, a fault":     {`wait = "inline"`, `["claude"]`, fails(run.ClassTransport), counts{Claude: 2, Waits: 1, Took: 10 * time.Minute}},
		"never, short":        {`wait = "never"`, `["claude"]`, minute, counts{Claude: 2, Back: 1, Took: 11 * time.Minute}},
		"never, a fault":      {`wait = "never"`, `["claude"]`, fails(run.ClassTransport), counts{Claude: 2, Back: 1, Took: 10 * time.Minute}},
		"never, but a swap":   {`wait = "never"`, `["claude", "codex"]`, minute, counts{Claude: 1, Codex: 1, Swaps: 1, Took: 2*time.Second + 10*time.Minute}},
		"its own order":       {`order = ["codex", "claude:opus"]`, `["claude"]`, hour, counts{Codex: 1, Took: 10 * time.Minute}},
		"its own model":       {`order = ["claude:opus"]`, `["claude", "codex"]`, hour, counts{Opus: 1, Took: 10 * time.Minute}},
		"its own budget":      {`max_tokens = 5`, `["claude", "codex"]`, costs(fails(run.ClassTransport), 0, 5), counts{Claude: 1, Exit: 1, Took: 2 * time.Second}},
		"its own time":        {`deadline = "1m"`, `["claude"]`, works(time.Hour), counts{Claude: 1, Exit: 1, Took: time.Minute}},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := files.Parse("plan.toml", []byte("order = "+tt.order+"\n[[task]]\nprompt = \"do it\"\n"+tt.task+"\n"), files.Options{
				Presets: []files.Preset{{Name: "claude"}, {Name: "codex"}},
			})
			if err != nil {
				t.Fatal(err)
			}
			claude := run.Target{Agent: "claude"}
			d := begin(t, l.Program, func(d *drive, sp run.Spawn) play {
				if sp.Target == claude && d.spawn[claude] == 1 {
					return tt.first
				}
				return works(10 * time.Minute)
			}).run()
			got := counts{
				Codex: d.spawn[run.Target{Agent: "codex"}], Opus: d.spawn[run.Target{Agent: "claude", Model: "opus"}], Claude: d.spawn[claude],
				Waits: d.count("retry_scheduled"), Parks: d.count("turn_parked"), Swaps: d.count("provider_fallback"), Back: d.count("task_requeued"),
				Exit: d.exit, Took: d.now.Sub(start).Round(10 * time.Second),
			}
			tt.want.Took = tt.want.Took.Round(10 * time.Second)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s\n%s", diff, d.story())
			}
		})
	}
}
