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
	// framesPerSecond is how often the screen is written at most.
	framesPerSecond = 12
)

// errClosed is the cause of the end of a screen that was closed from outside.
var errClosed = errors.New("the screen was closed")

// Screen is the screen of a run on this process's terminal. [Open] makes it.
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

// Open prepares the screen of what comes by way. The styles of the options are
// those that fit the terminal. It asks the terminal for its colour, briefly.
func Open(ctx context.Context, o tui.Options, way *relay.Relay) *Screen {
	dark, _, input := background.Ask(os.Stdin, os.Stdout, askColour)
	renderer := lipgloss.NewRenderer(os.Stdout)
	renderer.SetHasDarkBackground(dark)
	o.Styles = styles.New(renderer, styles.ThemeFor(dark), styles.GlyphsFor(os.Getenv))
	return open(ctx, tui.New(o), input, way)
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
	m, _ := g.Model.(tui.Model)
	return m.Outcome()
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
