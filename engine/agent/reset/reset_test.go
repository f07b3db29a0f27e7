package reset

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/agent/record"
	"example.com/layover/engine/run"
)

func instantOf(t interface{ Fatal(...any) }, s string) time.Time {
	v, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestRecordedResets(t *testing.T) {
	data, err := os.ReadFile("testdata/resets.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID, Text, Now string
		Want          *string
	}
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) != 14 {
		t.Fatalf("%d cases, want 14: %v", len(cases), err)
	}
	for _, tc := range cases {
		t.Run(tc.ID, func(t *testing.T) {
			var want time.Time
			if tc.Want != nil {
				want = RoundUp(instantOf(t, *tc.Want))
			}
			got, how := Text(tc.Text, Clock{Now: instantOf(t, tc.Now)})
			if !got.Equal(want) || (how == run.HowText) == want.IsZero() {
				t.Errorf("%q = %v (%v), want %v", tc.Text, got, how, want)
			}
		})
	}
}

func TestText(t *testing.T) {
	const thursday = "2026-10-01T12:00:00Z"
	for name, tc := range map[string]struct{ text, now, zone, want string }{
		"pipe":                    {text: "Claude AI usage limit reached|1790866800", want: "2026-10-01T15:00:00Z"},
		"pipe, milliseconds":      {text: "limit reached|1790866800001", want: "2026-10-01T15:00:01Z"},
		"pipe, past":              {text: "limit reached|1760000400", want: ""},
		"pipe, absurd":            {text: "limit reached|1890866800", want: ""},
		"pipe past, text future":  {text: "limit reached|1760000400 · resets 3pm", want: "2026-10-01T15:00:00Z"},
		"bullet":                  {text: "5-hour limit reached ∙ resets 3pm", want: "2026-10-01T15:00:00Z"},
		"session, stale":          {text: "Session limit reached ∙ resets 10am", want: ""},
		"session, then weekly":    {text: "Session limit reached. Your weekly limit resets 11pm", want: "2026-10-01T23:00:00Z"},
		"weekly, then session":    {text: "Weekly limit reached. Your 5-hour limit resets 3am"},
		"session, six hours":      {text: "5-hour limit reached ∙ resets 6pm", want: "2026-10-01T18:00:00Z"},
		"session, dated":          {text: "You've hit your session limit · resets Oct 2 at 7am", want: "2026-10-02T07:00:00Z"},
		"session, own zone":       {text: "You've hit your session limit · resets 3pm", zone: "Europe/Madrid", want: "2026-10-01T13:00:00Z"},
		"next day":                {text: "You've hit your limit · resets 3am (Europe/Berlin)", want: "2026-10-02T01:00:00Z"},
		"now is not tomorrow":     {text: "resets 12pm (UTC)"},
		"minutes ago":             {text: "try again at 11:51 AM."},
		"longer ago":              {text: "try again at 11:49 AM.", want: "2026-10-02T11:49:00Z"},
		"noon and midnight":       {text: "resets 12:00am (UTC)", want: "2026-10-02T00:00:00Z"},
		"inverted sign":           {text: "Your limit will reset at 1pm (Etc/GMT+5).", want: "2026-10-01T18:00:00Z"},
		"date with comma":         {text: "resets Jan 18, 11:30am (Asia/Calcutta)", now: "2027-01-10T00:00:00Z", want: "2027-01-18T06:00:00Z"},
		"date over the year":      {text: "resets Jan 2 at 7pm (UTC)", now: "2026-12-30T00:00:00Z", want: "2027-01-02T19:00:00Z"},
		"date just past":          {text: "resets Sep 30 at 7pm (UTC)", want: ""},
		"weekday":                 {text: "resets Mon 12:00am", want: "2026-10-05T00:00:00Z"},
		"same weekday":            {text: "resets Thursday at 11am", want: "2026-10-08T11:00:00Z"},
		"ordinal":                 {text: "or try again at Oct 5th, 2026 7:00 AM.", want: "2026-10-05T07:00:00Z"},
		"year, past":              {text: "or try again at Oct 5th, 2025 7:00 AM.", want: ""},
		"narrow space":            {text: "try again at 3:51\u202fPM.", want: "2026-10-01T15:51:00Z"},
		"day of 24 hours":         {text: "resets at 15:05 UTC", want: "2026-10-01T15:05:00Z"},
		"tomorrow":                {text: "resets tomorrow at 3am", want: "2026-10-02T03:00:00Z"},
		"iso":                     {text: "resets at 2026-10-01T14:00:00.5+01:00", want: "2026-10-01T13:00:01Z"},
		"long words":              {text: "or try again in 2 days 17 hours 14 minutes.", want: "2026-10-04T05:14:00Z"},
		"go duration":             {text: "Your quota will reset after 10h31m2s.", want: "2026-10-01T22:31:02Z"},
		"seconds round up":        {text: "Please try again in 14.036s.", want: "2026-10-01T12:00:15Z"},
		"milliseconds":            {text: "Please try again in 28ms.", want: "2026-10-01T12:00:01Z"},
		"seconds":                 {text: "Please try again in 17 seconds.", want: "2026-10-01T12:00:17Z"},
		"field":                   {text: `"retryDelay": "34.074824224s"`, want: "2026-10-01T12:00:35Z"},
		"second mention resolves": {text: "Try again later, or try again at 3:05 PM.", want: "2026-10-01T15:05:00Z"},
		"no time":                 {text: "You've hit your usage limit. Try again later."},
		"no such time":            {text: "resets 45:99"},
		"no such hour":            {text: "resets 13pm"},
		"no such day":             {text: "resets Feb 30 at 3pm", now: "2026-02-20T00:00:00Z"},
		"hour alone":              {text: "resets 3"},
		"date alone":              {text: "resets Oct 5"},
		"unknown zone":            {text: "resets 3pm (Mars/Olympus)"},
		"local is no zone":        {text: "resets 3pm (Local)", zone: "Europe/Madrid"},
		"zone with dots":          {text: "resets at 3pm (../../etc/passwd)", want: "2026-10-01T15:00:00Z"},
		"too long":                {text: "try again in 36 days"},
		"overflow":                {text: "try again in 999999999 weeks"},
		"zero":                    {text: "reset after 0s."},
		"a gap":                   {text: "resets 2:30am (America/New_York)", now: "2026-03-08T06:00:00Z", want: "2026-03-08T07:30:00Z"},
		"twice":                   {text: "resets 1:30am (America/New_York)", now: "2026-11-01T04:00:00Z", want: "2026-11-01T06:30:00Z"},
		"after the change":        {text: "resets 3am (America/New_York)", now: "2026-11-01T04:00:00Z", want: "2026-11-01T08:00:00Z"},
		"a gap on a date":         {text: "resets Mar 29, 2:30am (Europe/Berlin)", now: "2026-03-28T12:00:00Z", want: "2026-03-29T01:30:00Z"},
		"a gap at midnight":       {text: "resets 12:00am (Africa/Cairo)", now: "2026-04-23T20:00:00Z", want: "2026-04-23T22:00:00Z"},
		"a gap of half an hour":   {text: "resets 2:15am (Australia/Lord_Howe)", now: "2026-10-03T13:00:00Z", want: "2026-10-03T15:45:00Z"},
		"twice, at midnight":      {text: "resets Nov 1 at 12:30am (America/Havana)", now: "2026-10-31T12:00:00Z", want: "2026-11-01T05:30:00Z"},
		"twice, once past":        {text: "resets 1:30am (America/New_York)", now: "2026-11-01T05:45:00Z", want: "2026-11-01T06:30:00Z"},
		"twice, both past":        {text: "resets 1:30am (America/New_York)", now: "2026-11-01T06:50:00Z", want: "2026-11-02T06:30:00Z"},
		"end of the year":         {text: "resets 12:04am (America/New_York)", now: "2027-01-01T04:59:00Z", want: "2027-01-01T05:04:00Z"},
		"leap day":                {text: "resets Feb 29 at 3pm", now: "2028-02-10T00:00:00Z", want: "2028-02-29T15:00:00Z"},
		"another weekday":         {text: "resets Fri, Oct 5 at 3pm"},
		"its weekday":             {text: "resets Mon, Oct 5 at 3pm", want: "2026-10-05T15:00:00Z"},
		"today, past":             {text: "resets today at 11am"},
		"day behind the time":     {text: "try again at 3:05 PM on Oct 5th", want: "2026-10-05T15:05:00Z"},
		"zone, then day":          {text: "resets 3pm (UTC) tomorrow", want: "2026-10-02T15:00:00Z"},
		"offset":                  {text: "resets 3pm (UTC+2)", want: "2026-10-01T13:00:00Z"},
		"offset of minutes":       {text: "resets 6pm (GMT+05:30)", want: "2026-10-01T12:30:00Z"},
		"offset behind":           {text: "resets 10am UTC-5", want: "2026-10-01T15:00:00Z"},
		"no such offset":          {text: "resets 3pm (UTC+15)"},
		"zone without brackets":   {text: "resets 3pm Europe/Berlin", want: "2026-10-01T13:00:00Z"},
		"unsafe abbreviation":     {text: "resets 3pm (CST)", zone: "Europe/Berlin"},
		"unsafe, no brackets":     {text: "try again at 3:05 PM PST."},
		"own abbreviation":        {text: "resets 3pm CST", zone: "America/Chicago", want: "2026-10-01T21:00:00Z"},
		"own, in its season":      {text: "resets 3pm CDT", zone: "America/Chicago", want: "2026-10-01T20:00:00Z"},
		"iso, no zone":            {text: "resets at 2026-10-01T15:00:00", zone: "Europe/Madrid", want: "2026-10-01T13:00:00Z"},
		"iso, no such day":        {text: "resets at 2026-02-30T15:00:00Z", now: "2026-02-20T00:00:00Z"},
		"iso, no such month":      {text: "resets at 2026-13-01T15:00:00Z"},
		"capitals, date":          {text: "RESETS ON OCT 5 AT 3PM", want: "2026-10-05T15:00:00Z"},
		"a number behind":         {text: "resets 3pm, 5 users wait", want: "2026-10-01T15:00:00Z"},
		"capitals":                {text: "RETRY IN 5 MINUTES", want: "2026-10-01T12:05:00Z"},
		"mixed units":             {text: "[retry in 2h5m attempt #4]", want: "2026-10-01T14:05:00Z"},
		"first that tells a time": {text: "Retry in 5s. It resets 3pm", want: "2026-10-01T12:00:05Z"},
		"field before words":      {text: "Try again in 5s. retry-after: 60", want: "2026-10-01T12:01:00Z"},
		"body before words":       {text: `Try again in 5s: {"error":{"resets_in_seconds":60}}`, want: "2026-10-01T12:01:00Z"},
		"body behind a brace":     {text: `{x} {"a":1} {"error":{"resets_in_seconds":60}}`, want: "2026-10-01T12:01:00Z"},
		"body in quotes":          {text: `"{\"error\":{\"retryDelay\":\"34.07s\"}}"`, want: "2026-10-01T12:00:35Z"},
		"next line, a word":       {text: "try again at 3:05 PM\nERROR: exit 1", want: "2026-10-01T15:05:00Z"},
		"next line, a date":       {text: "resets 3pm\nOct 7 12:00:05 host: retry", want: "2026-10-01T15:00:00Z"},
		"next line, a duration":   {text: "retry in 34s\n2 days ago: x", want: "2026-10-01T12:00:34Z"},
		"reset without at":        {text: "Your limit will reset 3pm", want: "2026-10-01T15:00:00Z"},
		"header of an old date":   {text: "Retry-After: Thu Oct  1 12:05:00 2026", want: "2026-10-01T12:05:00Z"},
		"header of a date":        {text: "'retry-after': 'Thu, 01 Oct 2026 12:05:00 GMT',", want: "2026-10-01T12:05:00Z"},
		"header of milliseconds":  {text: "retry-after-ms=1500", want: "2026-10-01T12:00:02Z"},
		"behind much text":        {text: strings.Repeat("please wait. ", 1200) + "resets 3pm", want: "2026-10-01T15:00:00Z"},
		"behind too much text":    {text: strings.Repeat("please wait. ", 1300) + "resets 3pm"},
		"cut where it goes on":    {text: strings.Repeat(" ", record.MaxErrorText-len("try again in 2 days 17 ")) + "try again in 2 days 17 hours"},
		"before the change":       {text: "resets 11pm (America/New_York)", now: "2026-03-08T01:00:00Z", want: "2026-03-08T04:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			ref := Clock{Now: instantOf(t, orElse(tc.now, thursday))}
			var err error
			if ref.Zone, err = time.LoadLocation(tc.zone); err != nil {
				t.Fatal(err)
			}
			got, _ := Text(tc.text, ref)
			var want time.Time
			if tc.want != "" {
				want = instantOf(t, tc.want)
			}
			if !got.Equal(want) {
				t.Errorf("%q = %v, want %v", tc.text, got, want)
			}
		})
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func TestPipedEpochIsStated(t *testing.T) {
	ref := Clock{Now: time.Unix(1790856000, 0)}
	if _, how := Text("limit reached|1790866800", ref); how != run.HowStated {
		t.Errorf("how = %v, want stated", how)
	}
}

// TestWordsThatTellNoReset holds what looks like a reset and is none: retries of the
// agent's own, versions, addresses, code, logs, and words that begin like a day.
func TestWordsThatTellNoReset(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"", "resets", "again", "try again later", "resets soon", "You've hit your individual spend limit · run /usage-credits to raise it, or visit claude.ai/admin-settings/usage",
		"Retrying in 0.2 seconds...", "Attempt 1 failed. Retrying after 6173ms...", "[retrying in 2h5m attempt #4]", "(total retry wait time: 90.91 seconds)",
		"resets 2.1.220", "available in 2.1.220", "try again at 2.1.220", "retry 127.0.0.1:8080", "available at 127.0.0.1:8080", "retry at localhost:3000", "again at 10:8080", "available at :15",
		"connection reset 10:30:45", "git reset 10:30", "reset(10:30)", "setTimeout(retry, 5000)", "retry(at, 3000)", "retryAfter = 5000", "retryDelay: 5000", "quotaResetDelay: 5",
		"for retry in 3 4; do sleep 5m; done", "retry 3 times", "retry in 3 regions", "try again in 5 different ways", "again in 30", "retry-after: soon", "retry-after: -5", "retry-after: 0",
		"resets 5 hours after your first message", "limit was reset 5 minutes ago", "resets every 5 hours", "reset in -5s", "resets 3pm.txt", "resets at 12:30-14:00", "resets 10:30:45:12", "resets 3:005pm", "resets 12:5",
		"resets monthly 3:00", "resets octopus 5 3pm", "resets novel 3 3pm", "resets sundown 3pm", "resets March", "resets 13:00pm", "resets 0pm", "resets 24:00", "resets at 1:60", "resets at 15:00:60",
		"Your usage limits will reset when your monthly cycle ends on 11/17/2025.", "| 1790866800 |", "limit |1790866800", "limit reached|179086680012345678", "limit reached|0", "limit reached|-1790866800",
		"finished at 3pm after 10 minutes", "The job of 3pm took 17 seconds; see v2.1.220 on port 8080.", "try again on Oct 5", "resets Oct 5, 2026", "resets Oct 0 at 3pm", "resets Oct 32 at 3pm", "resets 99 Oct at 3pm",
		"try again 3pm", "retry 10:30:45", "available 3pm", "resets at 2026-10-01T15:00:00Zulu", "resets at 2026-10-01T15:00:00+01000", "resets at 2026-00-01T15:00:00Z", "resets at 9999-12-31T23:59:59Z", "resets 3pm (Europe/Atlantis)", "resets 3pm (" + strings.Repeat("a", 1000) + ")", "try again in " + strings.Repeat("9", 400) + " seconds", "try again in 0 seconds", "try again in" + strings.Repeat(" 1s", maxUnits+1), "try again in 0.0s",
		`{"rate_limits":{"primary":{"used_percent":42,"resets_at":1790866800}}}`, `{"rate_limit_info":{"status":"allowed","resetsAt":1790866800}}`, `"resets_at": 1790866800`,
	} {
		for _, now := range []time.Time{noon, noon.Add(time.Second / 2)} {
			if got, how := Text(text, Clock{Now: now, Zone: zone}); !got.IsZero() || how != 0 {
				t.Errorf("%.80q = %v (%v), want none", text, got, how)
			}
		}
	}
}
