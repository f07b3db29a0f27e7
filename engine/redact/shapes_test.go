package redact

import (
	"fmt"
	"strings"
	"testing"
)

// b62 is what keys are drawn from; it is long enough for each of them.
const b62 = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbC3dEf6GhI9jKl2MnO5pQr8StU1vWx4YzA"

// samples are keys of every shape, made up; the kind is that of their replacement.
func samples() map[string]string {
	return map[string]string{
		"sk-ant-api03-" + b62: "anthropic-key", "sk-ant-oat01-" + b62[:40]: "anthropic-key",
		"sk-" + b62[:48]: "api-key", "sk-proj-" + b62[:40] + "_" + b62[:20]: "api-key", "sk-svcacct-" + b62: "api-key",
		"rt_" + b62[:43] + "." + b62[:30]: "refresh-token", "rt_" + b62: "refresh-token",
		"sk_live_" + b62[:24]: "stripe-key", "sk_test_" + b62[:24]: "stripe-key", "rk_live_" + b62[:24]: "stripe-key", "rk_test_" + b62[:24]: "stripe-key",
		"ghp_" + b62[:36]: "github-token", "gho_" + b62[:36]: "github-token", "ghu_" + b62[:36]: "github-token",
		"ghs_" + b62[:36]: "github-token", "ghr_" + b62[:36]: "github-token", "github_pat_" + b62[:22] + "_" + b62[:59]: "github-token",
		"glpat-" + b62[:20]: "gitlab-token", "glpat-" + b62[:27] + ".01.0a1b2c3d4": "gitlab-token", "gldt-" + b62[:20]: "gitlab-token", "glrt-" + b62[:20]: "gitlab-token",
		"npm_" + b62[:36]: "npm-token", "pypi-AgEIcHlwaS5vcmc" + b62: "pypi-token", "hf_" + b62[:34]: "hf-token",
		"AKIAIOSFODNN7EXAMPLE": "aws-key", "ASIAIOSFODNN7EXAMPLE": "aws-key",
		"AIzaSy" + b62[:33]: "google-key", "ya29.a0AfH6SM" + b62: "google-key",
		"xoxb-123456789012-" + b62[:24]: "slack-token", "xoxp-123456789012-" + b62[:24]: "slack-token", "xoxa-2-" + b62[:24]: "slack-token",
		"xoxc-1-" + b62[:24]: "slack-token", "xoxe-1-" + b62[:24]: "slack-token", "xoxe.xoxp-1-" + b62: "slack-token", "xoxr-1-" + b62[:24]: "slack-token",
		"xoxs-1-" + b62[:24]: "slack-token", "xapp-1-A0123-" + b62[:24]: "slack-token",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ." + b62[:43]: "jwt",
	}
}

// A key is found wherever it stands, once and whole.
func TestEveryShapeIsFoundAnywhere(t *testing.T) {
	seen := map[string]bool{}
	for key, kind := range samples() {
		seen[kind] = true
		for _, around := range []string{"%s", "key: %s", "(%s)", "a %s, b", "%s\nnext", "a\n%s", `"%s"`, `{"k":"a\n%s"}`, "`%s`", "k='%s'", "https://h/?t=%s&x=1"} {
			want := fmt.Sprintf(around, "[redacted:"+kind+"]")
			if got := New(nil).String(fmt.Sprintf(around, key)); got != want {
				t.Errorf("%s becomes %q", fmt.Sprintf(around, key), got)
			}
		}
	}
	for _, p := range shapes {
		found := false
		for key := range samples() {
			found = found || strings.HasPrefix(key, p.prefix)
		}
		if !found || !seen[p.kind] {
			t.Errorf("there is no sample of %q, %s", p.prefix, p.kind)
		}
	}
}

// Line ends within a key do not hide it: what is left of the text does not spell it.
func TestAKeyBrokenByLineEndsIsFound(t *testing.T) {
	const value = "correct-horse battery"
	r := New([]string{"A_TOKEN=" + value})
	all := samples()
	all[value] = "env"
	for key := range all {
		for i := 1; i < len(key); i++ {
			for _, step := range []int{1, 5, len(key)} {
				broken := key[:i]
				for rest := key[i:]; rest != ""; rest = rest[min(step, len(rest)):] {
					broken += strings.Repeat("\n", 1+i%4) + rest[:min(step, len(rest))]
				}
				got := r.String("before " + broken + "\n")
				if strings.Contains(strings.ReplaceAll(got, "\n", ""), key) {
					t.Fatalf("%q is left of %q", got, broken)
				}
			}
		}
	}
}

// Learned values may have line ends of their own.
func TestAValueOfSeveralLines(t *testing.T) {
	r := New([]string{"A_KEY=first line\nsecond\n"})
	for _, text := range []string{"first line\nsecond", "first linesecond", "fir\nst line\nsecond"} {
		if got := r.String("a " + text + " b"); got != "a [redacted:env] b" {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// blocks are private keys as they stand in texts, whole and cut.
func blocks() map[string]string {
	var lines []string
	for i := range 6 {
		lines = append(lines, fmt.Sprintf("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwgg%d%s+/A", i, b62[i:i+23]))
	}
	lines = append(lines, "SecretEnd0=")
	all := map[string]string{}
	for name, label := range map[string]string{"pkcs8": "PRIVATE KEY", "ssh": "OPENSSH PRIVATE KEY", "rsa": "RSA PRIVATE KEY", "enc": "ENCRYPTED PRIVATE KEY"} {
		begin, end := "-----BEGIN "+label+"-----", "-----END "+label+"-----"
		for cut, whole := range map[string][]string{"whole": append(append([]string{begin}, lines...), end), "cut": append([]string{begin}, lines...)} {
			for framed, frame := range map[string]string{
				"plain": "%[2]s\n", "quoted": "> %[2]s\n", "added": "+%[2]s\n", "removed": "-  %[2]s\n", "cat -n": "%6[1]d\t%[2]s\n", "grep -n": "%[1]d:%[2]s\n",
				"numbered": "%5[1]d→%[2]s\n", "indented": "      %[2]s\n", "comment": "# %[2]s\n", "crlf": "%[2]s\r\n",
				"escaped": `%[2]s\n`, "escaped twice": `%[2]s\\n`, "concatenated": "\"%[2]s\\n\" +\n", "strings": "  \"%[2]s\",\n", "escaped crlf": `%[2]s\r\n`,
			} {
				var b strings.Builder
				for i, line := range whole {
					fmt.Fprintf(&b, frame, i+1, line)
				}
				all[name+" "+cut+" "+framed] = b.String()
			}
		}
	}
	all["with headers"] = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0102\n\n" + strings.Join(lines, "\n")
	return all
}

func TestNoLineOfAPrivateKeyIsLeft(t *testing.T) {
	for name, block := range blocks() {
		for around, text := range map[string]string{
			"alone": block, "in prose": "It has:\n" + block + "\nand so on, with more text", "in JSON": `{"key":"` + block + `"}`,
		} {
			got := New(nil).String(text)
			if strings.Contains(got, "MIIE") || strings.Contains(got, "SecretEnd") || strings.Contains(got, b62[3:20]) || !strings.Contains(got, "[redacted:private-key]") {
				t.Errorf("%s, %s: %q", name, around, got)
			}
			if around == "in prose" && !strings.Contains(got, "and so on, with more text") {
				t.Errorf("%s: the text behind is gone: %q", name, got)
			}
		}
	}
}
