package show

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/term"

	"example.com/layover/styles"
	"example.com/layover/styles/background"
	"example.com/layover/tui"
	"example.com/layover/tui/relay"
)

const (
	// askColour bounds the question for the terminal's background.
	askColour = 100 * time.Millisecond
	// StuckAfter is how long a terminal has to take the last of the screen, before the
	// process ends without.
	StuckAfter = 2 * time.Second
	// framesPerSecond is how often the screen is written at most.
	framesPerSecond = 12
)

// errClosed is the cause of the end of a screen that was closed from outside.
var errClosed = errors.New("the screen was closed")

// Screen is a screen on this process's terminal. [Open] or
// [OpenModel] makes it.
type Screen struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	prog   *tea.Program
	way    *relay.Relay
	before *term.State
	// jobs takes the signals of job control.
	jobs chan os.Signal
	// away is closed once the screen ends while the terminal is another's.
	away chan struct{}
}

// Open prepares the screen of a run that comes by way; see [OpenModel]. The styles of the
// options are those that fit the terminal.
func Open(ctx context.Context, o tui.Options, way *relay.Relay) *Screen {
	return OpenModel(ctx, way, func(s *styles.Styles) tea.Model {
		o.Styles = s
		return tui.New(o)
	})
}

// OpenModel prepares the screen of what comes by way: of the model that is made with the
// styles that fit the terminal. One that has a method Outcome as [tui.Model] has it tells by
// it how it was left. It asks the terminal for its colour, briefly.
func OpenModel(ctx context.Context, way *relay.Relay, model func(*styles.Styles) tea.Model) *Screen {
	dark, _, input := background.Ask(os.Stdin, os.Stdout, askColour)
	renderer := lipgloss.NewRenderer(os.Stdout)
	renderer.SetHasDarkBackground(dark)
	s := styles.New(renderer, styles.ThemeFor(dark), styles.GlyphsFor(os.Getenv))
	return open(ctx, model(s), input, way)
}

func open(ctx context.Context, m tea.Model, input *background.Input, way *relay.Relay) *Screen {
	s := &Screen{way: way, jobs: make(chan os.Signal, 4), away: make(chan struct{})} // further signals are repeats
	s.before, _ = term.GetState(os.Stdin.Fd())
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.prog = tea.NewProgram(guarded{m, s}, tea.WithInput(keys{input, s}), tea.WithAltScreen(),
		tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler(), tea.WithFilter(s.filter))
	// Not by tea.WithContext: that closes the input under its reader.
	context.AfterFunc(s.ctx, s.prog.Quit)
	return s
}

// Run shows the screen until it is closed. It blocks, and returns how the operator
// left, and why it had to close if it had to: a [*PanicError] after a panic. To be
// closed by [Screen.Close] or with the terminal itself is no error. The terminal is
// given back when it returns.
func (s *Screen) Run() (tui.Outcome, error) {
	var beside sync.WaitGroup
	start := func(who string, f func()) {
		beside.Go(func() {
			defer s.rescue(who)
			f()
		})
	}
	start("the relay", func() { s.way.Run(s.ctx, s.prog.Send) })
	start("job control", s.heed)
	var final tea.Model
	var err error
	ended := make(chan struct{})
	go func() { // ends with the screen, unless that ends in the background
		defer close(ended)
		defer s.rescue("the screen")
		final, err = s.prog.Run()
	}()
	var outcome tui.Outcome
	select {
	case <-ended:
		outcome = outcomeOf(final)
	case <-s.away:
	}
	cause := context.Cause(s.ctx)
	s.cancel(nil)
	beside.Wait()
	switch {
	case cause != nil && cause != errClosed:
		return outcome, cause // the screen is gone: now it can be told
	case cause != nil || gone():
		return outcome, nil
	}
	return outcome, err
}

func outcomeOf(final tea.Model) tui.Outcome {
	g, _ := final.(guarded)
	if m, ok := g.Model.(interface{ Outcome() tui.Outcome }); ok {
		return m.Outcome()
	}
	return 0
}

// Close closes the screen; Run returns. It does not block.
func (s *Screen) Close() { s.cancel(errClosed) }

// GiveBack puts the terminal's mode back as it was, for a process that ends while
// nobody reads what the screen still has to write. A terminal that another process
// uses meanwhile is left alone.
func (s *Screen) GiveBack() {
	if mine, err := foreground(); mine && err == nil && s.before != nil {
		_ = term.Restore(os.Stdin.Fd(), s.before)
	}
}

// keys is what is typed. Bubble Tea passes over the end of it.
type keys struct {
	*background.Input
	screen *Screen
}

// Read implements [io.Reader]; it closes the screen of a terminal that is gone.
func (k keys) Read(p []byte) (int, error) {
	n, err := k.Input.Read(p)
	if err != nil && gone() {
		k.screen.Close()
	}
	return n, err
}

// gone reports whether the terminal exists no more.
func gone() bool {
	_, err := term.GetState(os.Stdin.Fd())
	return err != nil
}
