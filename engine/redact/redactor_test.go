package redact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStringKnowsShapes(t *testing.T) {
	long := strings.Repeat("Ab3_", 12)
	plain := strings.Repeat("Ab3x", 10)
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.c2lnbmF0dXJl"
	pem := "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNza+/=\n-----END OPENSSH PRIVATE KEY-----"
	for name, tc := range map[string]struct{ text, want string }{
		"nothing":               {"a plain text, é and \xff", "a plain text, é and \xff"},
		"empty":                 {"", ""},
		"anthropic":             {"key=sk-ant-api03-" + long + ".", "key=[redacted:anthropic-key]."},
		"openai":                {`{"k":"sk-proj-` + long + `"}`, `{"k":"[redacted:api-key]"}`},
		"after an escaped line": {`{"content":"A=1\nsk-proj-` + long + `"}`, `{"content":"A=1\n[redacted:api-key]"}`},
		"after an escaped tab":  {`"+\tBearer ` + plain + `"`, `"+\tBearer [redacted:bearer]"`},
		"after a code point":    {`"\u000aghp_` + plain + ` \u003d` + jwt + `"`, `"\u000a[redacted:github-token] \u003d[redacted:jwt]"`},
		"sk within a word":      {"the task-runner-that-has-a-long-name", "the task-runner-that-has-a-long-name"},
		"sk too short":          {"sk-learn", "sk-learn"},
		"github":                {"https://x:ghp_" + plain + "@github.com", "https://x:[redacted:github-token]@github.com"},
		"github oauth":          {"gho_" + plain, "[redacted:github-token]"},
		"github fine":           {"github_pat_" + long, "[redacted:github-token]"},
		"aws":                   {"AKIAIOSFODNN7EXAMPLE and", "[redacted:aws-key] and"},
		"aws too short":         {"AKIAIOSFODNN7", "AKIAIOSFODNN7"},
		"google":                {"AIzaSy" + long, "[redacted:google-key]"},
		"slack":                 {"xoxb-1234-" + plain + " xoxp-1234-" + plain, "[redacted:slack-token] [redacted:slack-token]"},
		"jwt":                   {"t=" + jwt + ";", "t=[redacted:jwt];"},
		"not a jwt":             {"eyJhbGciOiJIUzI1NiJ9.other", "eyJhbGciOiJIUzI1NiJ9.other"},
		"bearer":                {"Authorization: Bearer abcdef0123456789", "Authorization: Bearer [redacted:bearer]"},
		"bearer, small":         {"authorization: bearer  abc/def+0123456789==", "authorization: bearer  [redacted:bearer]"},
		"bearer of news":        {"a bearer of good news", "a bearer of good news"},
		"bearer and jwt":        {"Bearer " + jwt, "Bearer [redacted:bearer]"},
		"private key":           {"a\n" + pem + "\nb", "a\n[redacted:private-key]\nb"},
		"two private keys":      {pem + pem, "[redacted:private-key][redacted:private-key]"},
		"private key in json":   {strings.ReplaceAll(`{"k":"`+pem+`","n":1}`, "\n", `\n`), `{"k":"[redacted:private-key]","n":1}`},
		"private key, cut":      {`{"k":"-----BEGIN PRIVATE KEY-----\nMIIEvQ+/` + plain + `"}`, `{"k":"[redacted:private-key]"}`},
		"public key":            {"-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"},
		"one after another":     {"AKIAIOSFODNN7EXAMPLE,sk-" + plain, "[redacted:aws-key],[redacted:api-key]"},
		"redacted before":       {"Bearer [redacted:bearer] [redacted:env]", "Bearer [redacted:bearer] [redacted:env]"},
		"a value without a key": {"correct horse battery staple", "correct horse battery staple"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, New(nil).String(tc.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStringKnowsTheEnvironment(t *testing.T) {
	for name, tc := range map[string]struct{ pair, text, want string }{
		"key":               {"MY_KEY=hunter22", "a hunter22 b", "a [redacted:env] b"},
		"token":             {"GitToken1=hunter22", "hunter22", "[redacted:env]"},
		"secret":            {"secret=hunter22", "hunter22hunter22", "[redacted:env][redacted:env]"},
		"password":          {"PASSWORD=hunter22", "xhunter22x", "x[redacted:env]x"},
		"key id":            {"AWS_ACCESS_KEY_ID=hunter22", "hunter22", "[redacted:env]"},
		"other name":        {"HOME=/home/hunter22", "/home/hunter22", "/home/hunter22"},
		"monkey":            {"MONKEY=hunter22", "hunter22", "hunter22"},
		"too short":         {"MY_KEY=hunter2", "hunter2", "hunter2"},
		"no value":          {"MY_KEY", "MY_KEY", "MY_KEY"},
		"equals within":     {"MY_KEY=a=b=c=d=e", "a=b=c=d=e", "[redacted:env]"},
		"line end":          {"MY_KEY=hunter22\n", "hunter22", "[redacted:env]"},
		"in json":           {"MY_KEY=hun\"ter\n22", `"hun\"ter\n22"`, `"[redacted:env]"`},
		"not to be hidden":  {"MY_KEY=redacted", "redacted", "redacted"},
		"across a mark":     {"MY_KEY=12345678[", "AKIAIOSFODNN7EXAMPLE 12345678AKIAIOSFODNN7EXAMPLE", withheld},
		"within a key":      {"MY_KEY=0123456789", "ghp_ab01234567890123456789cdef", "[redacted:github-token]"},
		"behind a short sk": {"MY_KEY=0123456789", "sk-0123456789", "sk-[redacted:env]"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, New([]string{tc.pair}).String(tc.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheLongestValueWins(t *testing.T) {
	r := New([]string{"A_KEY=hunter22", "B_KEY=hunter2233", "C_KEY=hunter22"})
	if diff := cmp.Diff("[redacted:env]", r.String("hunter2233")); diff != "" {
		t.Error(diff)
	}
}

func TestPrintingTheRedactorTellsNothing(t *testing.T) {
	r := New([]string{"A_KEY=hunter22"})
	if got := fmt.Sprintf("%v %+v %#v %s", r, r, r, r); strings.Contains(got, "hunter22") {
		t.Error(got)
	}
}

// Texts that make a careless search start again and again from the same bytes.
func BenchmarkString(b *testing.B) {
	r := New([]string{"A_KEY=hunter22", "B_KEY=" + strings.Repeat("a", 1000) + "b"})
	for name, unit := range map[string]string{
		"prose": "The quick brown fox jumps over the lazy dog. ",
		"jwt":   "eyJaaaaaaaaaa.", "dashes": "eyJ-", "bearer": "bearer.",
		"no end": "-----BEGIN PRIVATE KEY-----.", "one letter": "a", "spaces": "bearer ",
		"line ends": "a\n", "names": "password=", "open quotes": `password="`, "slashes": `password=\\`, "addresses": "a://b:c", "options": "--password ",
		"begun": "ghp_\n", "tokens": "eyJ\n", "ends": "-----BEGIN PRIVATE KEY-----\n> ", "headers": "authorization: a ", "mixed quotes": "password=\"password='password=`",
	} {
		text := strings.Repeat(unit, 1<<20/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_ = r.String(text)
			}
		})
	}
}

func FuzzString(f *testing.F) {
	pem := "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----"
	f.Add("hunter22", "]hunter2[", "Bearer hunter22hunter22 AKIAIOSFODNN7EXAMPLE]hunter2[")
	f.Add("12345678[", "[redacted", "12345678AKIAIOSFODNN7EXAMPLE12345678[redacted:env]")
	f.Add("PRIVATE KEY", "eyJhbGciOi.eyJ", pem+"eyJhbGciOiJI.eyJhbGci.xsk-"+strings.Repeat("a", 20))
	f.Add("]]]]]]]]", "sk-ant-1", "]]]]]]]]]]]]sk-ant-11111111 ghp_aaaaaaaaaaaaaaaaaaaaaxoxb-1234567890")
	f.Fuzz(func(t *testing.T, one, two, text string) {
		r := New([]string{"ONE_TOKEN=" + one, "TWO_TOKEN=" + two})
		got := r.String(text)
		for _, values := range r.values {
			for _, v := range values {
				if strings.Contains(got, v) {
					t.Errorf("%q holds %q", got, v)
				}
			}
		}
		if again := r.String(got); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	})
}
