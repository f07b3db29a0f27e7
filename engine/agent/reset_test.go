package agent

import (
	"encoding/json"
	"os"
	"testing"
	"time"

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
				want = roundUp(instantOf(t, *tc.Want))
			}
			got, how := ResolveText(tc.Text, Reference{Now: instantOf(t, tc.Now)})
			if !got.Equal(want) || (how == run.HowText) == want.IsZero() {
				t.Errorf("%q = %v (%v), want %v", tc.Text, got, how, want)
			}
		})
	}
}

func TestResolveText(t *testing.T) {
	const thursday = "2026-10-01T12:00:00Z"
	for name, tc := range map[string]struct{ text, now, zone, want string }{
		"pipe":                    {text: "Claude AI usage limit reached|1790866800", want: "2026-10-01T15:00:00Z"},
		"pipe, milliseconds":      {text: "limit reached|1790866800001", want: "2026-10-01T15:00:01Z"},
		"pipe, past":              {text: "limit reached|1760000400", want: ""},
		"pipe, absurd":            {text: "limit reached|1890866800", want: ""},
		"pipe past, text future":  {text: "limit reached|1760000400 · resets 3pm", want: "2026-10-01T15:00:00Z"},
		"bullet":                  {text: "5-hour limit reached ∙ resets 3pm", want: "2026-10-01T15:00:00Z"},
		"session, stale":          {text: "Session limit reached ∙ resets 10am", want: ""},
		"session, dated":          {text: "You've hit your session limit · resets Oct 2 at 7am", want: "2026-10-02T07:00:00Z"},
		"session, own zone":       {text: "You've hit your session limit · resets 3pm", zone: "Europe/Madrid", want: "2026-10-01T13:00:00Z"},
		"next day":                {text: "You've hit your limit · resets 3am (Europe/Berlin)", want: "2026-10-02T01:00:00Z"},
		"now is not next":         {text: "resets 12pm (UTC)", want: "2026-10-02T12:00:00Z"},
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
		"before the change":       {text: "resets 11pm (America/New_York)", now: "2026-03-08T01:00:00Z", want: "2026-03-08T04:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			ref := Reference{Now: instantOf(t, orElse(tc.now, thursday))}
			var err error
			if ref.Zone, err = time.LoadLocation(tc.zone); err != nil {
				t.Fatal(err)
			}
			got, _ := ResolveText(tc.text, ref)
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
	ref := Reference{Now: time.Unix(1790856000, 0)}
	if _, how := ResolveText("limit reached|1790866800", ref); how != run.HowStated {
		t.Errorf("how = %v, want stated", how)
	}
}
