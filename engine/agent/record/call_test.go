package record

import (
	"strings"
	"testing"
)

func TestWhatAToolIsCalledWith(t *testing.T) {
	for name, tc := range map[string]struct{ object, want string }{
		"nothing":            {``, ""},
		"no text":            {`7`, ""},
		"a text":             {`"text(1)\nand more"`, "text(1)\nand more"},
		"a command":          {`"{\"cmd\":\"ls -la\",\"workdir\":\"/w\"}"`, "ls -la"},
		"the best":           {`"{\"path\":\"a.go\",\"cmd\":\"ls\"}"`, "ls"},
		"words":              {`"{\"command\":[\"rg\",\"-n\",\"x y\"]}"`, "rg -n x y"},
		"of a shell":         {`"{\"command\":[\"/bin/zsh\",\"-lc\",\"ls | wc\"]}"`, "ls | wc"},
		"a shell with flags": {`["bash","-x","run.sh"]`, "bash -x run.sh"},
		"a patch":            {`"{\"input\":\"*** Begin Patch\\n*** Delete File: a b.go\\n*** End Patch\"}"`, "a b.go"},
		"cut in it":          {`"{\"cmd\":\"ls\",\"justification\":\"be"`, "ls"},
		"cut before it":      {`"{\"justification\":\"be"`, ""},
		"of other types":     {`"{\"cmd\":{\"a\":1},\"path\":null,\"query\":[]}"`, ""},
		"only others":        {`"{\"number\":5}"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := called(Raw(tc.object)); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
	long := Act{Word: "shell", Object: Raw(`["` + strings.Repeat(`word","`, 1<<16) + `"]`), Call: true}
	if got := long.Text(); len(got) > MaxDoing || !strings.HasPrefix(string(got), "shell word word") {
		t.Errorf("of many words: %d bytes: %.40q", len(got), got)
	}
}
