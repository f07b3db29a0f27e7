package scripted

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// command is an agent as a process of its own.
func command(t testing.TB, family, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, append([]string{"__scripted", family, dir}, args...)...)
	cmd.Stdin = strings.NewReader("unit tests")
	return cmd
}

// Processes that work at the same time share one account: no call is lost, none is
// counted twice, no allowance is exceeded, and the clock is the latest of theirs.
func TestConcurrentAgents(t *testing.T) {
	const agents, allowed = 6, 17
	dir := created(t, small(t, "[[provider.window]]\nname = \"five_hour\"\ncalls = [17]\nlength = \"5h\"\n", ""), still())
	outs := make([]strings.Builder, agents)
	cmds := make([]*exec.Cmd, agents)
	for i := range cmds {
		cmds[i] = command(t, "claude", dir, claudeArgs()...)
		cmds[i].Stdout = &outs[i]
		if err := cmds[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	done, refused := 0, 0
	for i, cmd := range cmds {
		err := cmd.Wait()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		last := played{records: recordsOf(t, outs[i].String())}.last()
		if failed, _ := last.at("is_error").(bool); failed != (cmd.ProcessState.ExitCode() == 1) {
			t.Errorf("exit %d after %v", cmd.ProcessState.ExitCode(), last)
		}
		refused += cmd.ProcessState.ExitCode()
	}
	b := books(t, dir)
	for _, s := range b.Sessions {
		done += s.Done
	}
	a := b.Accounts["claude"]
	if len(b.Sessions) != agents || done != allowed || a.Meters[0].Used != allowed || a.Calls != allowed+refused {
		t.Errorf("%d sessions, %d steps done, %d used, %d calls with %d refused", len(b.Sessions), done, a.Meters[0].Used, a.Calls, refused)
	}
	if now := opened(t, dir).Now(); !now.After(epoch().Add(5 * 5 * time.Second)) {
		t.Errorf("the clock stands at %s", now)
	}
}

// The real programs end on SIGTERM without a terminal record: claude with 143,
// codex with 0.
func TestSignalledProcess(t *testing.T) {
	tests := map[string]struct {
		args []string
		want int
	}{
		"claude": {claudeArgs(), 143},
		"codex":  {codexArgs("-"), 0},
	}
	for family, tt := range tests {
		t.Run(family, func(t *testing.T) {
			dir := created(t, small(t, "", ""), Params{Epoch: epoch(), Real: time.Now(), Speed: 0.001})
			cmd := command(t, family, dir, tt.args...)
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(stdout)
			if _, err := lines.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(lines)
			if err != nil {
				t.Fatal(err)
			}
			err = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != tt.want || strings.Contains(string(rest), "turn.completed") || strings.Contains(string(rest), "result") {
				t.Errorf("exit %d (%v) after %q", code, err, rest)
			}
		})
	}
}
