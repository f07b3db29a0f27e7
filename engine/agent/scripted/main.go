package scripted

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"
)

// Exit codes of the programs that are played.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// maxPrompt bounds how much of the standard input is kept, in bytes.
const maxPrompt = 4 << 20

// Main is the hidden command: it plays one agent and returns its exit code. The
// arguments are the family, the directory of the world, and those of the real
// program. It reads stdin to its end as the prompt, blocks for as long as the work
// takes by the clock of the world, and ends early on SIGTERM or SIGINT.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	return Play(ctx, args, stdin, stdout, stderr)
}

// Play is [Main] for a caller in the same process, such as a test that brings its
// own clock: it installs no signal handler and ends early when ctx is done, as the
// real program ends on SIGTERM.
func Play(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	code, err := play(ctx, args, stdin, stdout)
	if err != nil {
		fmt.Fprintf(stderr, "scripted: %v\n", err)
	}
	return code
}

func play(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) (int, error) {
	if len(args) < 2 {
		return exitUsage, fmt.Errorf("%w: a family and the directory of a world are needed", errUsage)
	}
	family, dir := args[0], args[1]
	s, err := enter(dir)
	if err != nil {
		return exitFailed, err
	}
	p, ok := s.World.Provider(family)
	if !ok {
		return exitUsage, fmt.Errorf("%w: the world has no provider %q", errUsage, family)
	}
	o, err := parse(p.Dialect, args[2:])
	if err != nil {
		return exitUsage, err
	}
	prompt, err := io.ReadAll(io.LimitReader(stdin, maxPrompt))
	if err == nil {
		_, err = io.Copy(io.Discard, stdin)
	}
	if err != nil {
		return exitFailed, fmt.Errorf("read prompt: %w", err)
	}
	o.prompt += string(prompt)
	a, err := s.agent(p, o, stdout)
	if err != nil {
		return exitFailed, err
	}
	code, err := a.work(ctx)
	if left := s.leave(); err == nil {
		err = left
	}
	if err != nil && errors.Is(err, ctx.Err()) {
		return a.voice.terminated(), nil
	}
	if err != nil {
		return exitFailed, err
	}
	return code, nil
}

// agent makes the agent of one process, with a fresh session or a resumed one.
func (s *stage) agent(p Provider, o order, stdout io.Writer) (*agent, error) {
	var session Session
	var err error
	if o.resume != "" {
		session, err = s.resume(p.Family, o.resume)
	} else {
		session, err = s.begin(p.Family, o.prompt, o.session)
	}
	if err != nil {
		return nil, err
	}
	t := &talk{
		world: s.World, provider: p, session: session, model: p.model(o.model), partial: o.partial,
		cwd: workDir(), zone: time.Local, began: s.at,
	}
	return &agent{stage: s, talk: t, voice: newVoice(p.Dialect, t), out: stdout}, nil
}
