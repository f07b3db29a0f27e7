//go:build e2e

package standin_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/layover/engine/agent/standin"
)

// The tests behind the tag e2e need the commands claude, codex, gemini and opencode on PATH, at the
// versions that testdata/e2e of the module names. They give them a home of their
// own and no way to any server but the one on loopback. To run them:
//
//	PATH=$(testdata/e2e/install.sh DIR):$PATH go test -tags e2e ./engine/agent/standin
//
// Those that wait for the agents' own minutes of retries are told with -minutes.

// patience bounds one command.
const patience = 8 * time.Minute

// place is an empty home with a work directory, and the environment to go with it.
type place struct {
	srv  *standin.Server
	home string
	work string
	env  []string
}

// settle makes a place whose agents speak to a server that plays the scenario, and leave
// it to Layover to try again. The test fails if anything tries to reach another host, or
// is left at work at its end.
func settle(t *testing.T, s standin.Scenario) place { return settleWith(t, s, false) }

// settleWith makes a place in which the agents may try again by themselves.
func settleWith(t *testing.T, s standin.Scenario, retries bool) place {
	t.Helper()
	srv := start(t, s, time.Now)
	home := t.TempDir()
	p := place{srv: srv, home: home, work: filepath.Join(home, "work")}
	opencode, gemini := filepath.Join(home, "config", "opencode"), filepath.Join(home, ".gemini")
	for _, dir := range []string{p.work, filepath.Join(home, "codex"), filepath.Join(home, "tmp"), opencode, gemini} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	codexRetries, geminiRetries := "request_max_retries = 0\nstream_max_retries = 0", `"maxAttempts": 1, `
	if retries {
		codexRetries, geminiRetries = "", ""
	}
	// Without the last two tables codex asks four hosts for plugins and settings.
	write(t, filepath.Join(home, "codex", "config.toml"), fmt.Sprintf(`
model = "stand-in"
model_provider = "standin"
check_for_update_on_startup = false
[model_providers.standin]
name = "standin"
base_url = %q
env_key = "STANDIN_KEY"
wire_api = "responses"
%s
[features]
plugins = false
apps = false
[analytics]
enabled = false
`, srv.URL("codex"), codexRetries))
	write(t, filepath.Join(opencode, "opencode.json"), fmt.Sprintf(`{
	"model": "anthropic/claude-sonnet-4-5", "autoupdate": false, "share": "disabled",
	"provider": {"anthropic": {"options": {"baseURL": %q, "apiKey": "none"}}}
}`, srv.URL("opencode")+"/v1"))
	write(t, filepath.Join(gemini, "settings.json"), `{
	"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false},
	"telemetry": {"enabled": false}, "general": {`+geminiRetries+`"enableAutoUpdate": false, "enableAutoUpdateNotification": false}
}`)
	_, asks := s["opencode"] // for packages of its own, and does without them
	proxy := refuseAllHosts(t, asks)
	p.env = []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + home,
		"TMPDIR=" + filepath.Join(home, "tmp"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"CODEX_HOME=" + filepath.Join(home, "codex"),
		"STANDIN_KEY=none",
		"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + srv.URL("gemini"),
		"XDG_DATA_HOME=" + filepath.Join(home, "data"), "XDG_CACHE_HOME=" + filepath.Join(home, "cache"),
		// No list of models, no plugins.
		"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
		// A token, unlike a key, makes claude report its limits as a subscription does.
		"CLAUDE_CODE_OAUTH_TOKEN=none",
		"ANTHROPIC_BASE_URL=" + srv.URL("claude"),
		// No telemetry, no reports of errors, no updates.
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		// The zone in which agents tell a reset.
		"TZ=UTC",
		"HTTP_PROXY=" + proxy, "HTTPS_PROXY=" + proxy, "NO_PROXY=127.0.0.1",
	}
	if !retries {
		p.env = append(p.env, "CLAUDE_CODE_MAX_RETRIES=0")
	}
	t.Cleanup(func() {
		if left := p.left(t); len(left) > 0 {
			t.Errorf("left at work: %q", left)
		}
	})
	return p
}

// left lists the processes of the place that have not ended a moment after their end was
// to be, by their commands.
func (p place) left(t *testing.T) []string {
	t.Helper()
	for try := 0; ; try++ {
		all, err := filepath.Glob("/proc/[0-9]*/environ")
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, file := range all {
			// One that has ended has no environment.
			if env, err := os.ReadFile(file); err == nil && slices.Contains(strings.Split(string(env), "\x00"), "HOME="+p.home) {
				command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
				found = append(found, string(command))
			}
		}
		if len(found) == 0 || try == 50 {
			return found
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// refuseAllHosts starts a proxy that refuses every host asked of it, and gives its
// address. It fails the test then, but if an agent is known to ask.
func refuseAllHosts(t *testing.T, asks bool) string {
	t.Helper()
	var mu sync.Mutex
	var hosts []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		hosts = append(hosts, r.Host)
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(func() {
		proxy.Close()
		if len(hosts) > 0 && !asks {
			t.Errorf("hosts other than loopback were asked for: %v", hosts)
		}
	})
	return proxy.URL
}

// output is what a command wrote, and how it ended.
type output struct {
	stdout, stderr []byte
	exit           int
}

// run runs a command in the work directory with a text on its stdin.
func (p place) run(t *testing.T, stdin []byte, argv ...string) output {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, lookPath(t, argv[0]), argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.work, p.env, bytes.NewReader(stdin)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err, exit := cmd.Run(), (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", argv[0], err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s wrote:\n%s\nand on stderr:\n%s", strings.Join(argv, " "), &stdout, &stderr)
		}
	})
	return output{stdout.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode()}
}

// sessions counts the files in which an agent keeps its sessions.
func (p place) sessions(t *testing.T, pattern string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(p.home, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

const (
	claudeSessions = ".claude/projects/*/*.jsonl"
	codexSessions  = "codex/sessions/*/*/*/rollout-*.jsonl"
)

func lookPath(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%v; testdata/e2e/install.sh of the module installs the agents", err)
	}
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
