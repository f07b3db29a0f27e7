package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Records that are glued are read as on lines of their own, however long they are together.
func TestGluedRecordsAreReadOneByOne(t *testing.T) {
	kinds := []string{
		`{"a":1}`, `{"a":{"b":"}{"},"c":[{},"\\"]}`, `{"a":"\"{"}`, `{}`,
		`{"a":"` + strings.Repeat("y", 300_000) + `"}`, `{"a":"` + strings.Repeat(`a \"limit reached\" {,[ `, MaxLine/20) + `","b":[1,2]}`, `{"b":2,"a":"` + strings.Repeat(`\\`, MaxLine/2+7) + `"}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		var all []string
		for _, kind := range rapid.SliceOfN(rapid.IntRange(0, len(kinds)-1), 1, 8).Draw(t, "records") {
			all = append(all, kinds[kind])
		}
		read := func(glue string) (got []string) {
			text := []byte(strings.Join(all, glue) + "\n")
			var s Splitter
			for _, c := range chop(t, text) {
				s.Feed(c, func(l Line) {
					if l.Long {
						got = append(got, string(l.Text)+"…"+string(l.Tail))
						return
					}
					Records(l.Text, func(r Raw) { got = append(got, string(r)) })
				})
			}
			return got
		}
		if diff := cmp.Diff(read("\n"), read(rapid.SampledFrom([]string{"", " ", "\x1b[0m"}).Draw(t, "glue"))); diff != "" {
			t.Fatal("glued records are read otherwise")
		}
	})
}
