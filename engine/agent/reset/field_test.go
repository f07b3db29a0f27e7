package reset

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/layover/engine/agent/record"
)

// pointForms write an instant as the value of a field, to a step.
var pointForms = map[string]struct {
	step  time.Duration
	write func(time.Time) string
}{
	"seconds":              {time.Second, func(t time.Time) string { return fmt.Sprint(t.Unix()) }},
	"milliseconds":         {time.Millisecond, func(t time.Time) string { return fmt.Sprint(t.UnixMilli()) }},
	"float":                {time.Millisecond, func(t time.Time) string { return fmt.Sprintf("%d.%03d", t.Unix(), t.Nanosecond()/1e6) }},
	"exponent":             {time.Second, func(t time.Time) string { return fmt.Sprintf("%.9e", float64(t.Unix())) }},
	"string":               {time.Second, func(t time.Time) string { return fmt.Sprintf("%q", strconv.FormatInt(t.Unix(), 10)) }},
	"milliseconds, string": {time.Millisecond, func(t time.Time) string { return fmt.Sprintf("%q", strconv.FormatInt(t.UnixMilli(), 10)) }},
	"rfc 3339":             {time.Nanosecond, func(t time.Time) string { return t.Format(`"` + time.RFC3339Nano + `"`) }},
	"rfc 3339 in UTC":      {time.Nanosecond, func(t time.Time) string { return t.UTC().Format(`"` + time.RFC3339Nano + `"`) }},
	"iso with a space":     {time.Second, func(t time.Time) string { return t.Format(`"2006-01-02 15:04:05Z07:00"`) }},
	"iso without colon":    {time.Second, func(t time.Time) string { return t.Format(`"2006-01-02T15:04:05-0700"`) }},
	"iso of a minute":      {time.Minute, func(t time.Time) string { return t.UTC().Format(`"2006-01-02T15:04Z"`) }},
	"imf-fixdate":          {time.Second, func(t time.Time) string { return t.UTC().Format(`"Mon, 02 Jan 2006 15:04:05 GMT"`) }},
	"rfc 850":              {time.Second, func(t time.Time) string { return t.UTC().Format(`"Monday, 02-Jan-06 15:04:05 GMT"`) }},
	"asctime":              {time.Second, func(t time.Time) string { return t.UTC().Format(`"` + time.ANSIC + `"`) }},
}

// waitForms write a wait as the value of a field, to a step; those that are numbers
// count units.
var waitForms = map[string]struct {
	step  time.Duration
	unit  time.Duration
	write func(time.Duration) string
}{
	"seconds":              {time.Second, time.Second, func(d time.Duration) string { return fmt.Sprint(int64(d / time.Second)) }},
	"float":                {time.Millisecond, time.Second, func(d time.Duration) string { return fmt.Sprintf("%d.%03d", d/time.Second, d%time.Second/1e6) }},
	"string":               {time.Second, time.Second, func(d time.Duration) string { return fmt.Sprintf(`"%d"`, d/time.Second) }},
	"milliseconds":         {time.Millisecond, time.Millisecond, func(d time.Duration) string { return fmt.Sprintf(`"%d"`, d/time.Millisecond) }},
	"go duration":          {time.Nanosecond, time.Second, func(d time.Duration) string { return strconv.Quote(d.String()) }},
	"protobuf duration":    {time.Nanosecond, time.Second, func(d time.Duration) string { return fmt.Sprintf(`"%d.%09ds"`, d/time.Second, d%time.Second) }},
	"decimal milliseconds": {time.Nanosecond, time.Second, func(d time.Duration) string { return fmt.Sprintf(`"%d.%06dms"`, d/1e6, d%1e6) }},
}

func TestEachFieldFormGivesBackWhatItTells(t *testing.T) {
	for name, f := range pointForms {
		t.Run("instant/"+name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				zone, _ := drawnZone(t, "zone")
				at := drawnTime(t, zone).Truncate(f.step)
				now := at.Add(-time.Duration(rapid.Int64Range(1, int64(MaxAhead-time.Second)).Draw(t, "left")))
				value := record.Raw(f.write(at))
				for _, got := range []time.Time{Instant(value, now), wait(value, time.Second, now)} {
					if !got.Equal(RoundUp(at)) {
						t.Fatalf("%s at %v = %v, want %v", value, now, got, RoundUp(at))
					}
				}
			})
		})
	}
	for name, f := range waitForms {
		t.Run("wait/"+name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				zone, _ := drawnZone(t, "zone")
				now := drawnTime(t, zone)
				left := time.Duration(rapid.Int64Range(1, int64((MaxAhead-time.Second)/f.step)).Draw(t, "left")) * f.step
				value := record.Raw(f.write(left))
				want := RoundUp(now.Add(left))
				if got := wait(value, f.unit, now); !got.Equal(want) {
					t.Fatalf("%s at %v = %v, want %v", value, now, got, want)
				}
			})
		})
	}
}

// noon is the clock of the tables.
var noon = time.Date(2026, time.October, 1, 12, 0, 0, 0, time.UTC)

func TestFieldsThatTellNoReset(t *testing.T) {
	for _, value := range []string{
		``, `null`, `true`, `{}`, `[]`, `""`, `" "`, `"soon"`, `0`, `-1`, `"-1"`, `-1e300`, `1e300`, `1e400`, `"NaN"`, `"Infinity"`, `"0s"`, `"-5s"`, `"5"s`, `"5 parsecs"`, `"5s 3x"`, `"-1ns"`, `"0.2ns"`,
		`"5s later"`, `"36d"`, `"999999999w"`, `3024001`, `1790856000`, `1790855999.5`, `1793880002`, `1893456000`, `17908668000000000`, `"2026-10-01T12:00:00Z"`,
		`"2026-13-01T12:00:00Z"`, `"2026-10-01T25:00:00Z"`, `"9999-12-31T23:59:59Z"`, `"2026-10-01T15:00:00"`, `"Thu, 01 Oct 2026 15:00:00 PST"`, `"Thu, 32 Oct 2026 15:00:00 GMT"`,
		`"` + strings.Repeat("9", 1<<20) + `"`, strings.Repeat("9", 1<<20), `"` + strings.Repeat("1h", 1<<19) + `"`,
	} {
		for _, now := range []time.Time{noon, noon.Add(time.Second / 2)} {
			if got := Instant(record.Raw(value), now); !got.IsZero() {
				t.Errorf("instant of %.40s = %v, want none", value, got)
			}
			if got := wait(record.Raw(value), time.Second, now); !got.IsZero() {
				t.Errorf("wait of %.40s = %v, want none", value, got)
			}
		}
	}
}

func TestEpochIsInMillisecondsBeyondTheYear5138(t *testing.T) {
	for v, want := range map[float64]int64{1e11: 1e11, 1e11 + 1: 1e8 + 1, 1790866800: 1790866800, 1790866800000: 1790866800, 1e14: 1e11} {
		if got := epoch(v); got.Unix() != want {
			t.Errorf("epoch of %v = %v, want %d s", v, got, want)
		}
	}
}

func TestBodyReset(t *testing.T) {
	const google = `{"error":{"code":429,"details":[{"@type":"x","violations":[{"quotaValue":"5"}]},{" @type":"google.rpc.RetryInfo","retryDelay":"34.07s"},` +
		`{"@type":"google.rpc.ErrorInfo","metadata":{"quotaResetDelay":"539.477544ms","quotaResetTimeStamp":"2026-10-01T12:00:00.539Z"}}]}}`
	quoted, _ := json.Marshal(google)
	for name, tc := range map[string]struct {
		body string
		want int // seconds after noon; zero if there is none
	}{
		"codex":                  {`{"error":{"type":"usage_limit_reached","plan_type":"plus","resets_at":1790866800,"resets_in_seconds":10799.5}}`, 10800},
		"codex, seconds only":    {`{"error":{"resets_in_seconds":"60.2"}}`, 61},
		"codex, later instant":   {`{"error":{"resets_at":1790856180,"resets_in_seconds":120}}`, 180},
		"codex, the later one":   {`{"error":{"resets_at":1790856060,"resets_in_seconds":120}}`, 120},
		"camel case":             {`{"resetsAt":1790866800000}`, 10800},
		"google":                 {google, 35},
		"an array":               {"[" + google + "]", 35},
		"a string":               {string(quoted), 35},
		"a string in a message":  {`{"error":{"message":` + string(quoted) + `}}`, 35},
		"time stamp only":        {`{"error":{"details":[{"metadata":{"quotaResetTimeStamp":"2026-10-01T12:00:00.539Z"}}]}}`, 1},
		"delay only":             {`{"error":{"details":[{"metadata":{"quotaResetDelay":"539.477544ms"}}]}}`, 1},
		"retry after":            {`{"error":{"retry_after":20,"retry_after_ms":20001}}`, 21},
		"the last of equal ones": {`{"resets_in_seconds":0,"resets_in_seconds":5}`, 5},
		"a gauge":                {`{"error":{"message":"x"},"rate_limits":{"primary":{"used_percent":42,"resets_at":1790866800}}}`, 0},
		"a window":               {`{"windows":{"seven_day":{"resetsAt":1790866800}}}`, 0},
		"no reset":               {`{"error":{"type":"rate_limit_error","message":"Please try again later."}}`, 0},
		"text":                   {`"resets at 3pm"`, 0},
		"a number":               {`1790866800`, 0},
		"nothing":                {``, 0},
		"cut":                    {`{"error":{"resets_at":17908`, 0},
		"deep":                   {strings.Repeat(`{"error":`, 1000) + `{"resets_in_seconds":5}` + strings.Repeat("}", 1000), 0},
		"deeply quoted":          {quotedBody(12), 0},
		"quoted":                 {quotedBody(3), 5},
	} {
		t.Run(name, func(t *testing.T) { checkReset(t, Body(record.Raw(tc.body), noon), tc.want) })
	}
}

// quotedBody is a body in a string in a string, so many times.
func quotedBody(times int) string {
	body := []byte(`{"resets_in_seconds":5}`)
	for range times {
		text, _ := json.Marshal(string(body))
		body = []byte(`{"message":` + string(text) + `}`)
	}
	return string(body)
}

func checkReset(t *testing.T, got time.Time, seconds int) {
	t.Helper()
	var want time.Time
	if seconds != 0 {
		want = noon.Add(time.Duration(seconds) * time.Second)
	}
	if !got.Equal(want) {
		t.Errorf("reset = %v, want %v", got, want)
	}
}

func TestHeadersReset(t *testing.T) {
	for name, tc := range map[string]struct {
		headers string
		want    int // seconds after noon; zero if there is none
	}{
		"retry after":                {`"retry-after":"7999"`, 7999},
		"retry after, any case":      {`"Retry-After":"59"`, 59},
		"retry after, a number":      {`"retry-after":59`, 59},
		"retry after, a date":        {`"Retry-After":"Thu, 01 Oct 2026 12:05:00 GMT"`, 300},
		"retry after, old date":      {`"Retry-After":"Thursday, 01-Oct-26 12:05:00 GMT"`, 300},
		"retry after, older date":    {`"Retry-After":"Thu Oct  1 12:05:00 2026"`, 300},
		"retry after, milliseconds":  {`"retry-after-ms":"1500","retry-after":"1"`, 2},
		"unified":                    {`"anthropic-ratelimit-unified-status":"rejected","anthropic-ratelimit-unified-reset":"1790866800"`, 10800},
		"unified, allowed":           {`"anthropic-ratelimit-unified-status":"allowed","anthropic-ratelimit-unified-reset":"1790866800"`, 0},
		"unified, no status":         {`"anthropic-ratelimit-unified-reset":"1790866800"`, 10800},
		"unified, one window is hit": {`"anthropic-ratelimit-unified-5h-status":"rejected","anthropic-ratelimit-unified-5h-reset":"1790866800","anthropic-ratelimit-unified-7d-status":"allowed_warning","anthropic-ratelimit-unified-7d-reset":"1791183600"`, 10800},
		"unified, two windows":       {`"anthropic-ratelimit-unified-5h-status":"rejected","anthropic-ratelimit-unified-5h-reset":"1790866800","anthropic-ratelimit-unified-7d_oi-status":"rejected","anthropic-ratelimit-unified-7d_oi-reset":"1791183600"`, 327600},
		"credits are no window":      {`"anthropic-ratelimit-unified-overage-status":"rejected","anthropic-ratelimit-unified-overage-reset":"1791183600","retry-after":"5"`, 5},
		"window beyond retry after":  {`"retry-after":"5","anthropic-ratelimit-unified-7d-status":"rejected","anthropic-ratelimit-unified-7d-reset":"1791183600"`, 327600},
		"bucket":                     {`"anthropic-ratelimit-requests-remaining":"0","anthropic-ratelimit-requests-reset":"2026-10-01T12:00:59Z","anthropic-ratelimit-tokens-remaining":"9","anthropic-ratelimit-tokens-reset":"2026-10-01T12:09:00Z"`, 59},
		"retry after before buckets": {`"retry-after":"5","anthropic-ratelimit-requests-remaining":"0","anthropic-ratelimit-requests-reset":"2026-10-01T12:00:59Z"`, 5},
		"go durations":               {`"x-ratelimit-remaining-requests":"0","x-ratelimit-reset-requests":"6m0s","x-ratelimit-remaining-tokens":"0","x-ratelimit-reset-tokens":"12ms"`, 360},
		"go duration of the hit one": {`"x-ratelimit-remaining-requests":"8","x-ratelimit-reset-requests":"6m0s","x-ratelimit-remaining-tokens":"0","x-ratelimit-reset-tokens":"12ms"`, 1},
		"azure":                      {`"x-ratelimit-remaining-requests":"-1","x-ratelimit-reset-requests":"0","x-ratelimit-reset-tokens":"-1"`, 0},
		"codex":                      {`"X-Codex-Primary-Used-Percent":"100.0","X-Codex-Primary-Reset-At":"1790866800","X-Codex-Secondary-Used-Percent":"31","X-Codex-Secondary-Reset-At":"1791183600"`, 10800},
		"codex, seconds":             {`"x-codex-secondary-used-percent":"100","x-codex-secondary-reset-after-seconds":"10800","x-codex-primary-used-percent":"99.9","x-codex-primary-reset-after-seconds":"20000"`, 10800},
		"codex, nothing is full":     {`"x-codex-primary-used-percent":"42","x-codex-primary-reset-at":"1790866800"`, 0},
		"gauge is no number":         {`"x-codex-primary-used-percent":"full","x-codex-primary-reset-at":"1790866800"`, 0},
		"other headers":              {`"x-reset":"60","date":"Thu, 01 Oct 2026 12:05:00 GMT","anthropic-ratelimit-requests-limit":"50","x-should-retry":"true"`, 0},
		"past and absurd":            {`"retry-after":"-5","anthropic-ratelimit-unified-reset":"1890866800"`, 0},
	} {
		t.Run(name, func(t *testing.T) { checkReset(t, Headers(record.Raw("{"+tc.headers+"}"), noon), tc.want) })
	}
	checkReset(t, Headers(record.Raw(`["retry-after","5"]`), noon), 0)
	checkReset(t, Headers(nil, noon), 0)
}

// TestRecordedAnswers reads recorded answers of the providers: the body and the headers
// of one tell the same.
func TestRecordedAnswers(t *testing.T) {
	files, _ := filepath.Glob("testdata/http/*.json")
	if len(files) != 4 {
		t.Fatalf("%d answers, want 4", len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			answer := record.Raw(data)
			now, _ := answer.Member("now").Number()
			want, _ := answer.Member("reset").Number()
			got := Later(Headers(answer.Member("headers"), epoch(now)), Body(answer.Member("body"), epoch(now)))
			if !got.Equal(epoch(want)) {
				t.Errorf("reset = %v, want %v", got, epoch(want))
			}
		})
	}
}
