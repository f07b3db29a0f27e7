package show

import (
	"fmt"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"
)

// PanicError says that the screen had to close because a goroutine panicked.
type PanicError struct {
	// Who panicked, such as "the relay".
	Who   string
	Value any
	// Stack is the trace, for a log; it is no part of the message.
	Stack []byte
	// Remedy is the hint of whoever shows it; empty if there is none.
	Remedy string
}

func (p *PanicError) Error() string { return fmt.Sprintf("%s panicked: %v", p.Who, p.Value) }

// Hint says what to do.
func (p *PanicError) Hint() string { return p.Remedy }

// Go runs f in a goroutine whose panic closes the screen, so that the terminal is
// given back before anybody hears of it.
func (s *Screen) Go(who string, f func()) {
	go func() {
		defer s.rescue(who)
		f()
	}()
}

func (s *Screen) rescue(who string) {
	if r := recover(); r != nil {
		s.cancel(&PanicError{Who: who, Value: r, Stack: debug.Stack()})
	}
}

// guarded is a model whose panics, also those of its commands, close the screen as
// any other end does. Bubble Tea would catch them too, but prints a trace.
type guarded struct {
	tea.Model
	screen *Screen
}

// Init implements [tea.Model].
func (g guarded) Init() tea.Cmd {
	defer g.screen.rescue("the screen")
	return g.command(g.Model.Init())
}

// Update implements [tea.Model].
func (g guarded) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = g // also after a panic
	defer g.screen.rescue("the screen")
	g.Model, cmd = g.Model.Update(msg)
	return g, g.command(cmd)
}

// View implements [tea.Model].
func (g guarded) View() string {
	defer g.screen.rescue("the screen")
	return g.Model.View()
}

func (g guarded) command(c tea.Cmd) tea.Cmd {
	if c == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.screen.rescue("the screen")
		return c()
	}
}
