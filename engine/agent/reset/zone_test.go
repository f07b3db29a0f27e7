package reset

import (
	"testing"
	"time"

	"example.com/layover/engine/agent/record"
)

// A zone that is written is the one that is read, or none is: never the machine's.
func TestWrittenZones(t *testing.T) {
	own, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for zone, hour := range map[string]int{ // of 15:00 there, by UTC; negative if the zone is unknown
		"": 19, ".": 19, " or later": 19, ", 5 users wait": 19, " (in 3 hours)": 19, " - please wait": 19, " and more": 19,
		" +02:00": 13, " +0200": 13, " +02": 13, " (+02:00)": 13, " (+2)": 13, " -05:00": 20, " (UTC+2)": 13, " (UTC +2)": 13, " UTC-3": 18, " (GMT-03:00)": 18,
		" (UTC\u22123)": 18, " \u221203:00": 18, " UTC\u22123": 18, " Z": 15, " z": 15, " (Z)": 15, " UTC": 15, " utc": 15, " (UTC time)": 15, " UTC time": 15,
		" [Europe/Berlin]": 13, ", Europe/Berlin": 13, " (Europe/Berlin time)": 13, " Europe/Berlin time": 13, " in Europe/Berlin": 13, " (in Europe/Berlin)": 13,
		" (Europe/Berlin, CEST)": 13, " (EUROPE/BERLIN)": 13, " europe/berlin": 13, " (etc/gmt+5)": 20, " (ETC/GMT+5)": 20, " (america/port_of_spain)": 19, " (america/port-au-prince)": 19,
		" (US/Pacific)": 22, " (us/pacific)": 22, " (America/Argentina/Buenos_Aires)": 18, " EDT": 19, " (EDT)": 19,
		" pst": -1, " PST": -1, " (pst)": -1, " (PST/PDT)": -1, " Pacific": -1, " pacific": -1, " (Pacific)": -1, " (Pacific Time)": -1, " Pacific time": -1, " Eastern Standard Time": -1,
		" (Eastern Standard Time)": -1, ", Pacific Time": -1, " (Berlin time)": -1, " Berlin time": -1, " cet": -1, " CEST": -1, ", pst": -1, " ist": -1, " cst": -1, " local time": -1, " (your local time)": -1,
		" (Mars/Olympus)": -1, " (Europe/Atlantis)": -1, " (europe/atlantis)": -1, " +15:00": -1, " (UTC+15)": -1,
	} {
		for _, at := range []string{"resets 3pm", "resets at 15:00", "try again at Oct 1, 3:00 PM", "resets at 2026-10-01 15:00:00", "resets today at 3pm"} {
			now := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
			want := time.Date(2026, 10, 1, hour, 0, 0, 0, time.UTC)
			if hour < 0 {
				want = time.Time{}
			}
			if got, _ := Text(at+zone, Clock{Now: now, Zone: own}); !got.Equal(want) {
				t.Errorf("%s%s = %v, want %v", at, zone, got, want)
			}
		}
	}
}

func TestDatesInSeveralForms(t *testing.T) {
	for text, want := range map[string]string{
		"resets Sun, 04 Oct 2026 09:00:00 +0200": "2026-10-04T07:00:00Z", "resets at Sun, 04 Oct 2026 09:00:00 GMT": "2026-10-04T09:00:00Z",
		"resets 2026-10-04 09:00:00 +02:00": "2026-10-04T07:00:00Z", "resets at 2026-10-04T09:00:00 -0300": "2026-10-04T12:00:00Z",
		"resets 9:00 05/10": "", "resets 9:00 on 05/10": "", "resets at 9:00, 10/05/2026": "", "resets 05/10 9:00": "", "resets at 9:00 5.10.": "", "resets 9:00 5.10.2026": "",
		"resets 9:00 2026-10-05": "", "resets at 9am yesterday": "", "resets 9pm. 2 users wait": "2026-10-01T21:00:00Z",
	} {
		var at time.Time
		if want != "" {
			at = instantOf(t, want)
		}
		if got, _ := Text(text, Clock{Now: noon}); !got.Equal(at) {
			t.Errorf("%s = %v, want %v", text, got, at)
		}
	}
}

// What has just passed is not a day or a week away, also where the clocks are changed.
func TestClocksThatHaveJustPassed(t *testing.T) {
	for _, zone := range []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"} {
		own, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		for day := range 366 {
			at := time.Date(2026, 1, 1+day, 12, 0, 0, 0, own)
			for layout, again := range map[string]time.Time{"weekly limit · resets Mon 3:04pm": at.AddDate(0, 0, 7), "limit reached, resets 3:04pm": at.AddDate(0, 0, 1)} {
				for late, want := range map[time.Duration]time.Time{-time.Minute: at, 0: {}, 30 * time.Second: {}, 9 * time.Minute: {}, 11 * time.Minute: again} {
					if got, _ := Text(at.Format(layout), Clock{Now: at.Add(late), Zone: own}); !got.Equal(want) {
						t.Errorf("%s, %v late in %s: %v, want %v", at.Format(layout), late, zone, got, want)
					}
				}
			}
		}
	}
}

func TestResetsOfThePast(t *testing.T) {
	five := noon.Add(5 * time.Hour)
	for text, want := range map[string]time.Time{
		"limit reached. Last reset: 3pm": {}, "last reset at 15:00": {}, "connection reset at 15:00. limit reached": {}, "The limit was reset at 3pm": {}, "It has been reset at 3pm": {},
		"Your limits were reset at 3pm": {}, "previously available at 3pm": {}, "stream reset at 15:00": {},
		"It last reset at 3pm; next reset at 5pm": five, "Last reset: 3pm. Resets 5pm": five, "connection reset at 15:00, try again at 17:00": five, "It will be reset at 5pm": five, "At last, it resets at 5pm": five,
		"Your limit will reset at 5pm": five, "next reset: 5pm": five,
	} {
		if got, _ := Text(text, Clock{Now: noon}); !got.Equal(want) {
			t.Errorf("%s = %v, want %v", text, got, want)
		}
	}
}

// Of equal names in a body the last one counts, as it does to those that read JSON.
func TestEqualNamesInABody(t *testing.T) {
	for body, want := range map[string]time.Duration{
		`{"error":{"resets_in_seconds":7200,"resets_in_seconds":60}}`:                          time.Minute,
		`{"error":{"resets_in_seconds":60,"resets_in_seconds":7200}}`:                          2 * time.Hour,
		`{"error":{"resets_in_seconds":7200},"error":{"resets_in_seconds":60}}`:                time.Minute,
		`{"error":{"resets_in_seconds":7200,"resets_in_seconds":null}}`:                        0,
		`{"error":{"resets_in_seconds":7200,"retry_after":60}}`:                                2 * time.Hour,
		`{"error":{"details":[{"retryDelay":"2h"}],"details":[{"retryDelay":"60s"}]}}`:         time.Minute,
		`{"error":{"details":[{"retryDelay":"60s","retryDelay":"30s"},{"retryDelay":"60s"}]}}`: time.Minute,
	} {
		var at time.Time
		if want > 0 {
			at = noon.Add(want)
		}
		if got := Body(record.Raw(body), noon); !got.Equal(at) {
			t.Errorf("%s = %v, want %v", body, got, at)
		}
	}
}
