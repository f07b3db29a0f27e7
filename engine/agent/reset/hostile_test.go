package reset

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/layover/engine/agent/record"
)

// hostile are texts of a mebibyte that keep a reader busy if it lets them.
var hostile = map[string]string{
	"digits":     "limit reached|" + strings.Repeat("9", 1<<20),
	"seconds":    "try again in " + strings.Repeat("9", 1<<20) + " seconds",
	"decimals":   "try again in 1." + strings.Repeat("9", 1<<20) + "s",
	"parts":      "try again in " + strings.Repeat("0s", 1<<19),
	"parts, and": "try again in 0s" + strings.Repeat(" and 0s", 1<<17),
	"anchors":    strings.Repeat("resets ", 1<<17),
	"clocks":     strings.Repeat("resets 45:99 ", 1<<16),
	"zones":      strings.Repeat("resets 3pm (Mars/Olympus) ", 1<<15),
	"one zone":   "resets 3pm (" + strings.Repeat("A/", 1<<19) + "A)",
	"days":       "resets " + strings.Repeat("on Monday at ", 1<<16),
	"spaces":     "resets" + strings.Repeat(" ", 1<<20) + "3pm",
	"commas":     "resets 3pm" + strings.Repeat(",", 1<<20),
	"limits":     strings.Repeat("session limit ", 1<<16) + "resets 3pm",
	"pipes":      strings.Repeat("limit reached|1760000400 ", 1<<15),
	"fields":     strings.Repeat("retry-after: 0 ", 1<<16),
	"braces":     strings.Repeat("{", 1<<20),
	"objects":    strings.Repeat(`{"error":`, 1<<17),
	"arrays":     `{"details":` + strings.Repeat("[", 1<<20),
	"bodies":     strings.Repeat(`{"resets_in_seconds":0}`, 1<<15),
	"quotes":     `{"message":"` + strings.Repeat(`\"{`, 1<<18) + `"}`,
	"runes":      strings.Repeat("\u202fresets\u00a0", 1<<16),
	"not UTF-8":  strings.Repeat("resets \xff3pm\xfe ", 1<<16),
}

// TestHostileTextsTakeBoundedMemory sees that a mebibyte costs no more than its first
// 16 KiB: memory stands for work here, as there are no loops without it.
func TestHostileTextsTakeBoundedMemory(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			if got := allocated(func() { Text(text, Clock{Now: noon}) }); got > 6<<20 {
				t.Errorf("%d KiB were allocated, want 6144 at most", got>>10)
			}
		})
	}
}

func TestHostileFieldsTakeBoundedMemory(t *testing.T) {
	for name, value := range map[string]string{
		"digits": strings.Repeat("9", 1<<20),
		"string": `"` + strings.Repeat("9", 1<<20) + `"`,
		"parts":  `"` + strings.Repeat("0s", 1<<19) + `"`,
		"spaces": `"` + strings.Repeat(" ", 1<<20) + `5s"`,
		"escape": `"` + strings.Repeat(`\u0035`, 1<<17) + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			field := record.Raw(value)
			if got := allocated(func() { wait(field, time.Second, noon); Instant(field, noon) }); got > 16<<10 {
				t.Errorf("%d KiB were allocated, want 16 at most", got>>10)
			}
		})
	}
}

// allocated is how many bytes a call allocates; others run meanwhile, so the least of
// several counts.
func allocated(f func()) uint64 {
	least := ^uint64(0)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// checkBelievable fails unless a reset is none or one that can be seen at now.
func checkBelievable(t *testing.T, got, now time.Time) {
	t.Helper()
	if !got.IsZero() && (!got.After(now) || got.After(now.Add(MaxAhead)) || got.Nanosecond() != 0 || got.Location() != time.UTC) {
		t.Errorf("reset %v seen at %v is no believable one", got, now)
	}
}

func FuzzText(f *testing.F) {
	at := noon.Add(2 * time.Hour)
	for i, form := range textForms {
		f.Add(form.render(telling{at: at, now: noon, zone: "UTC", own: time.UTC}), noon.Unix()+int64(i), int64(i), uint8(i))
	}
	for _, text := range hostile {
		f.Add(text[:1<<10], noon.Unix(), int64(1), uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, sec, nsec int64, zone uint8) {
		own, err := time.LoadLocation(zonesToTry[int(zone)%len(zonesToTry)])
		if err != nil {
			t.Fatal(err)
		}
		now := time.Unix(sec%(1<<34), nsec%1e9)
		got, how := Text(text, Clock{Now: now, Zone: own})
		if got.IsZero() != (how == 0) {
			t.Errorf("reset %v is known as %v", got, how)
		}
		checkBelievable(t, got, now)
	})
}

func FuzzResetFields(f *testing.F) {
	for _, form := range pointForms {
		f.Add("resets_at", []byte(form.write(noon.Add(time.Hour))), noon.Unix())
	}
	for _, form := range waitForms {
		f.Add("x-ratelimit-reset-requests", []byte(form.write(time.Hour)), noon.Unix())
	}
	f.Add("headers", []byte(`{"x-codex-primary-used-percent":"100","x-codex-primary-reset-at":"1790866800","Retry-After":"5"}`), noon.Unix())
	f.Add("body", []byte(`[{"error":{"details":[{"metadata":{"quotaResetDelay":"5s"}}],"message":"{\"resets_at\":1}"}}]`), noon.Unix())
	f.Fuzz(func(t *testing.T, name string, value []byte, sec int64) {
		now := time.Unix(sec%(1<<34), 0)
		checkBelievable(t, fieldReset(name, value, now), now)
		checkBelievable(t, Instant(value, now), now)
		checkBelievable(t, wait(value, time.Second, now), now)
		checkBelievable(t, Body(value, now), now)
		checkBelievable(t, Headers(value, now), now)
		checkBelievable(t, Headers(record.Raw(`{"`+name+`":`+string(value)+`}`), now), now)
	})
}
