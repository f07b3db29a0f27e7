package show

import (
	"context"
	"fmt"
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

// Screen is the screen of a run on this process's terminal. [Open] makes it.
type Screen struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	prog   *tea.Program
	way    *relay.Relay
	before *term.State
}

// Open prepares the screen of what comes by way. The styles of the options are
// those that fit the terminal. It asks the terminal for its colour, briefly.
func Open(ctx context.Context, o tui.Options, way *relay.Relay) *Screen {
	dark, _, input := background.Ask(os.Stdin, os.Stdout, askColour)
	renderer := lipgloss.NewRenderer(os.Stdout)
	renderer.SetHasDarkBackground(dark)
	o.Styles = styles.New(renderer, styles.ThemeFor(dark), styles.GlyphsFor(os.Getenv))
	s := &Screen{way: way}
	s.before, _ = term.GetState(os.Stdin.Fd())
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.prog = tea.NewProgram(tui.New(o), tea.WithContext(s.ctx), tea.WithInput(input), tea.WithAltScreen(),
		tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler())
	return s
}

// Run shows the screen until it is closed. It blocks, and returns how the operator
// left, and why it had to close if it had to.
func (s *Screen) Run() (tui.Outcome, error) {
	var carrier sync.WaitGroup
	carrier.Go(func() {
		defer s.rescue("the relay")
		s.way.Run(s.ctx, s.prog.Send)
	})
	final, err := s.prog.Run()
	if cause := context.Cause(s.ctx); cause != nil {
		err = cause // the screen is gone: now it can be told
	}
	s.cancel(nil)
	carrier.Wait()
	m, _ := final.(tui.Model)
	return m.Outcome(), err
}

// Close closes the screen; Run returns.
func (s *Screen) Close() { s.prog.Quit() }

// GiveBack puts the terminal's mode back as it was, for a process that ends while
// nobody reads what the screen still has to write.
func (s *Screen) GiveBack() {
	if s.before != nil {
		_ = term.Restore(os.Stdin.Fd(), s.before)
	}
}

// rescue turns a panic of a goroutine into the end of the screen, so that the
// terminal is restored before anybody hears of it.
func (s *Screen) rescue(name string) {
	if r := recover(); r != nil {
		s.cancel(fmt.Errorf("%s panicked: %v", name, r))
	}
}
