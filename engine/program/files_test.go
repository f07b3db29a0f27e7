package program

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// soon returns what f returns, or fails if f waits for somebody to write.
func soon(t *testing.T, f func() error) error {
	t.Helper()
	got := make(chan error, 1)
	go func() { got <- f() }()
	select {
	case err := <-got:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("it waits")
		return nil
	}
}

func TestWhatIsNoRegularFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "p.toml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	written, err := os.OpenFile(pipe, os.O_RDWR, 0) // a writer that never ends
	if err != nil {
		t.Fatal(err)
	}
	defer written.Close()
	lonely := filepath.Join(dir, "lonely")
	if err := syscall.Mkfifo(lonely, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ path, want string }{
		"pipe":              {pipe, "is not a regular file"},
		"pipe of no writer": {lonely, "is not a regular file"},
		"device":            {"/dev/zero", "is not a regular file"},
		"directory":         {dir, "is a directory"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := soon(t, func() error {
				_, err := Load(tt.path, Options{})
				return err
			})
			if want := "read program: read " + tt.path + ": " + tt.want; err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
	t.Run("prompt", func(t *testing.T) {
		text := "order = ['claude']\n[[task]]\nprompt_file = 'lonely'\n"
		err := soon(t, func() error {
			_, err := Parse("p.toml", []byte(text), Options{Presets: presets(), Dir: dir})
			return err
		})
		if want := `p.toml:3: prompt_file "lonely" is not a regular file`; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}
