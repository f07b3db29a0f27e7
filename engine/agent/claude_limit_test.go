package agent

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/run"
)

// rejectedBy is an event that a window rejected a call.
func rejectedBy(window string, resets time.Time) string {
	return fmt.Sprintf(`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%d,"rateLimitType":%q}}`, resets.Unix(), window)
}

// An output that is read later than it was written has no other clock than the resets that
// it states: words without a day are of the same.
func TestStatedResetDatesTheWords(t *testing.T) {
	at := time.Unix(1790866800, 0).UTC() // Oct 1, 15:00
	for _, words := range []string{"session limit · resets 3pm (UTC)", "session limit · resets 2:59pm (UTC)", "limit · resets 3:00pm", "weekly limit · resets Thu 3pm", "weekly limit · resets Oct 1, 3pm"} {
		stream := lines(claudeInit, rejectedBy("five_hour", at), claudeFailure("429", "You've hit your "+words))
		for read, want := range map[time.Duration]time.Time{-3 * time.Hour: at, -time.Minute: at, 0: {}, time.Minute: {}, 9 * time.Hour: {}, 20 * time.Hour: {}, 6 * 24 * time.Hour: {}, 61 * 24 * time.Hour: {}} {
			v := judgeText("claude", stream, Reference{Now: at.Add(read)}, End{})
			if v.Class != run.ClassRateLimited || !v.Reset.Equal(want) || (v.How == 0) != want.IsZero() {
				t.Errorf("%s, read %v after its reset: %v (%v), want %v", words, read, v.Reset, v.How, want)
			}
		}
	}
	stream := lines(claudeInit, rejectedBy("five_hour", at), claudeFailure("429", "You've hit your weekly limit · resets Oct 5, 7am"))
	if v := judgeText("claude", stream, Reference{Now: at.Add(time.Hour)}, End{}); v.Reset.Unix() != 1791183600 || v.How != run.HowText {
		t.Errorf("words of another window: %v (%v), want Oct 5, 7:00", v.Reset, v.How)
	}
}

// A window that has ended since says nothing of the words beside one that has not.
func TestPassedResetBeforeANewOne(t *testing.T) {
	now := atNoon().Now.UTC()
	stream := lines(claudeInit, rejectedBy("five_hour", now.Add(-11*time.Hour)), rejectedBy("seven_day_opus", now.Add(50*time.Hour)), claudeFailure("429", "You've hit your session limit · resets 3pm"))
	if v := judgeText("claude", stream, atNoon(), End{}); !v.Reset.Equal(now.Add(3*time.Hour)) || v.Scope != run.ScopeFamily {
		t.Errorf("%+v, want the family's until 15:00", v)
	}
}

// The words of a session limit are of no window that binds one model.
func TestSessionLimitIsTheFamilys(t *testing.T) {
	now := atNoon().Now.UTC()
	three, monday := now.Add(3*time.Hour), time.Unix(1791183600, 0).UTC()
	for _, words := range []string{"You've hit your session limit · resets 2pm (UTC)", "5-hour limit reached ∙ resets 2pm"} {
		for _, window := range []string{"seven_day_opus", "seven_day_sonnet", "seven_day_overage_included"} {
			alone := judgeText("claude", lines(claudeInit, rejectedBy(window, monday), claudeFailure("429", words)), atNoon(), End{})
			if alone.Scope != run.ScopeFamily || !alone.Reset.Equal(now.Add(2*time.Hour)) {
				t.Errorf("%s behind %s: %+v, want the family's until 14:00", words, window, alone)
			}
			for _, events := range [][]string{{rejectedBy("five_hour", three), rejectedBy(window, monday)}, {rejectedBy(window, monday), rejectedBy("five_hour", three)}} {
				both := judgeText("claude", lines(claudeInit, events[0], events[1], claudeFailure("429", words)), atNoon(), End{})
				if both.Scope != run.ScopeFamily || !both.Reset.Equal(three) || both.How != run.HowStated {
					t.Errorf("%s behind both windows: %+v, want the family's until 15:00", words, both)
				}
			}
		}
	}
	opus := judgeText("claude", lines(claudeInit, rejectedBy("seven_day_opus", monday), claudeFailure("429", "You've hit your Opus limit")), atNoon(), End{})
	if opus.Scope != run.ScopeModel || !opus.Reset.Equal(monday) {
		t.Errorf("a limit of one model: %+v, want the model's until monday", opus)
	}
}

func TestWindowOfFiveHoursEndsSoon(t *testing.T) {
	now := atNoon().Now.UTC()
	for ahead, known := range map[time.Duration]bool{time.Hour: true, 5 * time.Hour: true, 12 * time.Hour: true, 12*time.Hour + time.Second: false, 34 * 24 * time.Hour: false} {
		for window, known := range map[string]bool{"five_hour": known, "seven_day": true} {
			v := judgeText("claude", lines(claudeInit, rejectedBy(window, now.Add(ahead)), claudeFailure("429", "")), atNoon(), End{})
			if v.Class != run.ClassRateLimited || !v.Reset.IsZero() != known {
				t.Errorf("%s, %v ahead: reset %v, want known: %v", window, ahead, v.Reset, known)
			}
		}
	}
}

// Lines that come from the future, as to the clock, are not read by their own time.
func TestTimesOfLinesAreNotFarAhead(t *testing.T) {
	three := time.Unix(1790866800, 0).UTC()
	streams := map[string]string{
		"claude":            lines(claudeInit, strings.Replace(claudeFailure("429", "You've hit your limit · resets 3pm"), `{`, `{"timestamp":"STAMP",`, 1)),
		"claude-transcript": `{"type":"assistant","isApiErrorMessage":true,"timestamp":"STAMP","message":{"model":"<synthetic>","content":[{"type":"text","text":"You've hit your limit · resets 3pm"}]}}` + "\n",
		"codex-rollout":     `{"timestamp":"STAMP","type":"event_msg","payload":{"type":"error","message":"You've hit your usage limit. Try again at 3:00 PM."}}` + "\n",
		"gemini":            `{"type":"result","timestamp":"STAMP","status":"error","error":{"type":"unknown","message":"Quota limit exceeded. It resets 3pm"}}` + "\n",
		"copilot":           `{"type":"session.error","timestamp":"STAMP","data":{"errorType":"quota","message":"It resets 3pm"}}` + "\n" + `{"type":"result","exitCode":1}` + "\n",
	}
	for dialect, stream := range streams {
		for stamp, want := range map[string]time.Time{
			"2026-10-01T12:00:05Z": three, "2026-10-02T11:00:00Z": three.AddDate(0, 0, 1), "2027-10-01T12:00:00Z": three, "2026-10-02T12:00:01Z": three, "9999-10-01T12:00:00Z": three,
		} {
			if v := judgeText(dialect, strings.Replace(stream, "STAMP", stamp, 1), atNoon(), End{}); !v.Reset.Equal(want) {
				t.Errorf("%s of %s: reset %v, want %v (%+v)", dialect, stamp, v.Reset, want, v)
			}
		}
	}
	far := strings.Replace(streams["claude"], "resets 3pm", "resets Nov 5, 11:30pm", 1) // 35 days and some hours after noon
	if v := judgeText("claude", strings.Replace(far, "STAMP", "2026-10-02T11:00:00Z", 1), atNoon(), End{}); !v.Reset.IsZero() || v.How != 0 {
		t.Errorf("a reset farther than 35 days is %v (%v), want none", v.Reset, v.How)
	}
}

func TestSharesThatCannotBe(t *testing.T) {
	for share, shown := range map[string]bool{"0": true, "0.42": true, "1.04": true, `"1.5"`: true, "2": true, "2.01": false, "42": false, "1e300": false} {
		for _, info := range []string{`"rateLimitType":"five_hour","utilization":` + share, `"unifiedWindows":{"five_hour":{"utilization":` + share + `}}`} {
			var seen run.Sight
			r, err := NewReader("claude", atNoon())
			if err != nil {
				t.Fatal(err)
			}
			r.Feed([]byte(lines(claudeInit, `{"type":"rate_limit_event","rate_limit_info":{"status":"allowed",`+info+`}}`)), func(s run.Sight) { seen = s })
			if got := seen.Gauges[0].Limit != ""; got != shown || !shown && seen.Suspect != "" {
				t.Errorf("%s: %+v, want shown: %v", info, seen, shown)
			}
		}
	}
	for percent, shown := range map[string]bool{"0": true, "42": true, "104": true, "200": true, "201": false, "250": false} {
		var seen run.Sight
		r, err := NewReader("codex-rollout", atNoon())
		if err != nil {
			t.Fatal(err)
		}
		r.Feed([]byte(`{"type":"event_msg","payload":{"type":"token_count","rate_limits":{"primary":{"used_percent":`+percent+`,"window_minutes":300}}}}`+"\n"), func(s run.Sight) { seen = s })
		if got := seen.Gauges[0].Limit != ""; got != shown || !shown && seen.Suspect != "" {
			t.Errorf("%s percent: %+v, want shown: %v", percent, seen, shown)
		}
	}
}
