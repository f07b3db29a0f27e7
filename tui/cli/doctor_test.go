package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"example.com/layover/engine/agent"
	"example.com/layover/engine/run"
)

// machine is a made-up machine; its zero value has what doctor wants, but no agents.
type machine struct {
	agents   map[string]Answer // by their commands
	env      map[string]string
	terminal Terminal
	limits   map[string]string
	notices  error
	disk     Disk
	diskErr  error
	content  string                 // of all files
	files    map[string]fs.FileMode // in the home directory; one that ends in "/" is a directory
	now      time.Time
	zoneless bool
}

// secretValue stands for what must never be shown.
const secretValue = "sk-do-not-show-0123456789"

// doctor runs the command on a machine and gives what it printed, with the home directory
// as HOME, and the exit code.
func (m machine) doctor(t *testing.T, args ...string) (string, int) {
	t.Helper()
	home := t.TempDir()
	for name, mode := range m.files {
		path := filepath.Join(home, name)
		dir := filepath.Dir(home + "/" + name) // not Join, which would cut the slash off
		err := os.MkdirAll(dir, 0o700)
		if !strings.HasSuffix(name, "/") {
			err = errors.Join(err, os.WriteFile(path, []byte(m.content), mode))
		}
		if err := errors.Join(err, os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	var w world
	code := w.do("", func(p *Ports) {
		p.Getenv = func(name string) string {
			if name == "HOME" {
				return home
			}
			return strings.ReplaceAll(m.env[name], "HOME", home)
		}
		p.LookPath = func(name string) (string, error) {
			if _, ok := m.agents[name]; ok {
				return "/opt/" + name, nil
			}
			return "", errors.New("not found")
		}
		if !m.now.IsZero() {
			p.Now = func() time.Time { return m.now }
		}
		p.Machine = Machine{
			Ask: func(ctx context.Context, argv ...string) (Answer, error) {
				if d, ok := ctx.Deadline(); !ok || time.Until(d) > time.Minute || !cmp.Equal(argv[1:], []string{"--version"}) {
					t.Errorf("asked %q, for ever: %v", argv, !ok)
				}
				a := m.agents[filepath.Base(argv[0])]
				if a.Exit.Lost {
					return Answer{}, errors.New("exec format error")
				}
				return a, nil
			},
			Terminal: func() Terminal { return m.terminal },
			ReadFile: func(path string) ([]byte, error) {
				text, ok := m.limits[filepath.Base(path)]
				if path == "/etc/localtime" {
					ok = !m.zoneless
				}
				if !ok {
					return nil, fs.ErrNotExist
				}
				return []byte(text + "\n"), nil
			},
			Notices: func(string) error { return m.notices },
			Disk:    func(string) (Disk, error) { return m.disk, m.diskErr },
		}
	}, append([]string{"doctor"}, args...)...)
	if w.err.Len() > 0 {
		t.Errorf("said %q", w.err.String())
	}
	if left, _ := filepath.Glob(filepath.Join(home, "*layover-doctor*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	return strings.ReplaceAll(w.out.String(), home, "HOME"), code
}

// withoutMissing leaves out the agents that are not there, of which there may be more.
func withoutMissing(out string) string {
	var b strings.Builder
	for line := range strings.Lines(out) {
		if !strings.Contains(line, "other agents") {
			b.WriteString(line)
		}
	}
	all := list(slices.DeleteFunc(agent.Presets(), func(name string) bool { return name == "generic" })) // that is any command
	return strings.ReplaceAll(b.String(), all, "ALL")
}

func machines() map[string]machine {
	limits := map[string]string{"max_user_watches": "192536", "max_user_instances": "128", "max_queued_events": "16384"}
	// So wide that the length of a path breaks no line.
	screen := Terminal{Is: true, Width: 1000, Height: 36, Colours: 1 << 24, Boxes: true, Answers: true}
	ext4 := Disk{Kind: "ext4", Free: 72_600_000_000}
	claude := Answer{Said: "2.1.220 (Claude Code)\n"}
	return map[string]machine{
		"well": {
			agents:   map[string]Answer{"claude": claude, "codex": {Said: "\n\nWARNING: proceeding without aliases\ncodex-cli 0.144.1\nmore\n"}},
			env:      map[string]string{"TERM": "xterm-256color", "LANG": "de_DE.UTF-8", "TZ": "Europe/Berlin", "OPENAI_API_KEY": secretValue, "CODEX_HOME": "HOME/c"},
			content:  secretValue,
			files:    map[string]fs.FileMode{".claude/.credentials.json": 0o600, ".local/state/layover/": 0o700},
			terminal: screen, limits: limits, disk: ext4,
		},
		"nothing": {diskErr: errors.ErrUnsupported, notices: errors.New("too many open files"), zoneless: true},
		"amiss": {
			agents: map[string]Answer{
				"claude": {Said: "\x1b]0;x\x07\x1b[31menv: node: No such file\x1b[0m\u202e\r\n", Exit: run.Exit{Code: 127}},
				"codex":  {Late: true, Said: "starting"},
			},
			env:      map[string]string{"TERM": "vt\x1b[2J100", "TZ": "Mars/Olympus\x1b[2J", "CLAUDE_CONFIG_DIR": "HOME/other", "ANTHROPIC_BASE_URL": secretValue},
			content:  secretValue,
			files:    map[string]fs.FileMode{"other/.credentials.json": 0o644, ".local/state/layover/": 0o755},
			terminal: Terminal{Is: true, Width: 1000, Height: 10}, limits: map[string]string{"max_user_watches": "100", "max_user_instances": "128", "max_queued_events": "9"},
			disk: Disk{Kind: "nfs", Free: 1 << 40},
		},
		"worse": {
			agents: map[string]Answer{"claude": {Exit: run.Exit{Lost: true}}, "codex": {Exit: run.Exit{Code: -1, Signal: "killed"}}},
			env:    map[string]string{"TERM": "dumb"}, terminal: screen, now: time.Unix(60, 0),
			files: map[string]fs.FileMode{".local/state/layover": 0o600}, limits: map[string]string{"max_user_watches": "8192", "max_user_instances": "many", "max_queued_events": "9"},
		},
		"tight": {
			agents:   map[string]Answer{"claude": {}, "codex": claude},
			env:      map[string]string{"TERM": "xterm", "XDG_STATE_HOME": "HOME/s", "CLAUDE_CODE_OAUTH_TOKEN": secretValue},
			files:    map[string]fs.FileMode{".codex/auth.json": 0o644}, // empty, and so no login
			terminal: Terminal{Is: true, Colours: 16, Boxes: true}, disk: Disk{Kind: "tmpfs", Free: 1 << 20},
			limits: map[string]string{"max_user_watches": "8192", "max_user_instances": "8", "max_queued_events": "9"},
		},
	}
}

func TestDoctor(t *testing.T) {
	for name, m := range machines() {
		t.Run(name, func(t *testing.T) {
			out, code := m.doctor(t)
			want := ExitFailed
			if name == "well" {
				want = ExitDone
			}
			if code != want {
				t.Errorf("exit code %d, want %d", code, want)
			}
			if strings.Contains(out, secretValue) || strings.ContainsAny(out, "\x1b\r\u202e\a") {
				t.Errorf("%q", out)
			}
			golden.RequireEqual(t, []byte(withoutMissing(out)))
		})
	}
}

// The JSON says what the lines say.
func TestDoctorInJSON(t *testing.T) {
	for name, m := range machines() {
		t.Run(name, func(t *testing.T) {
			out, code := m.doctor(t, "--json")
			var got struct {
				Findings      []struct{ Word, About, Said, Do string }
				OK, Warn, Bad int
			}
			if err := json.Unmarshal([]byte(out), &got); err != nil || strings.Count(out, "\n") != 1 || strings.Contains(out, secretValue) {
				t.Fatal(err, out)
			}
			if got.OK+got.Warn+got.Bad != len(got.Findings) || (code == ExitFailed) != (got.Bad > 0) {
				t.Errorf("exit code %d, %d ok, %d warn, %d bad of %d", code, got.OK, got.Warn, got.Bad, len(got.Findings))
			}
			lines, _ := m.doctor(t)
			for _, f := range got.Findings {
				if (f.Do == "") != (f.Word == "ok") || !strings.Contains(lines, f.Said+"\n") || !strings.Contains(lines, f.Do) {
					t.Errorf("%+v in\n%s", f, lines)
				}
			}
		})
	}
}

// Lines keep to the width of the terminal, and no word is lost.
func TestDoctorKeepsToTheWidth(t *testing.T) {
	all := []finding{
		{gradeOK, "claude", "2.1.220 (Claude Code), /usr/local/bin/claude", ""},
		{gradeWarn, "file notices", "only 100 watches for all programs: if they are used up, files are looked at every 250 ms instead", "sysctl fs.inotify.max_user_watches=65536, or end what uses them up"},
	}
	for _, width := range []int{0, 10, 26, 40, 45, 46, 60, 80, 120} {
		var b bytes.Buffer
		if err := printFindings(&b, all, width); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := len(strings.TrimRight(line, "\n")); width >= 26 && n > width {
				t.Errorf("%d cells where there are %d: %q", n, width, line)
			}
		}
		bare := func(s string) string { return strings.Join(strings.Fields(s), "") } // a long word may be broken too
		words := bare(b.String())
		for _, f := range all {
			if !strings.Contains(words, bare(f.Said)) || !strings.Contains(words, bare(f.Do)) {
				t.Errorf("at %d: %q is not all of it", width, words)
			}
		}
	}
}

func TestDoctorToAReaderThatIsGone(t *testing.T) {
	var w world
	code := w.do("", func(p *Ports) {
		p.Stdout = gone{}
		p.Getenv, p.LookPath = func(string) string { return "" }, func(string) (string, error) { return "", fs.ErrNotExist }
		p.Machine = Machine{
			Terminal: func() Terminal { return Terminal{} }, ReadFile: os.ReadFile,
			Notices: func(string) error { return nil }, Disk: func(string) (Disk, error) { return Disk{}, nil },
		}
	}, "doctor")
	if code != ExitFailed || w.err.String() != "layover: print: io: read/write on closed pipe\n" {
		t.Errorf("exit code %d, said %q", code, w.err.String())
	}
}
